internal import Locking

/// What a server's connections together keep in memory, so that no number of clients can make it grow without bound and
/// no user can take what others need.
///
/// The first ``allowance`` bytes of a connection are its own: short messages never depend on what others do. Together
/// they are bounded by the number of connections.
final class VarlinkMemoryPool: Sendable {
    static let allowance = 64 << 10

    private struct State {
        var total = 0
        var byUser: [UInt32: Int] = [:]
    }

    private let total: Int
    private let perUser: Int
    private let state = Guarded(State())

    init(total: Int, perUser: Int) {
        self.total = total
        self.perUser = perUser
    }

    /// What is in use beyond the allowances.
    var used: Int { state.withLock { $0.total } }

    /// A connection of `user` holds `new` bytes instead of `old`.
    /// - Returns: Whether that is within what there is; if not, it still counts as holding `old`. Less is always within.
    func change(user: UInt32, from old: Int, to new: Int) -> Bool {
        let growth = max(0, new - Self.allowance) - max(0, old - Self.allowance)
        guard growth != 0 else { return true }
        return state.withLock { state in
            let ofUser = state.byUser[user, default: 0] + growth
            guard growth < 0 || (ofUser <= perUser && state.total + growth <= total) else { return false }
            state.total += growth
            state.byUser[user] = ofUser > 0 ? ofUser : nil
            return true
        }
    }
}

/// What one connection holds of a pool.
struct VarlinkMemoryShare {
    private let pool: VarlinkMemoryPool
    private let user: UInt32
    private var held = 0

    init(of pool: VarlinkMemoryPool, user: UInt32) {
        self.pool = pool
        self.user = user
    }

    /// Holds `bytes` from now on; `false`, and nothing changed, where there is no room for them.
    mutating func hold(_ bytes: Int) -> Bool {
        guard pool.change(user: user, from: held, to: bytes) else { return false }
        held = bytes
        return true
    }

    mutating func release() {
        _ = hold(0)
    }
}
