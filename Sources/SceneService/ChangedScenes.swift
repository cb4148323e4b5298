internal import Locking

/// The scenes that changed since a follower was last told; at first that is all of them.
final class ChangedScenes: Sendable {
    enum Change {
        case all
        case scenes([String])
        case nothing
    }

    private struct State {
        var isFirst = true
        var order: [String] = []
        var known: Set<String> = []
    }

    private let state = Guarded(State())

    func add(_ scene: String) {
        state.withLock { state in
            if state.known.insert(scene).inserted { state.order.append(scene) }
        }
    }

    /// What changed, each scene once, in the order it first changed; forgets it.
    func take() -> Change {
        state.withLock { state in
            defer {
                state.isFirst = false
                state.order = []
                state.known = []
            }
            if state.isFirst { return .all }
            return state.order.isEmpty ? .nothing : .scenes(state.order)
        }
    }
}
