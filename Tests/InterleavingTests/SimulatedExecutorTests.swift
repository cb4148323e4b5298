import Interleaving
import InterleavingTesting
import TestFixtures
import Testing

/// An actor of production code: whoever makes one may say where it runs, and nobody has to.
private actor Counter {
    private nonisolated let executor: SimulatedExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var count = 0
    /// How often others have counted between the two halves of ``addInTwo()``.
    private(set) var overtaken = 0

    init(executor: SimulatedExecutor = SimulatedExecutor(name: "counter")) {
        self.executor = executor
    }

    func add() {
        assertIsolated()
        preconditionIsolated()
        count += 1
    }

    func addInTwo() async {
        let before = count
        await Task.yield()
        assertIsolated()
        if count != before { overtaken += 1 }
        count += 1
    }
}

@Suite("Executors in a simulation and outside")
struct SimulatedExecutorTests {
    @Test(
        "an actor may be used outside, in a simulation and outside again, and runs each job once",
        arguments: SimulationSettings.Control.allCases
    )
    func mixed(control: SimulationSettings.Control) async throws {
        let counter = Counter()
        for _ in 0..<10 { await counter.add() }
        var options = ExplorationOptions(iterations: 200, seed: 1, determinismChecks: 0)
        options.settings.control = control
        for round in 1...3 {
            let found = try await explore(options) {
                async let one: Void = counter.addInTwo()
                async let other: Void = counter.add()
                _ = await (one, other)
            }
            #expect(found.failure == nil)
            #expect(found.hadChoices)
            #expect(await counter.count == 10 * round + 400 * round)
            await withTaskGroup { group in
                for _ in 0..<10 { group.addTask { await counter.add() } }
            }
        }
        #expect(await counter.count == 40 + 1_200)
        // Both orders happened, so the hops to it were choices.
        #expect((1..<600).contains(await counter.overtaken))
    }

    @Test("others use executors outside while a simulation runs", arguments: SimulationSettings.Control.allCases)
    func beside(control: SimulationSettings.Control) async throws {
        let (beside, executor) = (Counter(), SimulatedTaskExecutor())
        let isOver = Gate()
        let counted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    // At least so often, and as long as anything is explored.
                    while count < 100 || !isOver.isOpen {
                        await beside.add()
                        await withTaskExecutorPreference(executor) { await Task.yield() }
                        count += 1
                    }
                    return count
                }
            }
            var options = ExplorationOptions(iterations: 300, seed: 1)
            options.settings.control = control
            let found: Exploration
            do {
                // Also if it throws, or the others would never end.
                defer { isOver.open() }
                found = try await explore(options) {
                    let counter = Counter()
                    await withTaskExecutorPreference(executor) {
                        async let one: Void = counter.addInTwo()
                        async let other: Void = counter.addInTwo()
                        _ = await (one, other)
                    }
                    let count = await counter.count
                    if count != 2 { failRun("\(count) of 2") }
                }
            }
            #expect(found.failure == nil)
            #expect(found.runs == 300)
            return try await group.reduce(0, +)
        }
        #expect(await beside.count == counted)
    }

    @Test("an actor that is made with no executor is explored all the same", .interleavings(iterations: 100, seed: 1))
    func production() async {
        let counter = Counter()
        async let one: Void = counter.addInTwo()
        async let other: Void = counter.addInTwo()
        _ = await (one, other)
        #expect(await counter.count == 2)
    }

    @Test("a hop from another thread of a task of the simulation has escaped, and does not run outside")
    func escaped() async throws {
        let counter = Counter()
        var options = ExplorationOptions(iterations: 1, determinismChecks: 0)
        options.settings.allowsForeignThreads = true
        options.settings.escapePatience = 60_000
        let found = try await explore(options) { await counter.visit(Elsewhere()) }
        let verdict = try #require(found.failure?.verdict)
        #expect(verdict.kind == "escaped")
        #expect(verdict.description.contains("SimulatedExecutor “counter”"), "\(verdict)")
        #expect(await counter.count == 0)
    }
}

extension Counter {
    /// Comes back on a thread that knows nothing of the simulation.
    fileprivate func visit(_ other: Elsewhere) async {
        await other.enter()
        count += 1
    }
}

/// An actor whose executor has a thread of its own.
private actor Elsewhere {
    private nonisolated let executor = GatedExecutor(isOpen: true)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func enter() {}
}
