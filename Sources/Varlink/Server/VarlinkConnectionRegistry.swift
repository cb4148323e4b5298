internal import NIOCore
internal import NIOConcurrencyHelpers

/// Who is connected; says whether one more may be, and when all are gone.
final class VarlinkConnectionRegistry: Sendable {
    /// A connection that can be reached from any thread.
    struct Handle: Sendable {
        let eventLoop: any EventLoop
        let connection: NIOLoopBound<VarlinkServerConnection>
    }

    private struct State {
        var lastID = 0
        var usersByID: [Int: UInt32] = [:]
        var countByUser: [UInt32: Int] = [:]
        var handles: [Int: Handle] = [:]
        var isDraining = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    enum Admission: Hashable {
        case admitted(id: Int)
        case refused(VarlinkIncident.Kind)
        /// The server is shutting down; nothing to tell anybody.
        case draining
    }

    private let total: Int
    private let perUser: Int
    private let onChange: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())

    init(total: Int, perUser: Int, onChange: @escaping @Sendable () -> Void = {}) {
        self.total = total
        self.perUser = perUser
        self.onChange = onChange
    }

    var count: Int { state.withLockedValue { $0.usersByID.count } }

    /// Counts a connection in, to be counted out by ``remove(_:)``.
    func admit(user: UInt32) -> Admission {
        let admission = tryToAdmit(user: user)
        if case .admitted = admission { onChange() }
        return admission
    }

    private func tryToAdmit(user: UInt32) -> Admission {
        state.withLockedValue { state in
            guard !state.isDraining else { return .draining }
            guard state.usersByID.count < total else { return .refused(.tooManyConnections(limit: total)) }
            let ofUser = state.countByUser[user, default: 0]
            guard ofUser < perUser else { return .refused(.tooManyConnectionsOfUser(limit: perUser)) }
            state.lastID += 1
            state.usersByID[state.lastID] = user
            state.countByUser[user] = ofUser + 1
            return .admitted(id: state.lastID)
        }
    }

    /// Makes an admitted connection reachable; if the server is shutting down by now, it is told at once.
    func add(_ handle: Handle, id: Int) {
        let isDraining = state.withLockedValue { state in
            if state.usersByID[id] != nil { state.handles[id] = handle }
            return state.isDraining
        }
        if isDraining { handle.eventLoop.execute { handle.connection.value.drain() } }
    }

    func remove(_ id: Int) {
        defer { onChange() }
        let waiters = state.withLockedValue { state -> [CheckedContinuation<Void, Never>] in
            guard let user = state.usersByID.removeValue(forKey: id) else { return [] }
            state.handles[id] = nil
            let left = state.countByUser[user, default: 1] - 1
            state.countByUser[user] = left > 0 ? left : nil
            guard state.usersByID.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Admits nobody any more and tells everybody to finish.
    func drain() {
        let handles = state.withLockedValue { state in
            state.isDraining = true
            return Array(state.handles.values)
        }
        for handle in handles { handle.eventLoop.execute { handle.connection.value.drain() } }
    }

    /// Closes every connection at once.
    func closeAll() {
        let handles = state.withLockedValue { Array($0.handles.values) }
        for handle in handles { handle.eventLoop.execute { handle.connection.value.close() } }
    }

    /// Returns when nobody is connected.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLockedValue { state in
                if !state.usersByID.isEmpty { state.waiters.append(continuation) }
                return state.usersByID.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}
