internal import NIOCore
internal import Basics
internal import Varlink

/// The number of clients, for a service that the server itself runs. The reference to the server is weak, so that there is no
/// cycle.
final class ConnectionCount: Sendable {
    private struct State {
        weak var server: VarlinkServer?
        var idleExit: IdleExit?
    }

    private let state = Guarded(State())

    var now: Int { state.withLock { $0.server }?.connectionCount ?? 0 }

    func watch(_ server: VarlinkServer) {
        state.withLock { $0.server = server }
    }

    /// Calls `exit` once, when no client has been connected for this time.
    func exitWhenIdle(after patience: Duration, eventLoop: any EventLoop, _ exit: @escaping @Sendable () -> Void) {
        let idleExit = IdleExit(
            after: TimeAmount(patience),
            eventLoop: eventLoop,
            connections: { [weak self] in self?.now ?? 0 },
            exit: exit
        )
        state.withLock { $0.idleExit = idleExit }
        idleExit.changed()
    }

    /// Called when the daemon stops: `exit` is not called any more.
    func end() {
        state.withLock { $0.idleExit }?.end()
    }

    /// Called when a client has connected or left.
    func changed() {
        state.withLock { $0.idleExit }?.changed()
    }
}

/// Calls `exit` once, when no client has been connected for a time.
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

    /// Called when a client has connected or left, and when the daemon is ready.
    func changed() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            guard connections() == 0, !state.isOver else { return }
            state.timer = eventLoop.scheduleTask(in: patience) { self.timeIsUp() }
        }
    }

    /// Called when the daemon stops for another reason. The event loop may end afterwards.
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
