/// Uniform random walk: the probability of a choice is proportional to the steps that its task, and the tasks it will still
/// begin, have left. So all orders of the whole run are about equally likely.
///
/// The steps left are estimated: for each event, the average over the first few runs. Source: Zhao,
/// Wolff, Mathur, Roychoudhury, *Selectively Uniform Concurrency Testing*, ASPLOS 2025.
package struct UniformWalk: ExplorationStrategy {
    package let name = "urw"

    /// How many runs it learns from; more would cost more than they are worth.
    static let learningRuns = firstRuns

    private var random = SplitMix(seed: 0)
    private var learned = 0
    /// By event: the sum of the steps left, over the runs in which it was seen.
    private var sums = EventTable()
    /// By event: the number of runs in which it was seen.
    private var counts = EventTable()
    /// By event: the average number of steps left, this one included.
    private var remaining = EventTable()

    package init() {}

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        var total = 0.0
        for index in choices.indices { total += left(choices[index]) }
        // 53 random bits make a number from 0 up to 1.
        var point = Double(random.next() >> 11) * 0x1p-53 * total
        for index in choices.indices {
            point -= left(choices[index])
            if point < 0 { return index }
        }
        return choices.count - 1
    }

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {
        guard learned < Self.learningRuns else { return }
        learned += 1
        let left = Self.remainingSteps(of: Array(copying: steps))
        for index in steps.indices {
            let event = steps[index].choice.event
            let sum = (sums[event] ?? 0) + left[index]
            let count = (counts[event] ?? 0) + 1
            sums[event] = sum
            counts[event] = count
            remaining[event] = sum / count
        }
    }

    private func left(_ choice: RunChoice) -> Double {
        remaining[choice.event] ?? 1
    }

    /// For each step: how many steps its task and all tasks begun from here on took, this one included.
    private static func remainingSteps(of steps: [RunStep]) -> [Double] {
        var lastOfTask: [UInt64: Int] = [:]
        // The step to which a step adds its own count: the task's previous step, or the step that began the task.
        var before: [Int?] = []
        for index in steps.indices {
            let step = steps[index]
            before.append(lastOfTask[step.choice.event.task] ?? step.enabler)
            lastOfTask[step.choice.event.task] = index
        }
        var left = [Double](repeating: 1, count: steps.count)
        for index in steps.indices.reversed() {
            if let previous = before[index], previous < index { left[previous] += left[index] }
        }
        return left
    }
}
