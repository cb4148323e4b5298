/// The only source of time in the runtime, so that a test or an exploration can own it.
public protocol RuntimeClock: Sendable {
    /// Monotonic time since some fixed moment.
    var now: Duration { get }

    /// Seconds since 1970-01-01T00:00:00Z, for validity periods.
    var wallTime: Double { get }

    /// Returns when ``now`` has reached `deadline`, or throws `CancellationError`.
    func sleep(until deadline: Duration) async throws
}
