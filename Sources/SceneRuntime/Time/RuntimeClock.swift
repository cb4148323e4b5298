#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The only source of time in the runtime, so that a test or an exploration can control it.
public protocol RuntimeClock: Sendable {
    /// Monotonic time since some fixed moment.
    var now: Duration { get }

    /// Seconds since 1970-01-01T00:00:00Z, for conditions on the time.
    var wallTime: Double { get }

    /// Returns when ``now`` has reached `deadline`, or throws `CancellationError`.
    func sleep(until deadline: Duration) async throws

    /// Sleeps like ``sleep(until:)``, and calls `watcher` before and after. A clock that is advanced by hand has to call it
    /// at exactly the moments described there; for any other the default implementation is enough.
    func sleep(until deadline: Duration, watcher: SleepWatcher) async throws
}

extension RuntimeClock {
    /// Calls `watcher` before and after ``sleep(until:)``.
    public func sleep(until deadline: Duration, watcher: SleepWatcher) async throws {
        watcher.fallsAsleep()
        try await sleep(until: deadline)
        watcher.wakes()
    }
}

/// Learns when a task sleeps. Whoever advances time must wait until everything that can go on without it has done so.
public struct SleepWatcher: Sendable {
    /// Called when the task has gone to sleep and the clock will wake it. It runs under the clock's lock and must not call
    /// the clock.
    public let fallsAsleep: @Sendable () -> Void
    /// Called when the deadline has come, before the task goes on; not called if the task is cancelled.
    public let wakes: @Sendable () -> Void

    /// A watcher with these callbacks.
    public init(fallsAsleep: @escaping @Sendable () -> Void, wakes: @escaping @Sendable () -> Void) {
        self.fallsAsleep = fallsAsleep
        self.wakes = wakes
    }
}

/// Real time. ``now`` counts from the clock's creation and goes on while the machine sleeps.
public struct SystemClock: RuntimeClock {
    private let start: ContinuousClock.Instant

    /// A clock that counts from now.
    public init() { self.init(at: .zero) }

    /// A clock on which so much time has passed already.
    package init(at now: Duration) { start = .now - now }

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
