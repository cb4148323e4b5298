import Interleaving
import Testing

private actor Account {
    nonisolated let executor = SimulatedExecutor(name: "account")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var balance = 0
    func read() -> Int { balance }
    func write(_ value: Int) { balance = value }
}

/// The classes that failed and the classes that passed.
private struct Seen: Hashable {
    var failed: Set<UInt64> = []
    var passed: Set<UInt64> = []
}

@Suite("An exhaustive search of tasks and actors")
struct ExhaustiveEngineTests {
    struct Wrong: Error {}

    /// The classes that a search sees of a body, over all its runs.
    private func search(
        _ dependency: StepDependency,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> (seen: Seen, runs: Int) {
        let classes = Collected<(UInt64, Bool)>()
        var options = ExplorationOptions(
            iterations: 100_000,
            seed: 1,
            continuesAfterFailure: true,
            determinismChecks: 0
        )
        options.strategy = ExhaustiveSearch(dependency)
        options.observer = { _, steps, verdict in
            let name = classHash(of: steps.indices.map { steps[$0] }, under: .unisolated(.fifo))
            classes.append((name, verdict.isFailure))
        }
        let exploration = try await explore(options, body: body)
        // Each class was seen; of a stream that keeps two elements more could be asked for than that.
        let keeps = ["streams kept what nobody waited for", "used a stream twice"].contains { words in
            exploration.summary?.contains(words) == true
        }
        #expect(exploration.isComplete || keeps, "\(exploration.summary ?? "")")
        var seen = Seen()
        for (name, failed) in classes.takeAll() {
            if failed { seen.failed.insert(name) } else { seen.passed.insert(name) }
        }
        return (seen, exploration.runs)
    }

    /// Expects the search to see every class that trying every schedule sees, in fewer runs, and some of them to fail.
    private func compare(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let all = try await search(.everything, body)
        let reduced = try await search(.unisolated(.fifo), body)
        #expect(reduced.seen == all.seen)
        #expect(reduced.runs <= all.runs)
        #expect(!all.seen.failed.isEmpty)
        #expect(all.seen.failed.isDisjoint(with: all.seen.passed), "one class, two ends")
    }

    @Test("sees each class of a lost update")
    func lostUpdate() async throws {
        try await compare {
            let account = Account()
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        let balance = await account.read()
                        await account.write(balance + 1)
                    }
                }
            }
            if await account.read() != 2 { throw Wrong() }
        }
    }

    private actor Default {
        private(set) var balance = 0
        func write(_ value: Int) { balance = value }
    }

    @Test("is never complete if tasks hop to a default actor, which offers no choice", arguments: [0, 2])
    func defaultActor(workers: Int) async throws {
        let options = ExplorationOptions(
            iterations: 10_000,
            seed: 1,
            strategy: .exhaustive(preemptions: nil),
            settings: SimulationSettings(granularity: .jobs),
            workers: workers
        )
        let exploration = try await explore(options) {
            let account = Default()
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { await account.write(await account.balance + 1) } }
            }
        }
        #expect(!exploration.isComplete)
        #expect(exploration.summary?.contains("default actors") == true, "\(exploration.summary ?? "no summary")")
    }

    @Test("sees each order in which a group's children end")
    func group() async throws {
        try await compare {
            let (one, two) = (Account(), Account())
            let order = await withTaskGroup { group in
                for (number, account) in [one, two].enumerated() {
                    group.addTask {
                        await account.write(1)
                        return number
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            if order == [1, 0] { throw Wrong() }
        }
    }

    @Test("sees each order in which tasks write to a stream")
    func stream() async throws {
        try await compare {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            async let one: Void = {
                await Task.yield()
                continuation.yield(1)
            }()
            async let two: Void = { continuation.yield(2) }()
            var iterator = stream.makeAsyncIterator()
            let order = [await iterator.next(), await iterator.next()]
            _ = await (one, two)
            if order == [1, 2] { throw Wrong() }
        }
    }
}
