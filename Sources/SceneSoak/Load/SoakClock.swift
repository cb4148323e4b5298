internal import Glibc
internal import Locking

/// The time since a soak began, for the thread that sends.
protocol SoakClock: Sendable {
    var now: Duration { get }

    /// Blocks the calling thread until about that time; returns at once where it has passed.
    func wait(until time: Duration)
}

/// The system's monotonic clock, from the moment it is made.
struct MonotonicClock: SoakClock {
    private let origin = ContinuousClock.now

    var now: Duration { ContinuousClock.now - origin }

    func wait(until time: Duration) {
        let left = (time - now).nanoseconds
        // Less than a second at a time, as the system asks; whoever waits looks at the time again.
        if left > 0 { usleep(UInt32(min(left / 1_000 + 1, 999_999))) }
    }
}
