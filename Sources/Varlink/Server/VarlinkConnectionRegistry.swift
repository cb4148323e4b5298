internal import NIOCore
internal import Basics

/// The connections of a server: decides whether one more is admitted, and knows when all are gone.
final class VarlinkConnectionRegistry: Sendable {
    /// A connection that can be reached from any thread.
    struct Handle: Sendable {
        let eventLoop: any EventLoop
        let connection: NIOLoopBound<VarlinkServerConnection>
    }

    private struct Owner {
        let user: UInt32
        let loop: Int
    }

    private struct State {
        var lastID = 0
        var loops: LoopShares
        var owners: [Int: Owner] = [:]
        var countByUser: [UInt32: Int] = [:]
        var handles: [Int: Handle] = [:]
        /// The owners of connections that have been left, by ID, while calls of theirs wait for their turn.
        var left: [Int: Owner] = [:]
        var leftCountByUser: [UInt32: Int] = [:]
        /// Set once the server shuts down.
        var patience: VarlinkServerConnection.Patience?
        /// How many new connections wait until all event loops have noticed who has left.
        var looking = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    enum Admission: Hashable {
        /// The connection belongs on the event loop with this index.
        case admitted(id: Int, loop: Int)
        case refused(VarlinkIncident.Kind)
        /// The server is shutting down; this is not reported.
        case draining
    }

    /// At most so many wait (`looking`), because each holds a descriptor.
    private static let mostLooking = 64

    private let total: Int
    private let perUser: Int
    private let onChange: @Sendable () -> Void
    private let state: Guarded<State>

    init(total: Int, perUser: Int, loops: LoopShares, onChange: @escaping @Sendable () -> Void = {}) {
        state = Guarded(State(loops: loops))
        self.total = total
        self.perUser = perUser
        self.onChange = onChange
    }

    var count: Int { state.withLock { $0.owners.count } }

    /// Counts a connection, until ``remove(_:)``, if the limits allow one more.
    func admit(user: UInt32) -> Admission {
        let admission = tryToAdmit(user: user)
        if case .admitted = admission { onChange() }
        return admission
    }

    private func tryToAdmit(user: UInt32) -> Admission {
        state.withLock { state in
            guard state.patience == nil else { return .draining }
            guard state.owners.count < total else { return .refused(.tooManyConnections(limit: total)) }
            let ofUser = state.countByUser[user, default: 0]
            guard ofUser < perUser else { return .refused(.tooManyConnectionsOfUser(limit: perUser)) }
            state.lastID += 1
            let loop = state.loops.take(for: user)
            state.owners[state.lastID] = Owner(user: user, loop: loop)
            state.countByUser[user] = ofUser + 1
            return .admitted(id: state.lastID, loop: loop)
        }
    }

    /// Registers the handle of an admitted connection. If the server has begun to shut down, the connection drains at once.
    func add(_ handle: Handle, id: Int) {
        let patience = state.withLock { state in
            if state.owners[id] != nil { state.handles[id] = handle }
            return state.patience
        }
        if let patience { handle.eventLoop.execute { handle.connection.value.drain(patience) } }
    }

    func remove(_ id: Int) {
        change { state in
            if let owner = state.left.removeValue(forKey: id) {
                Self.uncount(owner.user, in: &state.leftCountByUser)
                state.loops.release(owner.loop, of: owner.user)
            } else if let owner = Self.forget(id, &state) {
                state.loops.release(owner.loop, of: owner.user)
            }
        }
        onChange()
    }

    /// Counts a connection no longer against the limits, because its client has left, but goes on waiting for it until
    /// ``remove(_:)``: its calls still wait for their turn.
    /// - Returns: `false` if as many of the user's wait already as may be connected, and it has to end at once.
    func leave(_ id: Int) -> Bool {
        let mayWait = state.withLock { state in
            guard let owner = state.owners[id], state.leftCountByUser[owner.user, default: 0] < perUser else {
                return false
            }
            Self.forget(id, &state)
            state.left[id] = owner
            state.leftCountByUser[owner.user, default: 0] += 1
            return true
        }
        if mayWait { onChange() }
        return mayWait
    }

    @discardableResult
    private static func forget(_ id: Int, _ state: inout State) -> Owner? {
        guard let owner = state.owners.removeValue(forKey: id) else { return nil }
        state.handles[id] = nil
        uncount(owner.user, in: &state.countByUser)
        return owner
    }

    private static func uncount(_ user: UInt32, in counts: inout [UInt32: Int]) {
        let rest = counts[user, default: 1] - 1
        counts[user] = rest > 0 ? rest : nil
    }

    /// The event loops that have to notice who has left before a connection is refused for this reason; `nil` if it may not wait
    /// for them. Otherwise the caller calls ``endLooking()`` in the end.
    func beginLooking(_ reason: VarlinkIncident.Kind, user: UInt32) -> [Int]? {
        state.withLock { state in
            guard state.looking < Self.mostLooking else { return nil }
            state.looking += 1
            if case .tooManyConnectionsOfUser = reason { return state.loops.loops(of: user) }
            return state.loops.loops(of: nil)
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
            guard state.owners.isEmpty, state.left.isEmpty, state.looking == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
