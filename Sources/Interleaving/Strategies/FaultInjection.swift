/// Takes faults at a few random steps of a run, and leaves the choice among jobs to another strategy.
///
/// Most steps offer more faults than jobs, so a strategy that treated all choices alike would nearly always take its faults in the first few
/// steps. This one draws the number of faults, from none to the limit, and their steps, each uniformly.
package struct FaultInjection: ExplorationStrategy {
    /// The strategy that chooses among the jobs.
    package private(set) var base: any ExplorationStrategy
    /// The most faults to take in a run.
    package let limit: Int

    private var random = SplitMix(seed: 0)
    /// The steps at or after which the next fault is taken, the earliest last.
    private var moments: [Int] = []

    /// - Parameter limit: The most faults to take in a run, at least 0.
    package init(_ base: any ExplorationStrategy, limit: Int) {
        self.base = base
        self.limit = max(0, limit)
    }

    package var name: String { base.name }
    package var isDivisible: Bool { base.isDivisible }
    package var isExhausted: Bool { base.isExhausted }

    package mutating func next(run: Int) { base.next(run: run) }

    package mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: mix(seed, 0xFA))
        // A run has at most as many faults as steps.
        let count = random.below(min(limit, length) + 1)
        moments = (0..<count).map { _ in random.below(max(1, length)) }.sorted(by: >)
        base.begin(seed: seed, length: length)
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        var jobs = choices.count
        while jobs > 0, choices[jobs - 1].kind == .fault { jobs -= 1 }
        if jobs < choices.count, let moment = moments.last, moment <= step {
            moments.removeLast()
            return jobs + random.below(choices.count - jobs)
        }
        return jobs > 1 ? base.choose(among: choices.extracting(0..<jobs), at: step) : 0
    }

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) { base.end(steps, accesses) }
}
