/// Why there is no exploration, and what would make one possible.
public enum ExplorationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A body of one exploration began another.
    case nested
    /// The system gave no thread.
    case noThread(errorNumber: Int32)
    /// The system gave no memory for so many steps.
    case noMemory(steps: Int)
    /// The system gave no process.
    case noProcess(errorNumber: Int32)
    /// A worker process ended without a result. The text says how.
    case workerLost(String)
    /// These primitives do not go through the simulation with the Swift runtime of this process.
    case escapes(primitives: [String])
    /// The same seed and the same schedule did not give the same run.
    case nondeterministic(Difference)

    public var description: String {
        switch self {
        case .nested: "a body that is explored cannot explore: run the inner exploration on its own"
        case .noThread(let number): "no thread for the simulation (error \(number)): the limit of threads is reached"
        case .noMemory(let steps): "no memory for a run of \(steps) steps: set maxSteps lower"
        case .noProcess(let number):
            "no process for a worker (error \(number)): the limit of processes or of memory is reached; use fewer workers"
        case .workerLost(let text): "a worker process ended without a result: \(text)"
        case .escapes(let primitives):
            "exploring is impossible in this process: \(primitives.joined(separator: ", ")) would not run in the simulation. Build with the toolchain that this version was tested with (Swift 6.3), or inject SimulatedExecutor and explore with control: .injected"
        case .nondeterministic(let difference): difference.description
        }
    }
}

/// Where two runs of the same seed and schedule differ.
public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The index of the first step that differs.
    public let step: Int
    /// The step in the first run, or nil if that had ended.
    public let first: Step?
    /// The step in the second run, or nil if that had ended.
    public let second: Step?

    /// - Returns: nil if the runs took the same steps.
    public init?(_ first: [Step], _ second: [Step]) {
        let count = min(first.count, second.count)
        let index = (0..<count).first { first[$0] != second[$0] } ?? count
        guard index < max(first.count, second.count) else { return nil }
        step = index
        self.first = index < first.count ? first[index] : nil
        self.second = index < second.count ? second[index] : nil
    }

    init(step: Int, first: Step?, second: Step?) {
        (self.step, self.first, self.second) = (step, first, second)
    }

    public var description: String {
        "the body is not deterministic: with the same seed and schedule, step \(step) was \(Self.text(first)) and then \(Self.text(second)). It depends on something that is not the seed: a real clock, a random number of its own, the order of a Set or Dictionary (set SWIFT_DETERMINISTIC_HASHING=1), an address, or state that outlives a run"
    }

    private static func text(_ step: Step?) -> String {
        guard let step else { return "the end" }
        return
            "task \(step.choice.task), piece \(step.choice.event.ordinal), one of \(step.alternatives) at \(step.time) ns"
    }
}
