/// One step of a run: what was chosen, from how many, and what made it possible.
public struct Step: Hashable, Sendable {
    public let choice: Choice
    /// The position of the choice among what could happen, in the order enqueued: 0 is what a first-in-first-out run takes.
    public let position: Int
    /// How many things could happen.
    public let alternatives: Int
    /// The index of the step that enqueued this job; nil for the root of the run, for faults and for what time set free.
    public let enabler: Int?
    /// Virtual time since the beginning of the run, in nanoseconds.
    public let time: Int64
    /// The shared things beyond its serial executor that the step is known to have read or written, one bit for each, or for
    /// several; steps that share a bit are not taken as independent.
    public let touched: UInt64

    public init(
        choice: Choice,
        position: Int,
        alternatives: Int,
        enabler: Int?,
        time: Int64,
        touched: UInt64 = 0
    ) {
        self.choice = choice
        self.position = position
        self.alternatives = alternatives
        self.enabler = enabler
        self.time = time
        self.touched = touched
    }
}
