import Interleaving

extension ToyProgram {
    /// Pairs of tasks that fail only if in each pair the second task reaches the pair's actor first. In between are tasks that do not
    /// matter: all first tasks begin first, then these, then all second tasks.
    static func swappedPairs(_ pairs: Int, noise: Int = 0) -> ToyProgram {
        let firsts = (0..<pairs).map { pair in [Step(executor: pair + 1) { $0.values[pair] = 1 }] }
        let others = (0..<noise).map { _ in [Step(executor: 7), Step(executor: 0)] }
        let seconds = (0..<pairs).map { pair in
            // An extra hop, so that either task can reach the actor first.
            [Step(executor: 0), Step(executor: pair + 1) { if $0.values[pair] == 0 { $0.values[7] += 1 } }]
        }
        let children = firsts.map { [Step(executor: 0)] + $0 } + others + seconds
        return ToyProgram(
            tasks: [[Step(executor: 0, begins: Array(1..<children.count + 1))]] + children,
            check: { $0.values[7] == pairs && $0.values[..<pairs].allSatisfy { $0 == 1 } ? "\(pairs) swapped" : nil }
        )
    }

    /// Runs it for a shrinker: event n is task n + 1.
    func trial(_ strategy: any ExplorationStrategy, without deleted: Set<Int>) -> Trial {
        func opened(_ strategy: some ExplorationStrategy) -> ToyRun {
            var strategy = strategy
            return self.run(&strategy, without: Set(deleted.map { $0 + 1 }))
        }
        let run = opened(strategy) as ToyRun
        return Trial(steps: run.steps, failure: run.failure)
    }

    /// The first failing run of a portfolio.
    func firstFailure(seed: UInt64, within runs: Int = 20_000) -> Trial? {
        var portfolio = Portfolio()
        var random = SplitMix(seed: seed)
        for _ in 0..<runs {
            let run = run(&portfolio, seed: random.next())
            if run.failure != nil { return Trial(steps: run.steps, failure: run.failure) }
        }
        return nil
    }
}
