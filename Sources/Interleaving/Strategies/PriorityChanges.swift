/// Probabilistic concurrency testing: each task has a random priority and the highest goes first; at d − 1 random steps, the priority of
/// the task about to go drops below all others.
///
/// One run finds a bug that needs d ordering constraints among n tasks in k steps with a probability of at least
/// 1 / (n · kᵈ⁻¹). Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, *A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs*, ASPLOS 2010. It holds tasks back for long, which a random walk hardly ever does.
package struct PriorityChanges: ExplorationStrategy {
    package let name: String
    /// How many ordering constraints the sought bug needs; at least 1.
    package let depth: Int

    private var random = SplitMix(seed: 0)
    /// By task: 0 until the task is first seen, then a large random number, and 1 to `depth` − 1 after a change.
    private var priorities: [UInt64] = []
    /// The steps of the changes, the earliest last.
    private var changes: [Int] = []

    /// - Parameter depth: How many ordering constraints the sought bug needs; less than 1 is taken as 1.
    package init(depth: Int) {
        self.depth = max(1, depth)
        name = "pct-\(max(1, depth))"
    }

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
        priorities.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        for _ in 1..<depth {
            let step = random.below(max(1, length))
            // Few changes: inserting in order needs no sort.
            changes.insert(step, at: changes.firstIndex { $0 <= step } ?? changes.endIndex)
        }
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        var highest = first(of: choices)
        // A change at a step without a choice applies at the next step with one.
        while let change = changes.last, change <= step {
            changes.removeLast()
            priorities[choices[highest].task] = UInt64(changes.count + 1)
            highest = first(of: choices)
        }
        return highest
    }

    /// The choice whose task has the highest priority.
    private mutating func first(of choices: Span<RunChoice>) -> Int {
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
