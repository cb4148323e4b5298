import Testing

@testable import Interleaving

/// How runs end is counted, each end with an order that leads to it.
@Suite struct EndTests {
    private actor Account {
        nonisolated let executor = SimulatedExecutor(name: "account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var names: [Int] = []
        func add(_ name: Int) { names.append(name) }
    }

    /// The orders in which three tasks came; one of them is wrong.
    private static func body(_ last: Guarded<String>) -> @Sendable () async throws -> Void {
        {
            let account = Account()
            await withTaskGroup { group in
                for name in 1...3 { group.addTask { await account.add(name) } }
            }
            let order = await account.names.map(String.init).joined()
            last.withLock { $0 = order }
            if order == "321" { throw CancellationError() }
        }
    }

    @Test(
        "each end once, with as many runs as ended so, and its order leads there again",
        arguments: ["portfolio", "exhaustive"]
    )
    func counted(strategy: String) async throws {
        let last = Guarded("")
        let seen = Guarded<[String: Int]>([:])
        var options = ExplorationOptions(iterations: 400, seed: 5, continuesAfterFailure: true)
        options.strategyName = try StrategyName(strategy)
        options.observer = { _, _, _ in
            let end = last.withLock { $0 }
            seen.withLock { $0[end, default: 0] += 1 }
        }
        options.end = { _ in last.withLock { $0 } }
        let found = try await explore(options, body: Self.body(last))
        let ends = found.ends.all
        #expect(
            ends.count == 6 && Dictionary(uniqueKeysWithValues: ends.map { ($0.text, $0.runs) }) == seen.withLock { $0 }
        )
        #expect(found.ends.runs == found.runs && found.ends.others == 0)
        #expect(ends.filter(\.isFailure).map(\.text) == ["321"])
        #expect(ends.map(\.runs) == ends.map(\.runs).sorted(by: >))
        for end in ends {
            let run = try await replay(end.code.schedule, seed: end.code.seed) { _ in try await Self.body(last)() }
            #expect(last.withLock { $0 } == end.text && run.verdict.isFailure == end.isFailure)
        }
    }

    @Test("ends beyond the most that are kept are counted as others, and no run is lost or counted twice")
    func others() {
        let code = ReplayCode(seed: 1, schedule: RunSchedule([]))
        func ends(_ numbers: some Sequence<Int>) -> ExploredEnds {
            var ends = ExploredEnds()
            for number in numbers { ends.count("\(number % 1_500)", failed: false, run: number, code) }
            return ends
        }
        let whole = ends(0..<6_000)
        #expect(whole.all.count == ExploredEnds.maxKept && whole.runs == 6_000 && whole.others == 2_000)
        var halves = ends(stride(from: 0, to: 6_000, by: 2))
        halves.merge(ends(stride(from: 1, to: 6_000, by: 2)))
        #expect(halves.all.count == ExploredEnds.maxKept && halves.runs == 6_000)
    }

    @Test("the example is the run with the fewest deviations, whoever counted it")
    func example() {
        let orders = [3, 1, 2, 1].map { count in
            ReplayCode(seed: 1, schedule: RunSchedule((0..<count).map { RunDeviation(step: $0, position: 1) }))
        }
        var all = ExploredEnds()
        for (number, code) in orders.enumerated() { all.count("same", failed: true, run: number, code) }
        var (odd, even) = (ExploredEnds(), ExploredEnds())
        for (number, code) in orders.enumerated().reversed() {
            if number % 2 == 0 {
                even.count("same", failed: true, run: number, code)
            } else {
                odd.count("same", failed: true, run: number, code)
            }
        }
        even.merge(odd)
        #expect(all.all.map(\.example) == [1] && even.all == all.all && all.all.first?.runs == 4)
    }
}
