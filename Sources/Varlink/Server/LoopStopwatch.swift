internal import Basics
internal import Glibc
internal import NIOCore

/// Measures how much processor time one event loop spends on a message, during which it looks at no other socket.
///
/// To read a thread's processor time is a system call, ten times as dear as the clock on the wall. So it is read at most once a
/// millisecond, and a stretch may count up to a millisecond too much, but never more than the time on the wall.
final class LoopStopwatch: @unchecked Sendable {
    // Sendable: it is used only on its event loop.
    private static let grain = 1_000_000
    /// When, by the clock on the wall, ``processor`` was read.
    private var read = -grain
    private var processor = 0
    /// The clock on the wall, in nanoseconds.
    private let wallClock: @Sendable () -> Int

    /// - Parameter wallClock: nanoseconds that only grow.
    init(wallClock: @escaping @Sendable () -> Int = { LoopStopwatch.now(CLOCK_MONOTONIC) }) {
        self.wallClock = wallClock
    }

    /// The beginning of a stretch. Stretches nest: an answer can set off another connection's next call.
    struct Start {
        fileprivate var wall: Int
        fileprivate var processor: Int
    }

    /// Begins a stretch.
    func start() -> Start {
        let wall = wallClock()
        if wall - read >= Self.grain { readProcessor(at: wall) }
        return Start(wall: wall, processor: processor)
    }

    /// Ends the stretch and begins the next.
    /// - Returns: the stretch's nanoseconds by the clock on the wall.
    @discardableResult
    func lap(_ start: inout Start, _ longest: LongestStretch) -> Int {
        let end = wallClock()
        let length = end - start.wall
        if length >= Self.grain, length > longest.nanoseconds {
            readProcessor(at: end)
            longest.note(min(length, processor - start.processor))
        }
        start = Start(wall: end, processor: processor)
        return length
    }

    private func readProcessor(at wall: Int) {
        read = wall
        processor = Self.now(CLOCK_THREAD_CPUTIME_ID)
    }

    static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// The longest stretch of processor time that a message of one kind has taken, in nanoseconds.
final class LongestStretch: Sendable {
    private let longest = Guarded(0)
    private let tell: @Sendable (TimeAmount) -> Void

    /// - Parameter tell: Called for each new longest stretch, in their order. It must not block.
    init(tell: @escaping @Sendable (TimeAmount) -> Void) {
        self.tell = tell
    }

    var nanoseconds: Int { longest.withLock { $0 } }

    func note(_ nanoseconds: Int) {
        longest.withLock { longest in
            guard nanoseconds > longest else { return }
            longest = nanoseconds
            tell(.nanoseconds(Int64(nanoseconds)))
        }
    }
}
