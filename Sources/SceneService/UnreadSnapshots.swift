internal import SceneRuntime
internal import Synchronization

/// The commits that a follower of the session has not been sent yet, oldest first.
///
/// Of one that falls far behind the oldest are forgotten; it sees the gap in the revisions.
final class UnreadSnapshots: Sendable {
    /// How many wait for a client that reads slowly.
    private static let limit = 256

    private let waiting = Mutex<[SessionSnapshot]>([])

    func add(_ snapshot: SessionSnapshot) {
        waiting.withLock { waiting in
            if waiting.count == Self.limit { waiting.removeFirst() }
            waiting.append(snapshot)
        }
    }

    /// The oldest, which is then no longer waiting.
    func next() -> SessionSnapshot? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
