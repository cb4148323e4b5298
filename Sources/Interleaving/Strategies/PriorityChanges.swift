/// Probabilistic concurrency testing: each task has a random priority, the highest goes first, and at d − 1 random steps the
/// task about to go falls below all others.
///
/// A bug that needs d ordering constraints among n tasks in k steps is found by one run with a probability of at least
/// 1 / (n · kᵈ⁻¹). Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, *A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs*, ASPLOS 2010. It keeps tasks back for long, which a random walk never does.
public struct PriorityChanges: Strategy {
    public let name: String
    /// How many ordering constraints the sought bug needs; at least 1.
    public let depth: Int

    private var random = SplitMix(seed: 0)
    /// By task; 0 until it is first seen, from `depth` on as drawn, below that after a change.
    private var priorities: [UInt64] = []
    /// The steps of the changes, the earliest last.
    private var changes: [Int] = []

    /// - Parameter depth: How many ordering constraints the sought bug needs; less than 1 is taken as 1.
    public init(depth: Int) {
        self.depth = max(1, depth)
        name = "pct-\(max(1, depth))"
    }

    public var isDivisible: Bool { true }

    public mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
        priorities.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        for _ in 1..<depth {
            let step = random.below(max(1, length))
            // Few changes: inserting in order needs no sort.
            changes.insert(step, at: changes.firstIndex { $0 <= step } ?? changes.endIndex)
        }
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        var highest = first(of: choices)
        // A change at a step that had no choice counts at the next that has one: nobody could have gone before.
        while let change = changes.last, change <= step {
            changes.removeLast()
            priorities[choices[highest].task] = UInt64(changes.count + 1)
            highest = first(of: choices)
        }
        return highest
    }

    /// The choice whose task has the highest priority.
    private mutating func first(of choices: Span<Choice>) -> Int {
        var highest = 0
        var best: UInt64 = 0
        for index in choices.indices {
            let priority = priority(of: choices[index].task)
            if priority > best { (highest, best) = (index, priority) }
        }
        return highest
    }

    private mutating func priority(of task: Int) -> UInt64 {
        while priorities.count <= task { priorities.append(0) }
        if priorities[task] == 0 { priorities[task] = random.next() | (1 << 32) }
        return priorities[task]
    }
}
