internal import Basics
internal import DequeModule
internal import NIOCore

/// Shares the time of one event loop among users.
///
/// Between two looks at its sockets, the calls of each user take ``share`` and at most one call more; what else that user's
/// connections have sent waits for the next look. Without that, a user with many connections would have the loop for as long as any
/// of them has something to say, and whoever sends a call meanwhile would wait for all of it.
final class FairLoop: @unchecked Sendable {
    // Sendable: it is used only on its event loop.

    /// Nanoseconds. A look takes a few microseconds, so that those who are alone lose hardly anything.
    static let share = 2_000_000

    let stopwatch: LoopStopwatch
    private let pause: LoopPause
    /// Nanoseconds of each user since the last look.
    private var used: [UInt32: Int] = [:]
    /// What each user's connections go on with, oldest first.
    private var waiting: [UInt32: Deque<@Sendable () -> Void>] = [:]
    private var isLookDue = false

    init(_ pause: LoopPause, _ stopwatch: LoopStopwatch) {
        self.pause = pause
        self.stopwatch = stopwatch
    }

    /// Whether a user has had its share since the loop last looked at its sockets.
    func isOver(for user: UInt32) -> Bool { used[user, default: 0] >= Self.share }

    func charge(_ nanoseconds: Int, to user: UInt32) { used[user, default: 0] += nanoseconds }

    /// Calls `body` when the loop has looked at its sockets and the user's earlier connections have had their turn.
    func wait(_ user: UInt32, _ body: @escaping @Sendable () -> Void) {
        waiting[user, default: []].append(body)
        lookSoon()
    }

    private func lookSoon() {
        guard !isLookDue else { return }
        isLookDue = true
        pause.next { [self] in looked() }
    }

    private func looked() {
        isLookDue = false
        used = [:]
        for user in Array(waiting.keys) {
            // Those that have to wait again are for the next look.
            var left = waiting[user]?.count ?? 0
            while left > 0, !isOver(for: user), let body = waiting[user]?.popFirst() {
                left -= 1
                body()
            }
            if waiting[user]?.isEmpty == true { waiting[user] = nil }
        }
        if !waiting.isEmpty { lookSoon() }
    }
}

/// The shared loops of a server.
final class FairLoops: Sendable {
    private let pauses: LoopPauses
    private let stopwatch: @Sendable () -> LoopStopwatch
    private let loops = Guarded<[ObjectIdentifier: FairLoop]>([:])

    /// - Parameter stopwatch: a new one for each loop.
    init(_ pauses: LoopPauses, stopwatch: @escaping @Sendable () -> LoopStopwatch = { LoopStopwatch() }) {
        self.pauses = pauses
        self.stopwatch = stopwatch
    }

    func loop(_ eventLoop: any EventLoop) -> FairLoop {
        loops.withLock { loops in
            if let loop = loops[ObjectIdentifier(eventLoop)] { return loop }
            let loop = FairLoop(pauses.pause(of: eventLoop), stopwatch())
            loops[ObjectIdentifier(eventLoop)] = loop
            return loop
        }
    }
}
