/// Uniform random walk: a choice is taken with a chance in proportion to how much its task, and the tasks it is still going
/// to begin, have left to do, so that each order of the whole run is about as likely as any other.
///
/// What is left is estimated from runs before: of the first few, every event's remaining steps are averaged. Source: Zhao,
/// Wolff, Mathur, Roychoudhury, *Selectively Uniform Concurrency Testing*, ASPLOS 2025.
public struct UniformWalk: Strategy {
    public let name = "urw"

    /// After so many runs the estimates stay as they are: more would cost more than they tell.
    static let learningRuns = firstRuns

    private var random = SplitMix(seed: 0)
    private var learned = 0
    /// By event: the sum of what was left over the runs it was seen in, and the number of these.
    private var sums = EventTable()
    private var counts = EventTable()
    /// By event: what is left, on average, this step included.
    private var remaining = EventTable()

    public init() {}

    public var isDivisible: Bool { true }

    public mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
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

    public mutating func end(_ steps: Span<Step>) {
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

    private func left(_ choice: Choice) -> Double {
        remaining[choice.event] ?? 1
    }

    /// For each step, how many its task and all tasks begun from here on took, this one included.
    private static func remainingSteps(of steps: [Step]) -> [Double] {
        var lastOfTask: [UInt64: Int] = [:]
        // What a step hands its remaining steps to: the task's step before, or for its first the step that began the task.
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
