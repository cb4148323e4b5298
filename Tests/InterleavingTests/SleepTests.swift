import Dispatch
import Foundation
import Glibc
import InterleavingTesting
import Testing

@testable import Interleaving

/// What blocks its thread for a time lets others go on, and takes virtual time.
@Suite(
    "A sleep of a thread",
    .serialized,
    .enabled(if: SimulationSettings.reasonNotToStop == nil, "jobs cannot be stopped here")
)
struct SleepTests {
    /// A way to sleep. None of these tests could pass if one of them took real time.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case usleep, nanosleep, clockNanosleep, untilMoment, sleep, thrdSleep, thread, threadUntil, poll, ppoll, select,
            pselect

        var testDescription: String { rawValue }

        /// Those of Foundation do nothing where no time is given.
        var isOfFoundation: Bool { self == .thread || self == .threadUntil }

        func sleep(seconds: Int) {
            var time = timespec(tv_sec: seconds, tv_nsec: 0)
            switch self {
            case .usleep: _ = Glibc.usleep(UInt32(seconds) * 1_000_000)
            case .nanosleep: _ = Glibc.nanosleep(&time, nil)
            case .clockNanosleep: _ = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
            case .untilMoment:
                clock_gettime(CLOCK_REALTIME, &time)
                time.tv_sec += seconds
                _ = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nil)
            case .sleep: _ = Glibc.sleep(UInt32(seconds))
            case .thrdSleep: _ = libcThreadSleep(&time, nil)
            case .thread: Thread.sleep(forTimeInterval: TimeInterval(seconds))
            case .threadUntil: Thread.sleep(until: Date(timeIntervalSinceNow: TimeInterval(seconds)))
            case .poll: _ = Glibc.poll(nil, 0, Int32(seconds) * 1_000)
            case .ppoll: _ = libcPoll(nil, 0, &time, nil)
            case .select:
                var limit = timeval(tv_sec: seconds, tv_usec: 0)
                _ = Glibc.select(0, nil, nil, nil, &limit)
            case .pselect: _ = Glibc.pselect(0, nil, nil, nil, &time, nil)
            }
        }
    }

    private static let stopping: [SimulationSettings.Granularity] = [.stops, .locks]

    @Test("lets others go on, so a loop that polls ends, in each order", arguments: Way.allCases, stopping)
    func polling(way: Way, granularity: SimulationSettings.Granularity) async throws {
        let waited = Collected<Bool>()
        let found = try await explore(StopTests.options(.exhaustiveAll, iterations: 10_000, granularity)) {
            let isDone = StopTests.Number()
            async let other: Void = { isDone.value = 1 }()
            waited.append(isDone.value == 0)
            while isDone.value == 0 { way.sleep(seconds: 1_000) }
            await other
        }
        #expect(
            found.failure == nil && found.isComplete,
            "\(found.failure?.verdict.description ?? found.summary ?? "")"
        )
        #expect(found.summary?.contains("if work takes no time") == true, "\(found.summary ?? "")")
        #expect(Set(waited.takeAll()) == [true, false])
    }

    @Test("takes as long as it says, in virtual time, also where jobs run whole", arguments: Way.allCases)
    func time(way: Way) async throws {
        for granularity in SimulationSettings.Granularity.allCases {
            let found = try await explore(StopTests.options(.random, iterations: 20, granularity)) {
                let start = ContinuousClock.now
                async let other: Void = Task.sleep(for: .seconds(500))
                way.sleep(seconds: 1_000)
                let slept = ContinuousClock.now - start
                if slept != .seconds(1_000) { failRun("it took \(slept)") }
                try? await other
                // Where jobs run whole, the other one had not begun.
                if granularity != .jobs, ContinuousClock.now - start != slept {
                    failRun("the other one slept after it, not meanwhile")
                }
            }
            #expect(found.failure == nil, "\(granularity): \(found.failure?.verdict.description ?? "")")
        }
    }

    @Test("the shorter one of two is over first, in each order", arguments: Way.allCases)
    func deadlines(way: Way) async throws {
        let found = try await explore(StopTests.options(.exhaustiveAll, iterations: 10_000, .stops)) {
            let order = Collected<Int>()
            await withTaskGroup { group in
                for seconds in [2, 1, 3] {
                    group.addTask {
                        way.sleep(seconds: seconds)
                        order.append(seconds)
                    }
                }
            }
            let all = order.takeAll()
            if all != [1, 2, 3] { failRun("\(all)") }
        }
        #expect(found.failure == nil, "\(found.failure?.verdict.description ?? "")")
    }

    @Test(
        "a loop that polls for what never comes is a livelock, and so is one that does not sleep at all",
        arguments: [0, 1]
    )
    func forever(seconds: Int) async throws {
        for way in Way.allCases where seconds > 0 || !way.isOfFoundation {
            let run = try await replay(.firstInFirstOut, settings: SimulationSettings(maxSteps: 400)) {
                async let other: Void = { while true { way.sleep(seconds: seconds) } }()
                while true { way.sleep(seconds: seconds) }
                await other
            }
            #expect(run.verdict == .livelock(steps: 400), "\(way): \(run.verdict)")
        }
    }

    @Test("a run with one is repeated step by step, and what is found there is made small", arguments: Way.allCases)
    func repeated(way: Way) async throws {
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<3 {
                    group.addTask {
                        way.sleep(seconds: 1)
                        order.append(number)
                    }
                }
            }
            if order.takeAll() != [0, 1, 2] { failRun("out of order") }
        }
        let found = try await explore(StopTests.options(.random, iterations: 200, .stops), body: body)
        let failure = try #require(found.failure)
        let report = try await withExplorationRunner(SimulationSettings(granularity: .stops), body: body) { runner in
            try runner.report(on: failure, of: found, title: "sleep") { "\($0)" }
        }
        #expect(report.failure.confirmation == .confirmed)
        #expect(report.text().contains("SleepTests.swift:"), "\(report.text())")
    }

    @Test("who sleeps keeps its lock and its actor", arguments: Way.allCases)
    func keeps(way: Way) async throws {
        let found = try await explore(StopTests.options(.exhaustiveAll, iterations: 10_000, .stops)) {
            let lock = NSLock()
            let inside = StopTests.Number()
            let sleeper = Sleeper()
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        lock.withLock {
                            inside.value += 1
                            way.sleep(seconds: 1)
                            if inside.value != 1 { failRun("both have the lock") }
                            inside.value -= 1
                        }
                    }
                    group.addTask { if await sleeper.sleep(way) != 1 { failRun("both are in the actor") } }
                }
            }
        }
        #expect(found.failure == nil, "\(found.failure?.verdict.description ?? "")")
    }

    private actor Sleeper {
        nonisolated let executor = SimulatedExecutor(name: "sleeper")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var inside = 0

        func sleep(_ way: Way) -> Int {
            inside += 1
            defer { inside -= 1 }
            way.sleep(seconds: 1)
            return inside
        }
    }

    private enum Global {
        static let slow: Int = {
            Glibc.usleep(1_000_000)
            return 1
        }()
    }

    @Test(
        "in the making of a global variable it takes no time, as in the runs that find it made, and nobody is blocked"
    )
    func global() async throws {
        let found = try await explore(StopTests.options(.random, iterations: 20, .stops)) {
            let start = ContinuousClock.now
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { if Global.slow != 1 { failRun("not made") } } }
            }
            if ContinuousClock.now != start { failRun("it took time") }
        }
        #expect(found.failure == nil, "\(found.failure?.verdict.description ?? "")")
    }

    @Test(
        "where jobs run whole no search is complete beside one, which is named with its line",
        arguments: Way.allCases
    )
    func whole(way: Way) async throws {
        for strategy in [StrategyName.exhaustiveAll, .exhaustive(preemptions: nil), .random] {
            let found = try await explore(StopTests.options(strategy, iterations: 100, .jobs)) {
                async let other: Void = Task.yield()
                way.sleep(seconds: 1)
                await other
            }
            #expect(!found.isComplete && found.failure == nil)
            let unseen = try #require(found.unseen)
            let match = try #require(
                unseen.firstMatch(of: #/^[a-z_]+ at SleepTests.swift:([0-9]+) slept in a job that runs whole/#),
                "\(unseen)"
            )
            let place = try #require(Int(match.1))
            #expect(unseen.contains("set granularity: .stops") && (25...50).contains(place), "\(unseen)")
        }
    }

    @Test("what is no time is refused as ever, and does not sleep")
    func refused() async throws {
        let run = try await replay(.firstInFirstOut) {
            var wrong = timespec(tv_sec: 0, tv_nsec: -1)
            let start = ContinuousClock.now
            if nanosleep(&wrong, nil) != -1 || errno != EINVAL { failRun("nanosleep took it") }
            if clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, nil) != EINVAL { failRun("clock_nanosleep took it") }
            if ContinuousClock.now != start { failRun("time went on") }
        }
        #expect(run.verdict == .passed)
    }

    @Test("who sleeps for ever behind the body is a leak that says so, and the next run is not harmed")
    func leak() async throws {
        let settings = SimulationSettings(maxSteps: 200)
        for _ in 0..<3 {
            let run = try await replay(.firstInFirstOut, settings: settings) {
                Task(name: "long") { while true { Glibc.sleep(1_000) } }
                Task(name: "short") { while true { Glibc.sleep(1) } }
            }
            let verdict = "\(run.verdict)"
            #expect(run.verdict.kind == "task-leak" && verdict.contains("“long” sleeps in "), "\(verdict)")
        }
        #expect(try await replay(.firstInFirstOut, settings: settings) { await Task.yield() }.verdict == .passed)
    }

    @Test("outside of a simulation it takes real time")
    func outside() {
        let clock = ContinuousClock()
        #expect(clock.measure { usleep(2_000) } >= .milliseconds(2))
        #expect(clock.measure { _ = poll(nil, 0, 2) } >= .milliseconds(2))
    }
}

// The module of the C library leaves these out.
@_silgen_name("thrd_sleep")
private func libcThreadSleep(_ duration: UnsafePointer<timespec>, _ rest: UnsafeMutablePointer<timespec>?) -> CInt

@_silgen_name("ppoll")
private func libcPoll(
    _ files: UnsafeMutablePointer<pollfd>?,
    _ count: nfds_t,
    _ limit: UnsafePointer<timespec>,
    _ mask: UnsafePointer<sigset_t>?
) -> CInt
