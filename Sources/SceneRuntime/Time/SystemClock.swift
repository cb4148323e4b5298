#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
