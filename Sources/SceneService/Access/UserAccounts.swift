internal import Basics
internal import StrictJSON
internal import Varlink

/// What each user has under way that is limited for each user, and what it was refused.
///
/// A user is forgotten when it has nothing under way, unless it was refused something. So many are remembered for that; what
/// the others were refused is counted together.
package final class UserAccounts: Sendable {
    /// What is limited for each user. The raw value is its name in the status.
    package enum Limit: String, Hashable, Sendable {
        /// Calls that wait for a scene: Quiesce and Await.
        case waits
        /// Trials of adapters.
        case trials
        /// Checks of the history.
        case checks
    }

    private struct Account {
        var uses: [Limit: Int] = [:]
        var refused: [String: Int] = [:]
    }

    private struct State {
        var accounts: [UInt32: Account] = [:]
        /// How many accounts have a refusal.
        var refusedUsers = 0
        /// What the users were refused for whom there is no account.
        var others: [String: Int] = [:]
    }

    private static let remembered = 256

    private let limits: [Limit: Int]
    private let report: @Sendable (_ user: UInt32?, _ reason: String) -> Void
    private let state = Guarded(State())

    /// - Parameters:
    ///   - waits: How many calls of one user may wait.
    ///   - trials: How many trials of one user may be under way.
    ///   - checks: How many checks of one user may be under way.
    ///   - report: Called with each refusal. The user is `nil` if it is not among those that are remembered. It must not block.
    package init(
        waits: Int = 256,
        trials: Int = 4,
        checks: Int = 4,
        report: @escaping @Sendable (_ user: UInt32?, _ reason: String) -> Void = { _, _ in }
    ) {
        limits = [.waits: waits, .trials: trials, .checks: checks]
        self.report = report
    }

    /// How much each user may have of this.
    func limit(_ limit: Limit) -> Int { limits[limit] ?? 0 }

    /// Counts one more for the user, until ``giveBack(_:of:)``, or a refusal if it has as many as it may have.
    /// - Returns: Whether it may.
    func take(_ limit: Limit, for user: UInt32) -> Bool {
        let isFree = state.withLock { state in
            let used = state.accounts[user]?.uses[limit] ?? 0
            guard used < self.limit(limit) else { return false }
            state.accounts[user, default: Account()].uses[limit] = used + 1
            return true
        }
        if !isFree { refused(user, limit.rawValue) }
        return isFree
    }

    func giveBack(_ limit: Limit, of user: UInt32) {
        state.withLock { state in
            guard let used = state.accounts[user]?.uses[limit] else { return }
            state.accounts[user]?.uses[limit] = used > 1 ? used - 1 : nil
            if let account = state.accounts[user], account.uses.isEmpty, account.refused.isEmpty {
                state.accounts[user] = nil
            }
        }
    }

    /// Counts a refusal.
    package func refused(_ user: UInt32, _ reason: String) {
        let isRemembered = state.withLock { state in
            if state.accounts[user]?.refused.isEmpty ?? true {
                guard state.refusedUsers < Self.remembered else {
                    state.others[reason, default: 0] += 1
                    return false
                }
                state.refusedUsers += 1
            }
            state.accounts[user, default: Account()].refused[reason, default: 0] += 1
            return true
        }
        report(isRemembered ? user : nil, reason)
    }

    /// The users as `io.scened.Manager.GetStatus` lists them.
    /// - Parameter taken: What they take up besides.
    func json(with taken: [UserUse]) -> JSONValue {
        let (accounts, others) = state.withLock { ($0.accounts, $0.others) }
        var users: [UInt32?: (uses: [String: Int], refused: [String: Int])] = [:]
        for (user, account) in accounts {
            let uses = account.uses.map { ($0.key.rawValue, $0.value) }
            users[user] = (Dictionary(uniqueKeysWithValues: uses), account.refused)
        }
        if !others.isEmpty { users[nil] = ([:], others) }
        for use in taken {
            users[UInt32(use.user), default: ([:], [:])].uses.merge(use.counts, uniquingKeysWith: +)
        }
        let sorted = users.sorted { ($0.key.map(Int.init) ?? Int.max) < ($1.key.map(Int.init) ?? Int.max) }
        return .array(
            sorted.map { user, counts in
                var object: JSONObject = [:]
                object["user"] = user.map { .integer(Int($0)) }
                object["uses"] = Self.json(counts.uses)
                object["refused"] = Self.json(counts.refused)
                return .object(object)
            }
        )
    }

    private static func json(_ counts: [String: Int]) -> JSONValue {
        .object(JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
    }
}

extension VarlinkResponder {
    /// Calls `body` once, when the final reply is given or the connection closes before. To be called before either can happen.
    func onEnd(_ body: @escaping @Sendable () -> Void) {
        onAnswer { _ in body() }
        onClose(body)
    }
}
