/// What happened in one interval of a soak, which is as long as `--every` says.
package struct SoakInterval: Hashable, Sendable {
    /// Since the start of the soak.
    package var start: Duration
    package var length: Duration
    /// Whether it belongs to the warm-up, which is not counted.
    package var isWarmUp: Bool
    /// How many events were due in this time.
    package var due = 0
    /// How many events were sent in this time.
    package var sent = 0
    /// How many answers came in this time, receipts and refusals.
    package var answered = 0
    /// Receipts by outcome (`applied`, `gated`, …).
    package var outcomes: [String: Int] = [:]
    /// Refusals by the error's name (`QueueFull`, …).
    package var errors: [String: Int] = [:]
    /// How many calls lost their connection before they were answered.
    package var cutOff = 0
    /// Latency in nanoseconds at the plan's percentiles and at 100; empty if nothing was answered.
    package var percentiles: [Double: UInt64] = [:]
    /// The daemon at the end of this time; `nil` if it did not answer.
    package var sample: SoakSample?
}

/// What the daemon uses at one moment; `nil` where it does not say.
package struct SoakSample: Hashable, Sendable {
    /// The host's ID, which changes when the daemon restarts.
    package var host: String
    /// Resident memory, in bytes.
    package var resident: Int?
    /// Open file descriptors.
    package var descriptors: Int?
    package var threads: Int?
    /// Processor time since the daemon started.
    package var processorTime: Duration?
    /// Events admitted that have not settled, over all scenes.
    package var pending: Int?
    /// Events that wait for a precondition.
    package var parked: Int?
    package var coordinators: Int?
    package var scenes: Int?
    package var connections: Int?
}
