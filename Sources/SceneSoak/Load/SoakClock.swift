internal import Glibc
// Where an optimised build finds the members of C’s times.
internal import SwiftOverlayShims

/// The time since a soak began, for the thread that sends.
protocol SoakClock: Sendable {
    var now: Duration { get }

    /// Blocks the calling thread until about that time; returns at once where it has passed.
    func wait(until time: Duration)
}

/// The system's monotonic clock, from the moment it is made.
struct MonotonicClock: SoakClock {
    private let origin: UInt64

    init() { origin = Self.nanoseconds }

    var now: Duration { .nanoseconds(Int64(Self.nanoseconds &- origin)) }

    func wait(until time: Duration) {
        let target = origin + time.nanoseconds
        var moment = timespec(tv_sec: Int(target / 1_000_000_000), tv_nsec: Int(target % 1_000_000_000))
        // Another answer than 0 says that a signal came: whoever waits looks at the time again.
        _ = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil)
    }

    private static var nanoseconds: UInt64 {
        var moment = timespec()
        clock_gettime(CLOCK_MONOTONIC, &moment)
        return UInt64(moment.tv_sec) * 1_000_000_000 + UInt64(moment.tv_nsec)
    }
}
