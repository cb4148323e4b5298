/// Why a body cannot be explored, and what would make it possible.
public enum ExplorationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nothing can be explored with `control: .system` on this system, which the text names.
    case unsupportedSystem(String)
    /// The body of an exploration started another exploration.
    case nested
    /// The system refused a thread. The error number is that of `pthread_create`.
    case noThread(errorNumber: Int32)
    /// The system refused memory for a run of so many steps.
    case noMemory(steps: Int)
    /// The system refused a process or a pipe. The error number is its `errno`.
    case noProcess(errorNumber: Int32)
    /// A worker process ended without a result. The text says how it ended.
    case workerLost(String)
    /// A signal from outside, and nothing that the body did, ended a worker process while it ran an order.
    case workerKilled(signal: Int32, order: ReplayCode)
    /// With the Swift runtime of this process, these primitives bypass the simulation.
    case escapes(primitives: [String])
    /// The order counts steps of another granularity than the settings say.
    case otherSteps(ReplayCode, SimulationSettings.Granularity)
    /// The order counts jobs that are stopped, and in this process none can be. The text says why.
    case cannotStop(SimulationSettings.Granularity, reason: String)
    /// The same seed and the same schedule gave two different runs.
    case nondeterministic(RunDifference)

    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .unsupportedSystem(let name):
            "explorations run on Linux with Swift 6.3: this is \(name). Run the tests on Linux, or leave these out with '#if os(Linux)'"
        case .nested: "a body that is being explored cannot explore: run the inner exploration separately"
        case .noThread(let number): "no thread for the simulation (error \(number)): the limit on threads was reached"
        case .noMemory(let steps): "no memory for a run of \(steps) steps: set maxSteps lower"
        case .noProcess(let number):
            "no process for a worker (error \(number)): the limit on processes or memory was reached; use fewer workers"
        case .workerLost(let text): "a worker process ended without a result: \(text)"
        case .workerKilled(let signal, let order):
            "a worker process was killed from outside (signal \(signal)), perhaps because memory ran out, while it ran the order \(order). This says nothing about the order: run it again, or use fewer workers"
        case .escapes(let primitives):
            "exploring is impossible in this process: \(primitives.joined(separator: ", ")) would run outside of the simulation. Build with the toolchain that this version was tested with (Swift 6.3; this is \(Build.current.toolchain)), or inject SimulatedExecutor and explore with control: .injected"
        case .otherSteps(let code, let granularity):
            "the order \(code) was found with granularity: .\(code.granularity), and the settings say .\(granularity): it counts other steps. Set granularity: .\(code.granularity) to repeat it"
        case .cannotStop(let granularity, let reason):
            "the order was found with granularity: .\(granularity), and here no job can be stopped in the middle: \(reason)"
        case .nondeterministic(let difference): difference.description
        }
    }
}

/// Where two runs of the same seed and schedule differ.
public struct RunDifference: Hashable, Sendable, CustomStringConvertible {
    /// The index of the first step that differs.
    public let step: Int
    /// The step in the first run; nil if that had already ended.
    public let first: RunStep?
    /// The step in the second run; nil if that had already ended.
    public let second: RunStep?

    /// - Returns: nil if the runs took the same steps.
    package init?(_ first: [RunStep], _ second: [RunStep]) {
        let count = min(first.count, second.count)
        let index = (0..<count).first { first[$0] != second[$0] } ?? count
        guard index < max(first.count, second.count) else { return nil }
        step = index
        self.first = index < first.count ? first[index] : nil
        self.second = index < second.count ? second[index] : nil
    }

    init(step: Int, first: RunStep?, second: RunStep?) {
        (self.step, self.first, self.second) = (step, first, second)
    }

    /// The two steps, and what usually makes a body depend on more than its seed.
    public var description: String {
        "the body is not deterministic: with the same seed and schedule, step \(step) was \(Self.text(first)) and then \(Self.text(second)). It depends on something other than the seed: \(Self.causes)"
    }

    /// What usually does that, as the end of a sentence.
    static let causes =
        "a real clock, another random number generator, the order of a Set or Dictionary (set \(DeterministicHashing.setting)), an address, or state that outlives a run"

    private static func text(_ step: RunStep?) -> String {
        guard let step else { return "the end" }
        return
            "task \(step.choice.task), piece \(step.choice.event.ordinal), one of \(step.alternatives) at \(step.time) ns"
    }
}
