internal import SceneRuntime
internal import Locking

/// The commits that a follower of the session has not been sent yet, oldest first.
///
/// Of one that falls far behind the oldest are forgotten; it is told how many.
final class UnreadSnapshots: Sendable {
    /// How many wait for a client that reads slowly.
    private static let limit = 256

    private struct State {
        var waiting: [SessionSnapshot] = []
        /// How many were forgotten before the first that waits.
        var forgotten = 0
    }

    private let state = Guarded(State())

    func add(_ snapshot: SessionSnapshot) {
        state.withLock { state in
            if state.waiting.count == Self.limit {
                state.waiting.removeFirst()
                state.forgotten += 1
            }
            state.waiting.append(snapshot)
        }
    }

    /// The oldest, which is then no longer waiting, and how many before it will never be told.
    func next() -> (snapshot: SessionSnapshot, gap: Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            defer { state.forgotten = 0 }
            return (state.waiting.removeFirst(), state.forgotten)
        }
    }
}
