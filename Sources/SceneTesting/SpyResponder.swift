public import SceneNavigation
public import SceneVocabulary
internal import Basics

/// Takes the intents that the test tells it to, for a screen or a container, and remembers them. At first it takes none.
public final class SpyResponder: IntentResponder, Sendable {
    private struct State {
        var names: Set<String> = []
        var failure: String?
        var taken: [Intent] = []
    }

    private let state = Guarded(State())

    init() {}

    /// The intents that it took, in order.
    public var taken: [Intent] { state.withLock { $0.taken } }

    /// Takes intents of these names, and no others, from now on.
    public func take(_ names: Set<String>) {
        state.withLock { $0.names = names }
    }

    /// Throws ``SpyFailure`` for every intent from now on, until this is called with `nil`.
    public func fail(with reason: String?) {
        state.withLock { $0.failure = reason }
    }

    /// Takes the intent if it has been told to (``take(_:)``).
    /// - Throws: ``SpyFailure`` if it has been told to fail.
    public func take(_ intent: Intent, from screen: Destination) throws -> Bool {
        try state.withLock { state in
            if let reason = state.failure { throw SpyFailure(reason: reason) }
            guard state.names.contains(intent.name) else { return false }
            state.taken.append(intent)
            return true
        }
    }
}

/// The error of a spy that has been told to fail.
public struct SpyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason that the test gave.
    public let reason: String
    /// The reason, as it is.
    public var description: String { reason }
}
