/// One step of a run: what was chosen, from how many, and what made it possible.
public struct RunStep: Hashable, Sendable {
    /// What was chosen.
    public let choice: RunChoice
    /// The position of the choice among everything that could happen, in the order enqueued: 0 is what a first-in-first-out run takes.
    public let position: Int
    /// How many things could happen.
    public let alternatives: Int
    /// The index of the step that enqueued this job; nil for the root of the run, for faults, and for jobs that time enabled.
    public let enabler: Int?
    /// Virtual time since the beginning of the run, in nanoseconds.
    public let time: Int64
    /// What came first, by its name, where something else was chosen.
    public let passedOver: RunEventID?

    /// - Parameters: As the properties.
    package init(
        choice: RunChoice,
        position: Int,
        alternatives: Int,
        enabler: Int?,
        time: Int64,
        passedOver: RunEventID? = nil
    ) {
        self.choice = choice
        self.position = position
        self.alternatives = alternatives
        self.enabler = enabler
        self.time = time
        self.passedOver = passedOver
    }
}

/// One thing that can happen next.
public struct RunChoice: Hashable, Sendable {
    /// The reasons why something can happen.
    public enum Kind: UInt8, Hashable, Sendable {
        /// A job was enqueued: a task starts, or goes on after a suspension. Or one was stopped, and goes on.
        case job
        /// A sleep ends. Of sleeps with the same deadline, any may end first; time moves only when nothing else can happen.
        case timer
        /// One of the ``SimulatedFaults`` happens, such as a cancellation.
        case fault
    }

    /// Its name, the same in every run.
    public let event: RunEventID
    /// The number of its task in this run, counted from 0 in the order of creation.
    public let task: Int
    /// The serial executor it runs on, numbered from 1 in the order of first use; 0 means none.
    public let executor: Int
    /// The priority of the job, as in `TaskPriority.rawValue`.
    public let priority: UInt8
    /// Why it can happen.
    public let kind: Kind

    package init(event: RunEventID, task: Int, executor: Int, priority: UInt8, kind: Kind) {
        self.event = event
        self.task = task
        self.executor = executor
        self.priority = priority
        self.kind = kind
    }
}

/// The name of a job, the same in every run: a piece of a task, whatever was chosen before it.
///
/// A task is named by its path from the root of the run (the nth child of the mth child …), hashed to 64 bits, so that two
/// schedules that differ only in the order of independent steps give their steps the same names.
public struct RunEventID: Hashable, Sendable {
    /// The task, by the hash of its path from the root of the run.
    public let task: UInt64
    /// Which of its jobs, counted from 0.
    public let ordinal: UInt32

    package init(task: UInt64, ordinal: UInt32) {
        self.task = task
        self.ordinal = ordinal
    }
}

extension RunEventID {
    /// A hash of the event.
    var word: UInt64 {
        SplitMix.mix(task &+ UInt64(ordinal) &* SplitMix.golden)
    }
}

/// Hashes two numbers, with the same result in every process: `Hasher` is seeded per process.
@inline(__always)
func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    SplitMix.mix((a ^ (b &* SplitMix.golden)) &+ SplitMix.golden)
}
