// The body of a run is given a generator, so its module comes with this one.
@_exported public import Basics

/// The code that is explored. It is given the random numbers of its run, and must not depend on anything else that differs from run to
/// run.
public typealias ExplorationBody = @Sendable (SplitMix) async throws -> Void

/// One run of a body: its seed, its steps and how it ended.
public struct ExploredRun: Sendable {
    /// The seed of the run's data.
    public let seed: UInt64
    /// The name of the strategy that chose.
    public let strategy: String
    /// What happened, in order.
    public let steps: [RunStep]
    /// How it ended.
    public let verdict: RunVerdict
    /// Where its jobs were stopped, which its steps depend on.
    public internal(set) var granularity = SimulationSettings.Granularity.jobs
    /// What its steps did with what tasks share; nothing is known of a run of another process.
    package internal(set) var accesses = RunAccesses()
    /// Whether it ended the process that made it, and would end another.
    package internal(set) var hasEndedItsProcess = false
    /// What ``labels()`` needs to know of its steps.
    var trail = RunTrail()

    package init(seed: UInt64, strategy: String, steps: [RunStep], verdict: RunVerdict) {
        self.seed = seed
        self.strategy = strategy
        self.steps = steps
        self.verdict = verdict
    }

    /// Whether it would end a process that repeats it, because it cannot be left.
    package func endsItsProcess(with settings: SimulationSettings) -> Bool {
        hasEndedItsProcess || verdict.isFatal && settings.effectiveGranularity == .jobs
    }

    /// The order of the run, for a replay.
    public var schedule: RunSchedule { RunSchedule(following: steps) }

    /// The run as one word, for a replay.
    public var code: ReplayCode { ReplayCode(seed: seed, schedule: schedule, granularity: granularity) }

    /// Why a replay of a code says little, in words: steps at which the code deviates did not come. Nil if they did.
    public func misfit(with code: ReplayCode) -> String? { misfit(with: code, search: nil) }

    /// The same, with the command that explores again what was replayed.
    package func misfit(with code: ReplayCode, search: String?) -> String? {
        let missed = code.schedule.missed(by: steps)
        guard missed > 0 else { return nil }
        let setting = DeterministicHashing.setting
        let instead =
            DeterministicHashing.isSet
            ? "here \(setting) is set, and it may not have been where the order was found"
            : "find the order and repeat it with \(setting) set, and a Set or Dictionary has the same in every process"
        return
            "\(missed) of the \(code.schedule.deviations.count) deviations of \(code) fit no step: it is the order of other code, of another test, or of a process in which a Set or Dictionary had another order (\(instead))"
            + (search.map { ". To find it again: \(setting) \($0)" } ?? "")
    }

    /// A hash of the steps, the same in every process: two runs with the same hash took the same steps.
    public var traceHash: UInt64 { steps.elements.traceHash }
}

extension Span<RunStep> {
    /// A hash of the steps, the same in every process.
    public var traceHash: UInt64 {
        var hash = UInt64(count)
        for index in indices {
            let step = self[index]
            hash = mix(hash, step.choice.event.task)
            hash = mix(
                hash,
                UInt64(step.choice.event.ordinal) << 32 | UInt64(step.choice.executor & 0xffff) << 16
                    | UInt64(step.choice.kind.rawValue) << 8 | UInt64(step.choice.priority)
            )
            hash = mix(hash, UInt64(step.alternatives) << 32 | UInt64(step.position))
            hash = mix(hash, UInt64(bitPattern: step.time))
        }
        return hash
    }
}

/// What a run leaves behind for the labels of its steps.
struct RunTrail: Hashable, Sendable {
    /// Where in the code each step went on; addresses of this process.
    var places: [UInt] = []
    /// The names of its tasks, from number 0.
    var tasks: [String?] = []
    /// The names of its serial executors, from number 1.
    var executors: [String] = []
    /// What happened at the steps that were faults.
    var notes: [Int: String] = [:]
    /// The numbers of what are no tasks, but what tasks that yield go on after.
    var yields: Set<Int> = []
    /// Where the tasks go on that its verdict says wait, by their numbers; addresses of this process.
    var waits: [Int: UInt] = [:]
}
