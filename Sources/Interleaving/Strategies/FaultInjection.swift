/// Takes a fault at a few random steps of a run, and leaves the jobs to another strategy.
///
/// There are more faults than jobs at most steps, so that a strategy which took all choices for equal would nearly always take
/// them in the first few. This takes from none up to the limit of them, with equal chances, at steps with equal chances.
public struct FaultInjection: Strategy {
    /// Who chooses among the jobs.
    public private(set) var base: any Strategy
    /// The most faults to take in a run.
    public let limit: Int

    private var random = SplitMix(seed: 0)
    /// The steps from which on the next fault is taken, the earliest last.
    private var moments: [Int] = []

    /// - Parameter limit: The most faults to take in a run, at least 0.
    public init(_ base: any Strategy, limit: Int) {
        self.base = base
        self.limit = max(0, limit)
    }

    public var name: String { base.name }
    public var isDivisible: Bool { base.isDivisible }
    public var isExhausted: Bool { base.isExhausted }

    public mutating func next(run: Int) { base.next(run: run) }

    public mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: mix(seed, 0xFA))
        // More faults than steps are no more faults.
        let count = random.below(min(limit, length) + 1)
        moments = (0..<count).map { _ in random.below(max(1, length)) }.sorted(by: >)
        base.begin(seed: seed, length: length)
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        var jobs = choices.count
        while jobs > 0, choices[jobs - 1].kind == .fault { jobs -= 1 }
        if jobs < choices.count, let moment = moments.last, moment <= step {
            moments.removeLast()
            return jobs + random.below(choices.count - jobs)
        }
        return jobs > 1 ? base.choose(among: choices.extracting(0..<jobs), at: step) : 0
    }

    public mutating func end(_ steps: Span<Step>) { base.end(steps) }
}
