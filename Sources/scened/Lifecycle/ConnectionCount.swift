internal import Synchronization
internal import Varlink

/// How many clients the server has, asked by a service that the server itself runs; weakly, so that neither keeps the
/// other.
final class ConnectionCount: Sendable {
    private struct State {
        weak var server: VarlinkServer?
    }

    private let state = Mutex(State())

    var now: Int { state.withLock { $0.server?.connectionCount ?? 0 } }

    func watch(_ server: VarlinkServer) {
        state.withLock { $0.server = server }
    }
}
