internal import Logging
internal import NIOCore
internal import Locking
internal import Varlink

/// What asks the daemon to stop besides signals: a client with the right to, and nobody being there.
struct StopRequests: Sendable {
    enum Reason: Sendable {
        case drain, idle
    }

    let reasons: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation

    init() {
        (reasons, continuation) = AsyncStream.makeStream()
    }

    func request(_ reason: Reason) {
        continuation.yield(reason)
    }
}

/// Asks for the end when nobody has been connected for long enough.
final class IdleExit: Sendable {
    private struct State {
        var timer: Scheduled<Void>?
        var isOver = false
    }

    private let patience: TimeAmount
    private let eventLoop: any EventLoop
    private let connections: @Sendable () -> Int
    private let exit: @Sendable () -> Void
    private let state = Guarded(State())

    init(
        after patience: TimeAmount,
        eventLoop: any EventLoop,
        connections: @escaping @Sendable () -> Int,
        exit: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
        self.eventLoop = eventLoop
        self.connections = connections
        self.exit = exit
    }

    /// Somebody came or went, or the daemon is ready for them.
    func changed() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            guard connections() == 0, !state.isOver else { return }
            state.timer = eventLoop.scheduleTask(in: patience) { self.timeIsUp() }
        }
    }

    /// The daemon stops by itself. The event loop may go from here on.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.timer?.cancel()
        }
    }

    private func timeIsUp() {
        let isOver = state.withLock { state in
            guard connections() == 0, !state.isOver else { return false }
            state.isOver = true
            return true
        }
        if isOver { exit() }
    }
}
