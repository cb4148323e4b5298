internal import NIOCore
internal import Basics

/// The connections of a server: decides whether one more is admitted, and knows when all are gone.
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
        /// The users of connections that have been left, by ID, while calls of theirs wait for their turn.
        var left: [Int: UInt32] = [:]
        var leftCountByUser: [UInt32: Int] = [:]
        /// Set once the server shuts down.
        var patience: VarlinkServerConnection.Patience?
        /// How many new connections wait until all event loops have noticed who has left.
        var looking = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    enum Admission: Hashable {
        case admitted(id: Int)
        case refused(VarlinkIncident.Kind)
        /// The server is shutting down; this is not reported.
        case draining
    }

    /// At most so many wait (`looking`), because each holds a descriptor.
    private static let mostLooking = 64

    private let total: Int
    private let perUser: Int
    private let onChange: @Sendable () -> Void
    private let state = Guarded(State())

    init(total: Int, perUser: Int, onChange: @escaping @Sendable () -> Void = {}) {
        self.total = total
        self.perUser = perUser
        self.onChange = onChange
    }

    var count: Int { state.withLock { $0.usersByID.count } }

    /// Counts a connection, until ``remove(_:)``, if the limits allow one more.
    func admit(user: UInt32) -> Admission {
        let admission = tryToAdmit(user: user)
        if case .admitted = admission { onChange() }
        return admission
    }

    private func tryToAdmit(user: UInt32) -> Admission {
        state.withLock { state in
            guard state.patience == nil else { return .draining }
            guard state.usersByID.count < total else { return .refused(.tooManyConnections(limit: total)) }
            let ofUser = state.countByUser[user, default: 0]
            guard ofUser < perUser else { return .refused(.tooManyConnectionsOfUser(limit: perUser)) }
            state.lastID += 1
            state.usersByID[state.lastID] = user
            state.countByUser[user] = ofUser + 1
            return .admitted(id: state.lastID)
        }
    }

    /// Registers the handle of an admitted connection. If the server has begun to shut down, the connection drains at once.
    func add(_ handle: Handle, id: Int) {
        let patience = state.withLock { state in
            if state.usersByID[id] != nil { state.handles[id] = handle }
            return state.patience
        }
        if let patience { handle.eventLoop.execute { handle.connection.value.drain(patience) } }
    }

    func remove(_ id: Int) {
        change { state in
            if let user = state.left.removeValue(forKey: id) { Self.uncount(user, in: &state.leftCountByUser) }
            Self.forget(id, &state)
        }
        onChange()
    }

    /// Counts a connection no longer against the limits, because its client has left, but goes on waiting for it until
    /// ``remove(_:)``: its calls still wait for their turn.
    /// - Returns: `false` if as many of the user's wait already as may be connected, and it has to end at once.
    func leave(_ id: Int) -> Bool {
        let mayWait = state.withLock { state in
            guard let user = state.usersByID[id], state.leftCountByUser[user, default: 0] < perUser else {
                return false
            }
            Self.forget(id, &state)
            state.left[id] = user
            state.leftCountByUser[user, default: 0] += 1
            return true
        }
        if mayWait { onChange() }
        return mayWait
    }

    private static func forget(_ id: Int, _ state: inout State) {
        guard let user = state.usersByID.removeValue(forKey: id) else { return }
        state.handles[id] = nil
        uncount(user, in: &state.countByUser)
    }

    private static func uncount(_ user: UInt32, in counts: inout [UInt32: Int]) {
        let rest = counts[user, default: 1] - 1
        counts[user] = rest > 0 ? rest : nil
    }

    /// Whether a connection that was refused may wait until all event loops have noticed who has left. If so, the caller
    /// calls ``endLooking()`` in the end.
    func beginLooking() -> Bool {
        state.withLock { state in
            guard state.looking < Self.mostLooking else { return false }
            state.looking += 1
            return true
        }
    }

    func endLooking() {
        change { $0.looking -= 1 }
    }

    /// Admits no further connection and lets all others finish.
    func drain(_ patience: VarlinkServerConnection.Patience) {
        let handles = state.withLock { state in
            state.patience = patience
            return Array(state.handles.values)
        }
        for handle in handles { handle.eventLoop.execute { handle.connection.value.drain(patience) } }
    }

    /// Cuts off every connection that is left.
    func cutOffAll() {
        let handles = state.withLock { Array($0.handles.values) }
        for handle in handles { handle.eventLoop.execute { handle.connection.value.cutOff() } }
    }

    /// Returns when no connection is left, nor one waiting to be admitted.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            change { $0.waiters.append(continuation) }
        }
    }

    /// Changes the state, and resumes ``waitUntilEmpty()`` if no connection is left.
    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            body(&state)
            guard state.usersByID.isEmpty, state.left.isEmpty, state.looking == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
