internal import NIOCore
internal import Locking
internal import Varlink

/// How many clients the server has, asked by a service that the server itself runs; weakly, so that neither keeps the
/// other.
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

    /// Calls `exit` once when nobody has been connected for so long.
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

    /// The daemon stops.
    func end() {
        state.withLock { $0.idleExit }?.end()
    }

    /// Somebody came or went.
    func changed() {
        state.withLock { $0.idleExit }?.changed()
    }
}
