import StrictJSON
import TestFixtures
import Testing

@testable import SceneJournal

@Suite("Following the records of a journal")
struct JournalFollowerTests {
    private typealias Lookups = JournalFollower.Lookups

    private let nowhere = Lookups(has: { _, _ in false }, oldest: { _ in nil }, isRunning: { _, _ in false })

    private func origin(
        unit: String? = "scened.service",
        invocation: String? = "i1",
        boot: String? = "b1",
        process: Int32 = 7,
        started: UInt64? = 1_000
    ) -> JournalFollower.Origin {
        JournalFollower.Origin(
            unit: unit,
            invocation: invocation,
            boot: boot,
            process: process,
            hostStarted: started.map(JournalTime.init(microseconds:))
        )
    }

    /// The history of records with these indices, received 10 µs apart from time 2000 on, and of what is between them.
    private func history(
        _ indices: [Int],
        isStopped: Bool = false,
        hasBeginning: Bool = true,
        hasEnd: Bool = true,
        _ lookups: Lookups? = nil,
        before: [Int: (inout JournalFollower) -> Void] = [:],
        afterwards: (inout JournalFollower) -> Void = { _ in }
    ) throws -> JournalledHost {
        var follower = JournalFollower(hasBeginning: hasBeginning, hasEnd: hasEnd)
        for (number, index) in indices.enumerated() {
            before[index]?(&follower)
            follower.record(
                host: "h",
                index: index,
                isLast: isStopped && number == indices.count - 1,
                at: JournalTime(microseconds: 2_000 + UInt64(number) * 10),
                lookups ?? nowhere,
                origin: { origin() }
            )
        }
        afterwards(&follower)
        return try #require(follower.finish(lookups ?? nowhere).hosts.first)
    }

    private func gap(_ first: Int, _ last: Int, at: UInt64, _ cause: JournalGap.Cause) -> JournalGap {
        JournalGap(first: first, last: last, at: JournalTime(microseconds: at), cause: cause)
    }

    @Test("any indices and counts are taken, whoever wrote them")
    func anyNumbers() {
        for first in extremeIntegers {
            for second in extremeIntegers {
                var follower = JournalFollower(hasBeginning: true, hasEnd: true)
                follower.dropped(host: "", after: first, count: second)
                for index in [1, first, 2, second] where (1...JSONReader.largest).contains(index) {
                    follower.record(
                        host: "h",
                        index: index,
                        isLast: false,
                        at: JournalTime(microseconds: .max),
                        nowhere,
                        origin: { origin(started: .max) }
                    )
                    for _ in 1...3 {
                        follower.dropped(host: "h", after: first, count: second)
                        follower.tooLong(host: "h", index: second)
                        follower.suppressed(unit: nil, count: second)
                    }
                }
                let history = follower.finish(nowhere)
                #expect(!history.json.text().isEmpty)
                #expect(!history.text.isEmpty)
            }
        }
    }

    @Test("a history without gaps has none")
    func whole() throws {
        let host = try history([1, 2, 3], isStopped: true)
        #expect(host.gaps == [] && host.missing == [:] && host.ending == .stopped && host.records == 3)
    }

    @Test("a jump without an explanation is a gap")
    func deleted() throws {
        let host = try history([1, 2, 5, 6, 8])
        #expect(host.gaps == [gap(3, 4, at: 2_020, .unexplained), gap(7, 7, at: 2_040, .unexplained)])
        #expect(host.missing == [.unexplained: 3])
    }

    @Test("records that the daemon announced as dropped have that cause, and no others")
    func announced() throws {
        let host = try history([1, 2, 9], before: [9: { $0.dropped(host: "h", after: 3, count: 2) }])
        #expect(
            host.gaps == [
                gap(3, 3, at: 2_020, .unexplained), gap(4, 5, at: 2_020, .daemon), gap(6, 8, at: 2_020, .unexplained),
            ]
        )
    }

    @Test("records that the daemon dropped last are missing too, though no record follows")
    func announcedAtTheEnd() throws {
        let host = try history([1, 2]) { $0.dropped(host: "h", after: 2, count: 3) }
        #expect(host.gaps == [gap(3, 5, at: 2_010, .daemon)])
    }

    @Test("records dropped before any was written belong to the first host")
    func announcedBeforeAny() throws {
        let host = try history([4], before: [4: { $0.dropped(host: "", after: 0, count: 3) }])
        #expect(host.gaps == [gap(1, 3, at: 2_000, .daemon)])
    }

    @Test("suppression explains a jump before or after journald's message, up to the number in it")
    func suppressed() throws {
        let host = try history(
            [1, 5, 6, 9, 20],
            before: [
                5: { $0.suppressed(unit: "scened.service", count: 3) },
                20: { $0.suppressed(unit: "scened.service", count: 4) },
            ]
        )
        #expect(
            host.gaps == [
                gap(2, 4, at: 2_010, .rateLimit), gap(7, 8, at: 2_030, .rateLimit),
                gap(10, 19, at: 2_040, .unexplained),
            ]
        )
        #expect(host.missing == [.rateLimit: 5, .unexplained: 10])
    }

    @Test(
        "journald's message at the next run's beginning is about the previous one, and what is left over stays unexplained"
    )
    func suppressedLate() throws {
        var follower = JournalFollower(hasBeginning: true, hasEnd: true)
        func record(_ host: String, _ index: Int) {
            follower.record(
                host: host,
                index: index,
                isLast: false,
                at: JournalTime(microseconds: 2_000),
                nowhere,
                origin: { origin() }
            )
        }
        record("one", 1)
        record("one", 4)
        record("two", 1)
        follower.suppressed(unit: "scened.service", count: 5)
        record("two", 5)
        record("two", 7)
        let hosts = follower.finish(nowhere).hosts
        #expect(hosts.map(\.missing) == [[.rateLimit: 2], [.rateLimit: 3, .unexplained: 1]])
    }

    @Test("suppressed messages of another unit explain nothing")
    func suppressedElsewhere() throws {
        let host = try history([1, 5], before: [5: { $0.suppressed(unit: "other.service", count: 30) }])
        #expect(host.gaps.map(\.cause) == [.unexplained])
    }

    @Test("a missing beginning was rotated away, is before the query's time, or was deleted")
    func beginning() throws {
        func cause(hasBeginning: Bool, has: Bool, oldest: UInt64) throws -> JournalGap.Cause? {
            let lookups = Lookups(
                has: { host, index in host == "h" && index == 4 && has },
                oldest: { _ in JournalTime(microseconds: oldest) },
                isRunning: { _, _ in false }
            )
            return try history([5, 6], hasBeginning: hasBeginning, lookups).gaps.first?.cause
        }
        #expect(try cause(hasBeginning: true, has: false, oldest: 1_500) == .rotation)
        #expect(try cause(hasBeginning: true, has: false, oldest: 500) == .unexplained)
        #expect(try cause(hasBeginning: false, has: true, oldest: 500) == .beforeSince)
        #expect(try cause(hasBeginning: false, has: false, oldest: 1_500) == .rotation)
    }

    @Test("a record that was too long is missing, as its entry shows")
    func tooLong() throws {
        let host = try history([1, 3], before: [3: { $0.tooLong(host: "h", index: 2) }])
        #expect(host.gaps == [gap(2, 2, at: 2_010, .tooLong)])
    }

    @Test("how a host ended that did not stop is found out")
    func endings() throws {
        #expect(try history([1]).ending == .unknown)
        #expect(
            try history([1]) { $0.exited(invocation: "i1", .init(code: "killed", status: 9)) }.ending
                == .killed(signal: 9)
        )
        #expect(
            try history([1]) { $0.exited(invocation: "i1", .init(code: "dumped", status: 6)) }.ending
                == .killed(signal: 6)
        )
        #expect(
            try history([1]) { $0.exited(invocation: "i1", .init(code: "exited", status: 1)) }.ending
                == .exited(status: 1)
        )
        #expect(try history([1]) { $0.exited(invocation: "i2", .init(code: "killed", status: 9)) }.ending == .unknown)
        #expect(try history([1]) { $0.note(boot: "b2") }.ending == .machineWentDown)
        let runs = Lookups(has: { _, _ in false }, oldest: { _ in nil }, isRunning: { $0 == 7 && $1 == "b1" })
        #expect(try history([1], runs).ending == .running)
        let goesOn = Lookups(has: { $0 == "h" && $1 == 2 }, oldest: { _ in nil }, isRunning: { _, _ in false })
        #expect(try history([1], hasEnd: false, goesOn).ending == .continues)
    }

    @Test("another host of the same process replaces the first, one of another process succeeds it")
    func next() throws {
        func endings(_ second: JournalFollower.Origin) -> [JournalledHost.Ending] {
            var follower = JournalFollower(hasBeginning: true, hasEnd: true)
            for (host, origin) in [("one", origin()), ("two", second)] {
                follower.record(
                    host: host,
                    index: 1,
                    isLast: false,
                    at: JournalTime(microseconds: 2_000),
                    nowhere,
                    origin: { origin }
                )
            }
            return follower.finish(nowhere).hosts.map(\.ending)
        }
        #expect(endings(origin()) == [.replaced, .unknown])
        #expect(endings(origin(invocation: "i2", process: 8)) == [.succeeded, .unknown])
        #expect(endings(origin(unit: "scened@x.service", invocation: "i2", process: 8)) == [.unknown, .unknown])
        #expect(endings(origin(invocation: "i2", boot: "b2")) == [.machineWentDown, .unknown])
    }

    @Test("a host that goes on has a run before each restart, and each run its end")
    func restarts() throws {
        var follower = JournalFollower(hasBeginning: true, hasEnd: true)
        func record(_ index: Int, of run: Int, isRestart: Bool = false) {
            follower.record(
                host: "h",
                index: index,
                isLast: false,
                isRestart: isRestart,
                at: JournalTime(microseconds: 2_000 + UInt64(index)),
                nowhere,
                origin: { origin(invocation: "i\(run)", boot: run < 4 ? "b1" : "b2", process: Int32(run)) }
            )
        }
        record(1, of: 1)
        record(2, of: 2, isRestart: true)
        follower.exited(invocation: "i1", .init(code: "killed", status: 9))
        record(3, of: 2)
        follower.stopped(invocation: "i2")
        record(4, of: 3, isRestart: true)
        record(5, of: 4, isRestart: true)
        record(6, of: 5, isRestart: true)
        let host = try #require(follower.finish(nowhere).hosts.first)
        #expect(host.runs.map(\.ending) == [.killed(signal: 9), .stopped, .machineWentDown, .succeeded])
        #expect(host.runs.map(\.next) == [2, 4, 5, 6] && host.runs.map(\.process) == [1, 2, 3, 4])
        #expect(host.process == 5 && host.ending == .unknown && host.gaps.isEmpty && host.restarts == 4)
        for index in 7...2_000 { record(index, of: 6, isRestart: true) }
        let often = try #require(follower.finish(nowhere).hosts.last)
        #expect(often.restarts == 1_998 && often.runs.count == JournalledHost.keptRuns)
    }

    @Test("endless gaps take bounded memory and are all counted")
    func manyGaps() throws {
        let host = try history(stride(from: 1, through: 10_001, by: 2).map { $0 })
        #expect(host.gaps.count == JournalledHost.keptGaps)
        #expect(host.missing == [.unexplained: 5_000])
    }
}
