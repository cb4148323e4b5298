import Histogram
import SceneEntryPoints
import SceneHistory
import SceneJournal
import SceneManifest
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

@testable import SceneSoak

@Suite("A soak read from a journal")
struct JournalSoakTests {
    /// Microseconds since 1970.
    private static let began: UInt64 = 1_795_197_600_000_000

    private let place = SoakRun.Place(system: "Linux", cores: 2, memory: 1, daemon: "0", app: "?")

    /// A record 10 ms after the previous one on the host's clock.
    private func record(_ index: Int, _ kind: String, host: String = "h", _ more: JSONObject = [:]) -> JSONObject {
        var record: JSONObject = [
            "host": .string(host), "index": .integer(index), "kind": .string(kind),
            "monotonic": .integer(index * 10_000_000),
        ]
        for (key, value) in more { record[key] = value }
        return record
    }

    private func event(_ ticket: Int, _ more: JSONObject = [:]) -> JSONObject {
        var subject: JSONObject = ["scene": "A", "ticket": .integer(ticket), "event": .string("e\(ticket)")]
        for (key, value) in more { subject[key] = value }
        return subject
    }

    private func soak(
        _ records: [JSONObject],
        every: Duration = .milliseconds(100),
        _ history: (inout JournalHistory) -> Void = { _ in }
    ) throws -> SoakRun {
        var options = JournalSoak.Options()
        options.every = every
        options.percentiles = [50, 90]
        var soak = JournalSoak(place: place, options: options)
        var found = JournalHistory()
        for (number, object) in records.enumerated() {
            let record = try HistoryRecord(object)
            // The journal receives them a second late and unevenly; the host's clock counts.
            let received = JournalTime(microseconds: Self.began + UInt64(number) * 777)
            soak.add(RecordJournal.Entry(line: .record(record), object: object, received: received))
            if found.hosts.last?.host != record.host {
                found.hosts.append(JournalledHost(host: record.host, firstIndex: record.index, at: received))
            }
            found.hosts[found.hosts.count - 1].last = received
            found.last = received
        }
        history(&found)
        return soak.finish(found)
    }

    @Test("latency is from admission to the end of the first attempt, by the host's clock, and counts where it ended")
    func latency() throws {
        let run = try soak([
            record(
                1,
                "host.started",
                ["app": "Shop", "manifestVersion": "3", "holds": [:], "revision": 0, "epoch": 0]
            ),
            record(2, "event.admitted", event(1, ["eventKind": "push"])),
            record(3, "event.admitted", event(2, ["eventKind": "url"])),
            record(4, "dispatch.ended", event(1, ["attempt": 1, "outcome": "applied"])),
            record(
                5,
                "gate.parked",
                event(
                    2,
                    [
                        "attempt": 1, "revision": 0, "epoch": 0, "precondition": "signedIn", "flow": "auth",
                        "destination": ["id": "cart", "parameters": [:]],
                    ]
                )
            ),
            record(6, "dispatch.ended", event(2, ["attempt": 1, "outcome": "gated"])),
            record(7, "other.kind"), record(8, "other.kind"), record(9, "other.kind"), record(10, "other.kind"),
            record(11, "other.kind"), record(12, "event.admitted", event(3)),
            record(13, "dispatch.ended", event(2, ["attempt": 2, "outcome": "applied"])),
        ])
        #expect(run.plan == nil && run.place.app == "Shop, manifest 3" && run.began == Self.began)
        // 20 ms and 30 ms; a resume does not count.
        #expect(run.latency.totalCount == 2)
        #expect(run.latency.valuesAreEquivalent(run.latency.max, 30_000_000))
        #expect(run.latencyByKind.mapValues(\.totalCount) == ["push": 1, "url": 1])
        #expect(run.intervals.map(\.sent) == [2, 1])
        #expect(run.intervals.map(\.answered) == [2, 0])
        #expect(run.intervals[0].outcomes == ["applied": 1, "gated": 1])
        #expect(run.intervals[0].percentiles.keys.sorted() == [50, 90, 100])
        #expect(run.intervals[1].percentiles == [:])
        #expect(run.intervals.compactMap(\.sample?.pending) == [0, 1])
        #expect(run.intervals.compactMap(\.sample?.parked) == [1, 1])
    }

    @Test("after a gap, events that were open before it count for nothing")
    func gap() throws {
        let run = try soak([
            record(1, "event.admitted", event(1)), record(7, "event.admitted", event(2)),
            record(8, "dispatch.ended", event(1, ["attempt": 1, "outcome": "applied"])),
            record(9, "dispatch.ended", event(2, ["attempt": 1, "outcome": "applied"])),
        ])
        #expect(run.latency.totalCount == 1)
        #expect(run.intervals.reduce(0) { $0 + $1.answered } == 2)
    }

    @Test("a host that went on after a crash has crashed, one that went on after a stop has not")
    func wentOn() throws {
        func soak(after ending: JournalledHost.Ending) throws -> SoakHost {
            let run = try self.soak([record(1, "host.started", ["holds": [:], "revision": 0, "epoch": 0])]) { history in
                history.hosts[0].runs = [JournalledHost.Run(next: 1, ending: .stopped), .init(next: 1, ending: ending)]
                history.hosts[0].restarts = 2
                history.hosts[0].ending = .running
            }
            return try #require(run.hosts.first)
        }
        let crashed = try soak(after: .killed(signal: 9))
        #expect(crashed.ending == .vanished("its process was killed by signal 9, and another one went on with it"))
        #expect(crashed.restarts == 2)
        #expect(try soak(after: .stopped).ending == .running)
    }

    @Test("events without an outcome when a process was killed were cut off; gaps and endings come from the journal")
    func killed() throws {
        let run = try soak([
            record(1, "event.admitted", event(1)), record(2, "event.admitted", event(2)),
            record(1, "host.started", host: "next", ["holds": [:], "revision": 0, "epoch": 0]),
        ]) { history in
            history.hosts[0].ending = .killed(signal: 9)
            history.hosts[0].gaps = [
                JournalGap(first: 3, last: 5, at: JournalTime(microseconds: Self.began + 5_000_000), cause: .rateLimit)
            ]
            history.hosts[1].ending = .running
        }
        #expect(run.hosts.map(\.id) == ["h", "next"])
        #expect(run.hosts.map(\.ending) == [.vanished("its process was killed by signal 9"), .running])
        #expect(run.hosts[0].gaps == [SoakHost.Gap(first: 3, last: 5, at: .seconds(5), cause: .rateLimit)])
        #expect(run.hosts.compactMap(\.report?.records) == [2, 1])
        #expect(run.intervals.reduce(0) { $0 + $1.cutOff } == 2)
    }

    @Test("a real host's records make a run that can be judged, with its scenes")
    func real() async throws {
        let host = try SceneHost(id: "real", manifest: try AppManifest.builtInShop())
        try host.connect(scene: "A")
        for _ in 0..<20 {
            let admission = try host.admit(Submission(.url("qcommerce://product/p1"), scene: "A"))
            _ = await host.receipt(of: admission)
        }
        await host.quiesce()
        await host.drain()
        let run = try soak(host.records.read(after: 0).records.map(\.json), every: .seconds(3600)) {
            $0.hosts[0].ending = .stopped
        }
        #expect(run.latency.totalCount == 20)
        #expect(run.intervals.map(\.answered) == [20])
        #expect(run.hosts.first?.ending == .stopped)
        #expect(run.hosts.first?.report?.verdicts.allSatisfy { $0.verdict == .holds } == true)
        let verdict = SoakVerdict(of: run)
        #expect(verdict.reasons.allSatisfy { !$0.isGuilt }, "\(verdict.reasons)")
    }
}
