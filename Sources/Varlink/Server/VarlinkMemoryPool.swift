internal import Basics

/// Bounds the memory that a server's connections hold together, and each user's share of it.
///
/// The first ``allowance`` bytes of each connection do not count, so that short messages never depend on what others do.
/// The number of connections bounds these.
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

    /// The bytes in use beyond the allowances.
    var used: Int { state.withLock { $0.total } }

    /// Counts `new` bytes for a connection of `user` instead of `old`.
    /// - Returns: `false` if that exceeds a limit; then `old` still counts. To hold less is always allowed.
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

/// The bytes of a pool that one connection holds.
struct VarlinkMemoryShare {
    private let pool: VarlinkMemoryPool
    private let user: UInt32
    private var held = 0

    init(of pool: VarlinkMemoryPool, user: UInt32) {
        self.pool = pool
        self.user = user
    }

    /// Holds `bytes` from now on.
    /// - Returns: `false`, and nothing has changed, if the pool has no room for them.
    mutating func hold(_ bytes: Int) -> Bool {
        guard pool.change(user: user, from: held, to: bytes) else { return false }
        held = bytes
        return true
    }

    mutating func release() {
        _ = hold(0)
    }
}
