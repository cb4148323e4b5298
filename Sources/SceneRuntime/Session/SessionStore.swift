internal import Locking
public import SceneRouting

/// The newest snapshot, readable without suspending, and the lock that makes a check, an op and its record one step
/// with respect to commits (<doc:TheSession#S2>).
///
/// Only ``Session`` writes. This lock is the outermost of the runtime: code inside may take any other, and no code that
/// holds another may ask for it.
package final class SessionStore: Sendable {
    private struct State {
        var newest: SessionSnapshot
        var listeners: [Int: @Sendable (SessionSnapshot) -> Void] = [:]
        var lastListener = 0
    }

    private let state: Guarded<State>

    package init(_ snapshot: SessionSnapshot) {
        state = Guarded(State(newest: snapshot))
    }

    /// The newest snapshot.
    package var snapshot: SessionSnapshot { state.withLock { $0.newest } }

    /// Runs `body` with the newest snapshot while no commit can come between.
    package func withNewest<Result, Failure: Error>(
        _ body: (SessionSnapshot) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(state.newest) }
    }

    /// Makes `snapshot` the newest and tells about it before anybody can read it.
    package func publish(_ snapshot: SessionSnapshot, _ announce: () -> Void) {
        state.withLock { state in
            state.newest = snapshot
            announce()
            for listener in state.listeners.values { listener(snapshot) }
        }
    }

    /// Calls `listener` with the newest snapshot and then with every later one, in order, under the lock.
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

/// The session at one revision. Immutable: whoever holds one can decide as often as it likes and get the same answer.
public struct SessionSnapshot: Hashable, Sendable {
    /// The number of commits so far.
    public let revision: Int
    /// The number of times somebody stopped being the user.
    public let epoch: Int
    /// Who is signed in.
    public let user: String?
    /// Every declared fact that has a value, by name.
    public let facts: [String: FactValue]

    package init(revision: Int, epoch: Int, user: String?, facts: [String: FactValue]) {
        self.revision = revision
        self.epoch = epoch
        self.user = user
        self.facts = facts
    }
}
