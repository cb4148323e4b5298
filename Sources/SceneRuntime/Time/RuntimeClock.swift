/// The only source of time in the runtime, so that a test or an exploration can own it.
public protocol RuntimeClock: Sendable {
    /// Monotonic time since some fixed moment.
    var now: Duration { get }

    /// Seconds since 1970-01-01T00:00:00Z, for validity periods.
    var wallTime: Double { get }

    /// Returns when ``now`` has reached `deadline`, or throws `CancellationError`.
    func sleep(until deadline: Duration) async throws

    /// As ``sleep(until:)``, and tells the sleeper's `watcher` before it returns. A clock that somebody moves by hand has to
    /// tell it at the exact moments; for any other the default does.
    func sleep(until deadline: Duration, watcher: SleepWatcher) async throws
}

extension RuntimeClock {
    /// See ``RuntimeClock/sleep(until:watcher:)``.
    public func sleep(until deadline: Duration, watcher: SleepWatcher) async throws {
        watcher.fallsAsleep()
        try await sleep(until: deadline)
        watcher.wakes()
    }
}

/// Who has to know that somebody sleeps: whoever moves time waits until all that can go on without it has.
public struct SleepWatcher: Sendable {
    /// The clock will wake the sleeper; runs under the clock's lock and must not call it.
    public let fallsAsleep: @Sendable () -> Void
    /// The deadline has come; runs before the sleeper goes on, and not at all for one that is cancelled.
    public let wakes: @Sendable () -> Void

    /// A watcher.
    public init(fallsAsleep: @escaping @Sendable () -> Void, wakes: @escaping @Sendable () -> Void) {
        self.fallsAsleep = fallsAsleep
        self.wakes = wakes
    }
}
