#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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

/// Real time. ``now`` counts from the clock's creation and does not stand still while the machine sleeps.
public struct SystemClock: RuntimeClock {
    private let start = ContinuousClock.now

    /// A clock that counts from now.
    public init() {}

    /// See ``RuntimeClock/now``.
    public var now: Duration { ContinuousClock.now - start }

    /// See ``RuntimeClock/wallTime``.
    public var wallTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// See ``RuntimeClock/sleep(until:)``.
    public func sleep(until deadline: Duration) async throws {
        try await Task.sleep(until: start + deadline, clock: .continuous)
    }
}
