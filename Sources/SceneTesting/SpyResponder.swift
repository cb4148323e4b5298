public import SceneNavigation
public import SceneVocabulary
internal import Locking

/// A screen or container that takes the intents it is told to, and remembers them; at first it takes none.
public final class SpyResponder: IntentResponder, Sendable {
    private struct State {
        var names: Set<String> = []
        var failure: String?
        var taken: [Intent] = []
    }

    private let state = Guarded(State())

    init() {}

    /// What it took, in order.
    public var taken: [Intent] { state.withLock { $0.taken } }

    /// From now on it takes intents of these names and no others.
    public func take(_ names: Set<String>) {
        state.withLock { $0.names = names }
    }

    /// From now on it fails over every intent it is asked about, until called with `nil`.
    public func fail(with reason: String?) {
        state.withLock { $0.failure = reason }
    }

    /// See ``IntentResponder``.
    public func take(_ intent: Intent, from screen: Destination) throws -> Bool {
        try state.withLock { state in
            if let reason = state.failure { throw SpyFailure(reason: reason) }
            guard state.names.contains(intent.name) else { return false }
            state.taken.append(intent)
            return true
        }
    }
}
