/// What names a job across runs: the same piece of the same task, whatever was chosen before it.
///
/// A task is named by its way from the root of the run (the nth child of the mth child …), folded to 64 bits, so that two
/// schedules that differ only in the order of independent steps name their steps alike.
public struct EventID: Hashable, Sendable {
    /// The task, by its way from the root of the run.
    public let task: UInt64
    /// Which of its jobs, counted from 0.
    public let ordinal: UInt32

    public init(task: UInt64, ordinal: UInt32) {
        self.task = task
        self.ordinal = ordinal
    }
}

extension EventID {
    /// The event in one word, well mixed.
    var word: UInt64 {
        SplitMix.mix(task &+ UInt64(ordinal) &* SplitMix.golden)
    }
}
