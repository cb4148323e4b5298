/// What happened in one stretch of a soak, `--every` long.
package struct SoakInterval: Hashable, Sendable {
    /// Since the beginning of the soak.
    package var start: Duration
    package var length: Duration
    /// Whether it belongs to the warm-up, which no percentile counts.
    package var isWarmUp: Bool
    /// How many events were due, were sent, and were answered in this time, be it with a receipt or with a refusal.
    package var due: Int
    package var sent: Int
    package var answered: Int
    /// Receipts by outcome (`applied`, `gated`, …), and refusals by the error's name (`QueueFull`, …).
    package var outcomes: [String: Int]
    package var errors: [String: Int]
    /// Events sent that no receipt will come for, because the connection or the daemon went away.
    package var cutOff: Int
    /// Latency in nanoseconds at the plan's percentiles and at 100; empty where nothing was answered.
    package var percentiles: [Double: UInt64]
    /// The daemon at the end of this time; `nil` where it did not answer.
    package var sample: SoakSample?

    package init(start: Duration, length: Duration, isWarmUp: Bool) {
        self.start = start
        self.length = length
        self.isWarmUp = isWarmUp
        due = 0
        sent = 0
        answered = 0
        outcomes = [:]
        errors = [:]
        cutOff = 0
        percentiles = [:]
        sample = nil
    }
}

/// What the daemon takes at one moment.
package struct SoakSample: Hashable, Sendable {
    /// The host's ID, which changes where the daemon was started anew.
    package var host: String
    /// Resident memory, in bytes.
    package var resident: Int?
    /// Open file descriptors, and threads.
    package var descriptors: Int?
    package var threads: Int?
    /// Time on the processors since it started.
    package var processorTime: Duration?
    /// Events admitted that have not settled, over all scenes.
    package var pending: Int?
    /// Intents parked, coordinators alive, scenes, connections.
    package var parked: Int?
    package var coordinators: Int?
    package var scenes: Int?
    package var connections: Int?

    package init(host: String) {
        self.host = host
    }
}
