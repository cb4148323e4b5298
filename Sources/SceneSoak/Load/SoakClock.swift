internal import Glibc
internal import Basics

/// The time since the start of a soak.
protocol SoakClock: Sendable {
    var now: Duration { get }

    /// Blocks the calling thread until about that time; returns at once if it has passed.
    func wait(until time: Duration)
}

/// The system's monotonic clock; time 0 is its creation.
struct MonotonicClock: SoakClock {
    private let origin = ContinuousClock.now

    var now: Duration { ContinuousClock.now - origin }

    func wait(until time: Duration) {
        let left = (time - now).nanoseconds
        // usleep takes less than a second; the caller looks at the time again.
        if left > 0 { usleep(UInt32(min(left / 1_000 + 1, 999_999))) }
    }
}
