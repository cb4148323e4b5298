internal import Basics
public import SceneRouting

/// Holds the newest snapshot, readable without suspending, and the lock that keeps commits out while an op is checked, begun
/// and recorded (<doc:TheSession#S2>). What is recorded under it is kept as one step (<doc:Keeping>).
///
/// Only ``Session`` writes. The lock is the outermost of the runtime: code that holds it may take any other lock, and code
/// that holds another lock must not take this one.
package final class SessionStore: Sendable {
    private struct State {
        var newest: SessionSnapshot
        var choices = VariantChoices()
        var listeners: [Int: @Sendable (SessionSnapshot) -> Void] = [:]
        var lastListener = 0
    }

    private let state: Guarded<State>
    private let records: RecordLog

    init(_ snapshot: SessionSnapshot, _ choices: VariantChoices, _ records: RecordLog) {
        state = Guarded(State(newest: snapshot, choices: choices))
        self.records = records
    }

    /// The newest snapshot.
    package var snapshot: SessionSnapshot { state.read { $0.newest } }

    /// Runs `body` with the newest snapshot. No commit can happen meanwhile.
    package func withNewest<Result, Failure: Error>(
        _ body: (SessionSnapshot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.read { state throws(Failure) in
            try records.together { () throws(Failure) in try body(state.newest) }
        }
    }

    /// Runs `body` with the newest snapshot and what has been chosen for users. No commit can happen meanwhile, and no other
    /// choice (<doc:WayOfAnEvent#Variants>).
    package func withChoices<Result>(_ body: (SessionSnapshot, inout VariantChoices) -> Result) -> Result {
        state.withLock(for: .read) { state in
            let newest = state.newest
            let changes = state.choices.changes
            defer { if state.choices.changes != changes { self.state.report(.write) } }
            return records.together { body(newest, &state.choices) }
        }
    }

    /// Makes `snapshot` the newest, and announces it before anybody can read it.
    package func publish(_ snapshot: SessionSnapshot, _ announce: () -> Void) {
        state.withLock { state in
            state.newest = snapshot
            records.together(announce)
            for listener in state.listeners.values { listener(snapshot) }
        }
    }

    /// Calls `listener`, under the lock, with the newest snapshot and with every later one, in order.
    package func listen(_ listener: @escaping @Sendable (SessionSnapshot) -> Void) -> Int {
        state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            listener(state.newest)
            return state.lastListener
        }
    }

    package func stopListening(_ token: Int) {
        state.withLock { $0.listeners[token] = nil }
    }
}

/// The session at one revision. It is immutable: the same snapshot always leads to the same decision.
public struct SessionSnapshot: Hashable, Codable, Sendable {
    /// The number of commits so far.
    public let revision: Int
    /// How many times a user has left.
    public let epoch: Int
    /// Who is signed in; `nil` for nobody.
    public let user: String?
    /// Whether the sign-in is stale: gates that need a fresh one are closed (<doc:TheSession#S10>).
    public let isStale: Bool
    /// Every declared fact that has a value, by name.
    public let facts: [String: FactValue]

    package init(revision: Int, epoch: Int, user: String?, isStale: Bool = false, facts: [String: FactValue]) {
        self.revision = revision
        self.epoch = epoch
        self.user = user
        self.isStale = isStale
        self.facts = facts
    }
}
