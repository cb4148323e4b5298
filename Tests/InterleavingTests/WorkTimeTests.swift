import Basics
import Testing

@testable import Interleaving

/// Steps that take time let timeouts win.
@Suite("Work that takes time")
struct WorkTimeTests {
    /// Work of some steps without a clock, against a timeout. Fails if the timeout was first.
    private static func work(steps: Int, timeout: Duration) -> ExplorationBody {
        { _ in
            let wasFirst = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for _ in 0..<steps { await Task.yield() }
                    return true
                }
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return false
                }
                defer { group.cancelAll() }
                return await group.next()
            }
            if wasFirst == false { failRun("the timeout was first") }
        }
    }

    private static func options(_ takes: ClosedRange<Duration>, _ name: StrategyName = .portfolio) -> ExplorationOptions
    {
        ExplorationOptions(iterations: 500, seed: 1, strategy: name, settings: SimulationSettings(workTakes: takes))
    }

    @Test("by default no timeout overtakes work that uses no clock")
    func none() async throws {
        let found = try await explore(
            Self.options(.zero ... .zero),
            body: Self.work(steps: 20, timeout: .milliseconds(1))
        )
        #expect(found.failure == nil)
    }

    @Test("where steps take time, a timeout loses and wins, and what is found is repeated and made small")
    func both() async throws {
        let body = Self.work(steps: 10, timeout: .milliseconds(25))
        var options = Self.options(.zero ... .milliseconds(5))
        options.continuesAfterFailure = true
        let found = try await explore(options, body: body)
        #expect((10..<490).contains(found.failures))
        #expect(found.unseen?.contains("steps take time") == true)
        let failure = try #require(found.failure)
        let (shrunk, again) = try await withExplorationRunner(options.settings, body: body) { runner in
            (try runner.shrink(failure), runner.run(seed: failure.seed, schedule: failure.schedule))
        }
        #expect(again.traceHash == failure.traceHash && again.verdict == failure.verdict)
        #expect(shrunk.confirmation == .confirmed)
        // As with processes.
        options.workers = 2
        #expect(try await explore(options, body: body).traceHash == found.traceHash)
    }

    @Test("steps that take longer than a timeout lose to it in each run, and those that are shorter in none")
    func bounds() async throws {
        let body = Self.work(steps: 10, timeout: .milliseconds(25))
        var options = Self.options(.milliseconds(30) ... .milliseconds(40), .random)
        options.continuesAfterFailure = true
        #expect(try await explore(options, body: body).failures > 250)
        options.settings.workTakes = .zero ... .microseconds(100)
        #expect(try await explore(options, body: body).failures == 0)
    }

    @Test("a search in which steps take time is never complete, and says why")
    func incomplete() async throws {
        let found = try await explore(Self.options(.zero ... .milliseconds(5), .exhaustiveAll)) { await Task.yield() }
        #expect(!found.isComplete)
        #expect(found.summary == "not complete: steps take time, and how long they take is drawn, not explored")
    }

    @Test("a replay file keeps how long steps took, and refuses what is no range")
    func file() throws {
        let settings = SimulationSettings(workTakes: .microseconds(1) ... .milliseconds(5))
        let file = ReplayFile(test: "work", seed: 1, schedule: .firstInFirstOut, settings: settings)
        #expect(try ReplayFile(parsing: file.bytes) == file)
        #expect(file.settings().workTakes == settings.workTakes)
        let text = String(decoding: file.bytes, as: UTF8.self)
        for (wrong, problem) in [("9000000", "integer from 9000000"), ("-1", "integer from 0")] {
            let bytes = Array(text.replacing("1000,", with: "\(wrong),").utf8)
            #expect {
                try ReplayFile(parsing: bytes)
            } throws: {
                "\($0)".contains(problem)
            }
        }
    }

    @Test("a step takes as long wherever it comes, within the bounds, however wide they are")
    func durations() {
        var random = SplitMix(seed: 1)
        let ranges: [ClosedRange<Duration>] = [
            .zero ... .zero, .seconds(-5) ... .nanoseconds(3), .seconds(1) ... .seconds(1), .zero ... .seconds(1 << 62),
        ]
        for range in ranges {
            var work = WorkTime(range)
            for _ in 0..<1_000 {
                work.seed = random.next()
                let event = RunEventID(task: random.next(), ordinal: UInt32(truncatingIfNeeded: random.next()))
                let duration = work.duration(of: event)
                #expect(duration == work.duration(of: event))
                #expect(
                    duration >= max(0, range.lowerBound.nanoseconds) && duration <= max(0, range.upperBound.nanoseconds)
                )
            }
        }
        #expect(!WorkTime(.seconds(-2) ... .seconds(-1)).passes)
    }
}
