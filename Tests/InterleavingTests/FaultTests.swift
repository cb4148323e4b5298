import Interleaving
import Testing

/// Items that are taken in one step and handled in another.
private actor Store {
    nonisolated let executor = SimulatedExecutor(name: "store")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var waiting = [1, 2, 3]
    private(set) var handled: [Int] = []

    func take() -> Int? { waiting.popLast() }
    func handle(_ item: Int) { handled.append(item) }
    func putBack(_ item: Int) { waiting.append(item) }
    var known: Int { waiting.count + handled.count }
}

private struct Lost: Error, CustomStringConvertible {
    let description: String
}

@Suite("Faults")
struct FaultTests {
    private static func options(
        _ faults: SimulatedFaults,
        _ iterations: Int = 500,
        strategy: StrategyName = .portfolio
    ) -> ExplorationOptions {
        ExplorationOptions(
            iterations: iterations,
            seed: 11,
            strategy: strategy,
            settings: SimulationSettings(faults: faults)
        )
    }

    /// A worker that may be cancelled between taking an item and handling it.
    /// - Parameter isCareful: Whether it then puts the item back.
    private static func worker(isCareful: Bool) -> @Sendable () async throws -> Void {
        {
            let store = Store()
            let worker = Task {
                while let item = await store.take() {
                    do {
                        try await Task.sleep(for: .milliseconds(10))
                        await store.handle(item)
                    } catch {
                        if isCareful { await store.putBack(item) }
                        return
                    }
                }
            }
            await worker.value
            let known = await store.known
            if known != 3 { throw Lost(description: "\(3 - known) lost") }
        }
    }

    @Test("a cancellation finds an item that is lost between two awaits, and nothing else finds it")
    func lostItem() async throws {
        let body = Self.worker(isCareful: false)
        #expect(try await explore(Self.options(.none), body: body).failure == nil)

        let options = Self.options([.cancellation])
        let failure = try #require(try await explore(options, body: body).failure)
        #expect(failure.verdict == .failed("the body threw 1 lost"))
        let faults = failure.steps.filter { $0.choice.kind == .fault }
        #expect(faults.count == 1)
        #expect(faults.allSatisfy { $0.position > 0 && $0.choice.task > 0 })

        let again = try await replay(
            failure.schedule,
            seed: failure.seed,
            settings: options.settings,
            body: { (_: SplitMix) in try await body() }
        )
        #expect(again.verdict == failure.verdict)
        #expect(again.traceHash == failure.traceHash)
        let place = try #require(again.steps.firstIndex { $0.choice.kind == .fault })
        let label = again.labels()[place]
        #expect(label.function?.hasPrefix("is cancelled") == true)
    }

    @Test(
        "a body that handles its cancellation passes with every strategy, deterministically",
        arguments: [StrategyName.portfolio, .random, .pct(depth: 3), .exhaustive(preemptions: nil)]
    )
    func handledCancellation(_ strategy: StrategyName) async throws {
        var options = Self.options([.cancellation], 300, strategy: strategy)
        options.determinismChecks = 50
        let counted = Collected<Int>()
        options.observer = { _, steps, _ in
            counted.append(steps.indices.count { steps[$0].choice.kind == .fault })
        }
        let exploration = try await explore(options, body: Self.worker(isCareful: true))
        #expect(exploration.failure == nil)
        #expect(Set(counted.takeAll()) == [0, 1])
    }

    @Test("an exhaustive search finds the lost item, too, and is complete for the careful worker")
    func exhaustive() async throws {
        let options = Self.options([.cancellation], 5_000, strategy: .exhaustive(preemptions: nil))
        #expect(try await explore(options, body: Self.worker(isCareful: false)).failure != nil)
        let careful = try await explore(options, body: Self.worker(isCareful: true))
        #expect(careful.isComplete, "\(careful.summary ?? "")")
    }

    @Test("no run has more than the limit allows, and a first-in-first-out run has none", arguments: 0...3)
    func limit(_ limit: Int) async throws {
        let counted = Collected<Int>()
        let body: @Sendable () async -> Void = {
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { for _ in 0..<4 { await Task.yield() } } }
            }
        }
        var options = Self.options(SimulatedFaults([.cancellation], limit: limit))
        options.observer = { run, steps, _ in
            let count = steps.indices.count { steps[$0].choice.kind == .fault }
            if run == 0 { #expect(count == 0) }
            counted.append(count)
        }
        #expect(try await explore(options, body: body).failure == nil)
        #expect(Set(counted.takeAll()) == Set(0...limit))
    }

    @Test("shrinking leaves out the faults that the failure does not need")
    func shrinking() async throws {
        let body: ExplorationBody = { _ in
            let store = Store()
            await withTaskGroup { group in
                group.addTask {
                    guard let item = await store.take() else { return }
                    await Task.yield()
                    if !Task.isCancelled { await store.handle(item) }
                }
                group.addTask { for _ in 0..<6 { await Task.yield() } }
            }
            let known = await store.known
            if known != 3 { throw Lost(description: "\(3 - known) lost") }
        }
        let settings = SimulationSettings(
            faults: SimulatedFaults([.cancellation, .clockJump(by: [.seconds(1)])], limit: 4)
        )
        let counts = try await withExplorationRunner(settings, body: body) { runner in
            // Of many failures, the one with the most faults.
            var worst: ExploredRun?
            for seed in 0..<400 as Range<UInt64> {
                var strategy: any ExplorationStrategy = FaultInjection(RandomWalk(), limit: 4)
                strategy.begin(seed: seed, length: 16)
                let verdict = runner.run(seed: 1, strategy: &strategy)
                let run = ExploredRun(seed: 1, strategy: strategy.name, steps: runner.steps, verdict: verdict)
                if verdict.isFailure, run.faults > worst?.faults ?? 0 { worst = run }
            }
            guard let worst else { return [0, 0] }
            let shrunk = try runner.shrink(worst)
            return [worst.faults, runner.run(seed: 1, schedule: shrunk.schedule).faults]
        }
        #expect(counts[0] > 1)
        #expect(counts[1] == 1)
    }

    @Test("a jump of the clock finds a timeout that mistakes it for work that hangs")
    func clockJump() async throws {
        let body: @Sendable () async throws -> Void = {
            let start = ContinuousClock.now
            for _ in 0..<5 { await Task.yield() }
            if ContinuousClock.now - start > .seconds(5) { throw Lost(description: "timed out") }
        }
        #expect(try await explore(Self.options([.clockJump(by: [.seconds(1)])]), body: body).failure == nil)
        let options = Self.options([.clockJump(by: [.seconds(1), .seconds(60)])])
        let failure = try #require(try await explore(options, body: body).failure)
        #expect(failure.steps.contains { $0.choice.kind == .fault })
        #expect(failure.steps.last?.time == 60_000_000_000)
    }

    @Test("sleeps that a jump of the clock ends may end in any order")
    func jumpOverSleeps() async throws {
        let body: @Sendable () async throws -> Void = {
            let first = Collected<String>()
            await withTaskGroup { group in
                group.addTask {
                    try? await Task.sleep(for: .seconds(1))
                    first.append("work")
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(10))
                    first.append("timeout")
                }
                group.addTask { for _ in 0..<4 { await Task.yield() } }
            }
            if first.takeAll().first == "timeout" { throw Lost(description: "timed out") }
        }
        #expect(try await explore(Self.options(.none), body: body).failure == nil)
        #expect(try await explore(Self.options([.clockJump(by: [.seconds(20)])]), body: body).failure != nil)
    }

    @Test("a paused actor comes after the timeout, and nothing is lost")
    func slowExecutor() async throws {
        let orders = Collected<[String]>()
        let body: @Sendable () async throws -> Void = {
            let store = Store()
            let order = Collected<String>()
            await withTaskGroup { group in
                group.addTask {
                    while let item = await store.take() { await store.handle(item) }
                    order.append("done")
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(5))
                    order.append("timeout")
                }
            }
            let handled = await store.handled
            if handled != [3, 2, 1] { throw Lost(description: "\(handled)") }
            orders.append(order.takeAll())
        }
        var options = Self.options(.none)
        #expect(try await explore(options, body: body).failure == nil)
        #expect(Set(orders.takeAll()) == [["done", "timeout"]])
        options.settings.faults = [.slowExecutor(by: .seconds(60))]
        options.determinismChecks = 50
        let exploration = try await explore(options, body: body)
        #expect(exploration.failure == nil, "\(String(describing: exploration.failure?.verdict))")
        #expect(Set(orders.takeAll()) == [["done", "timeout"], ["timeout", "done"]])
    }

    @Test("a mailbox that lets jobs overtake each other finds the lost item, too", arguments: MailboxPolicy.allCases)
    func mailboxes(_ mailbox: MailboxPolicy) async throws {
        var options = Self.options([.cancellation, .slowExecutor(by: .seconds(1))])
        options.settings.mailbox = mailbox
        options.determinismChecks = 50
        #expect(try await explore(options, body: Self.worker(isCareful: true)).failure == nil)
        let failure = try #require(try await explore(options, body: Self.worker(isCareful: false)).failure)
        #expect(failure.verdict == .failed("the body threw 1 lost"))
    }

    @Test("faults happen in code that uses only injected executors, too")
    func injected() async throws {
        let executor = SimulatedTaskExecutor()
        let body: @Sendable () async throws -> Void = {
            let store = Store()
            await withTaskExecutorPreference(executor) {
                await withTaskGroup { group in
                    group.addTask {
                        guard let item = await store.take() else { return }
                        await Task.yield()
                        if !Task.isCancelled { await store.handle(item) }
                    }
                }
            }
            let known = await store.known
            if known != 3 { throw Lost(description: "\(3 - known) lost") }
        }
        var options = Self.options([.cancellation, .slowExecutor(by: .seconds(1))])
        options.settings.control = .injected
        let failure = try #require(try await explore(options, body: body).failure)
        #expect(failure.verdict == .failed("the body threw 1 lost"))
        options.settings.faults = [.slowExecutor(by: .seconds(1))]
        #expect(try await explore(options, body: body).failure == nil)
    }

    @Test("a replay file keeps them", arguments: MailboxPolicy.allCases)
    func file(_ mailbox: MailboxPolicy) throws {
        let faults = SimulatedFaults(
            [.cancellation, .slowExecutor(by: .seconds(2)), .clockJump(by: [.milliseconds(1), .seconds(9)])],
            limit: 3
        )
        let settings = SimulationSettings(mailbox: mailbox, faults: faults)
        let file = ReplayFile(test: "faults", seed: 1, schedule: RunSchedule(), settings: settings)
        let read = try ReplayFile(parsing: file.bytes)
        #expect(read == file)
        #expect(read.settings().faults == faults)
    }

    @Test(
        "a replay file with an unknown fault is an error that says what was expected",
        arguments: ["", "earthquake", "cancellation 1", "slow-executor", "clock-jump", "clock-jump -1", "clock-jump x"]
    )
    func badFile(_ fault: String) throws {
        let settings = SimulationSettings(faults: [.cancellation])
        let file = ReplayFile(test: "faults", seed: 1, schedule: RunSchedule(), settings: settings)
        let text = String(decoding: file.bytes, as: UTF8.self).replacing("\"cancellation\"", with: "\"\(fault)\"")
        #expect {
            try ReplayFile(parsing: Array(text.utf8))
        } throws: { error in
            "\(error)".contains("faults[0]: expected ") && "\(error)".contains("found \"\(fault)\"")
        }
    }

    @Test("durations that are not positive are left out")
    func nothing() {
        #expect(SimulatedFaults([.slowExecutor(by: .zero), .clockJump(by: [.seconds(-1)])]).isEmpty)
        #expect(SimulatedFaults([.cancellation], limit: -1).isEmpty)
        #expect(SimulatedFaults([.clockJump(by: [.zero, .seconds(1)])]).kinds == [.clockJump(by: [.seconds(1)])])
    }
}

extension ExploredRun {
    /// How many of its steps are faults.
    fileprivate var faults: Int { steps.count { $0.choice.kind == .fault } }
}
