import Synchronization
import Testing

@testable import Interleaving

/// Jobs that are stopped in the middle.
@Suite("A job that is stopped", .enabled(if: SimulationSettings.reasonNotToStop == nil))
struct StopTests {
    /// An actor with the default executor.
    actor Store {
        private(set) var value = 0
        func read() -> Int { value }
        func publish(_ value: Int) { self.value = value }
        func add(_ amount: Int) { value += amount }
    }

    /// An actor whose executor is the simulation's.
    actor Known {
        nonisolated let executor = SimulatedExecutor(name: "known")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var log: [Int] = []
        func note(_ number: Int) { log.append(number) }
    }

    /// A number that tasks share.
    final class Number: Sendable {
        private let number = Atomic(0)
        var value: Int {
            get { number.load(ordering: .relaxed) }
            set { number.store(newValue, ordering: .relaxed) }
        }
    }

    struct Wrong: Error {}

    static func options(
        _ strategy: StrategyName,
        iterations: Int = 5_000,
        _ granularity: SimulationSettings.Granularity = .stops
    ) -> ExplorationOptions {
        var options = ExplorationOptions(iterations: iterations, seed: 1, strategy: strategy)
        options.settings.granularity = granularity
        return options
    }

    static let searching: [StrategyName] = [
        .random, .portfolio, .pct(depth: 3), .exhaustive(preemptions: nil), .exhaustiveAll,
    ]

    // MARK: What whole jobs hide

    /// A program that is wrong in some orders of its stops, and in none of its whole jobs.
    struct Hidden: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let broken: @Sendable () async throws -> Void
        let fixed: @Sendable () async throws -> Void
    }

    static let hidden = [
        Hidden(
            testDescription: "a child is assumed to come before what its parent does next",
            broken: {
                let store = Store()
                async let seen = store.read()
                await store.publish(1)
                if await seen == 0 { throw Wrong() }
            },
            fixed: {
                let store = Store()
                await store.publish(1)
                async let seen = store.read()
                if await seen == 0 { throw Wrong() }
            }
        ),
        Hidden(
            testDescription: "a default actor is read and then written",
            broken: {
                let store = Store()
                await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await store.publish(await store.read() + 1) } }
                }
                if await store.read() != 2 { throw Wrong() }
            },
            fixed: {
                let store = Store()
                await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await store.add(1) } }
                }
                if await store.read() != 2 { throw Wrong() }
            }
        ),
        Hidden(
            testDescription: "what an actor has done is seen before its caller has noted it",
            broken: {
                let store = Store()
                let noted = Number()
                async let writer: Void = {
                    await store.publish(1)
                    noted.value = 1
                }()
                async let wrong = {
                    let value = await store.read()
                    return value == 1 && noted.value == 0
                }()
                let isWrong = await wrong
                await writer
                if isWrong { throw Wrong() }
            },
            fixed: {
                let store = Store()
                let noted = Number()
                async let writer: Void = {
                    noted.value = 1
                    await store.publish(1)
                }()
                async let wrong = {
                    let value = await store.read()
                    return value == 1 && noted.value == 0
                }()
                let isWrong = await wrong
                await writer
                if isWrong { throw Wrong() }
            }
        ),
        Hidden(
            testDescription: "a task is woken before what it needs is there",
            broken: {
                let ready = Number()
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                async let wrong = {
                    for await _ in stream { return ready.value == 0 }
                    return false
                }()
                await Task.yield()
                continuation.yield()
                ready.value = 1
                if await wrong { throw Wrong() }
            },
            fixed: {
                let ready = Number()
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                async let wrong = {
                    for await _ in stream { return ready.value == 0 }
                    return false
                }()
                await Task.yield()
                ready.value = 1
                continuation.yield()
                if await wrong { throw Wrong() }
            }
        ),
        Hidden(
            testDescription: "an atomic is read and then written, with a scheduling point in between",
            broken: {
                let count = Number()
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let before = count.value
                            schedulingPoint()
                            count.value = before + 1
                        }
                    }
                }
                if count.value != 2 { throw Wrong() }
            },
            fixed: {
                let count = Number()
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask {
                            schedulingPoint()
                            count.value += 1
                        }
                    }
                }
                if count.value != 2 { throw Wrong() }
            }
        ),
    ]

    @Test("lets others come in between, which every kind of search finds", arguments: hidden, searching)
    func found(_ program: Hidden, _ strategy: StrategyName) async throws {
        let exploration = try await explore(Self.options(strategy), body: program.broken)
        let failure = try #require(exploration.failure, "\(exploration.summary ?? "") \(exploration.runs)")
        #expect(failure.verdict.kind == "failed", "\(failure.verdict)")
        #expect(!exploration.isComplete)
        // The same order, the same steps; and first in, first out nothing comes in between.
        let again = try await replay(failure.code, settings: Self.options(strategy).settings) { _ in
            try await program.broken()
        }
        #expect(again.verdict == failure.verdict && again.steps == failure.steps)
        #expect(again.traceHash == failure.traceHash)
        #expect(exploration.firstFailure != 0)
        // Nobody could have seen it with whole jobs.
        let whole = try await explore(Self.options(.exhaustiveAll, .jobs), body: program.broken)
        #expect(whole.failure == nil, "\(whole.failure?.verdict.description ?? "")")
    }

    @Test("makes no right program fail", arguments: hidden, [StrategyName.portfolio, .exhaustiveAll])
    func right(_ program: Hidden, _ strategy: StrategyName) async throws {
        let exploration = try await explore(Self.options(strategy), body: program.fixed)
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(exploration.unseen == nil)
        if strategy == .exhaustiveAll {
            #expect(exploration.isComplete, "\(exploration.summary ?? "") \(exploration.runs)")
            #expect(exploration.summary?.contains("schedules with stops") == true, "\(exploration.summary ?? "")")
        }
    }

    @Test("fails in a way that becomes small, and is confirmed by two replays", arguments: hidden)
    func shrunk(_ program: Hidden) async throws {
        let options = Self.options(.random)
        let text = try await withExplorationRunner(options.settings, body: { _ in try await program.broken() }) {
            runner in
            let exploration = try runner.explore(options)
            guard let failure = exploration.failure else { return "not found" }
            let report = try runner.report(on: failure, of: exploration, title: "") { "INTERLEAVING_REPLAY=\($0)" }
            // Something comes in between once, or before its turn and in between.
            guard 1...3 ~= report.failure.schedule.deviations.count else { return "\(report.failure.schedule)" }
            return report.summary
        }
        #expect(text.contains("confirmed by two replays"), "\(text)")
        #expect(text.contains("INTERLEAVING_REPLAY=2-"), "\(text)")
        #expect(text.contains("StopTests.swift:"), "\(text)")
    }
}
