internal import DequeModule
package import SceneVocabulary
internal import Locking

/// Every event that is open, and the most recent that have ended, by their IDs: what makes repeats harmless.
package final class EventLedger: Sendable {
    private struct Entry {
        /// A hash of the event's content, keyed anew by every process. The content itself may have a megabyte, and ten
        /// thousand of them would be kept.
        let contentHash: Int
        let progress: EventProgress
    }

    private struct State {
        var entries: [EventKey: Entry] = [:]
        /// The ended ones, oldest first; when there are too many the oldest is forgotten.
        var ended: Deque<EventKey> = []
        var lastMadeID = 0
        /// Whether anybody has ever chosen an ID of the form of those made here.
        var hasLookalikes = false
    }

    private let retained: Int
    private let state = Guarded(State())

    package init(retained: Int) {
        self.retained = retained
    }

    /// What an ID stands for.
    package enum Lookup {
        case unknown
        /// The same event.
        case repeated(EventProgress)
        /// Another event under the same ID.
        case mismatch
    }

    /// - Parameter contentHash: The hash of what makes two events under one ID the same event.
    package func look(up key: EventKey, contentHash: Int) -> Lookup {
        state.withLock { state in
            guard let entry = state.entries[key] else { return .unknown }
            return entry.contentHash == contentHash ? .repeated(entry.progress) : .mismatch
        }
    }

    /// An ID that no event of this sender has, of a form that a client is unlikely to choose for one of its own.
    package func makeID(sender: String?) -> String {
        state.withLock { state in
            while true {
                state.lastMadeID += 1
                let id = Self.prefix + String(state.lastMadeID)
                guard state.hasLookalikes, state.entries[EventKey(sender: sender, id: id)] != nil else { return id }
            }
        }
    }

    private static let prefix = "auto-"

    /// Begins an event under an ID that stands for no other.
    /// - Parameter isMade: Whether the ID was made here just now.
    package func open(_ key: EventKey, isMade: Bool, contentHash: Int, receipt: Receipt) -> EventProgress {
        let progress = EventProgress(receipt)
        let entry = Entry(contentHash: contentHash, progress: progress)
        let isLookalike = !isMade && key.id.hasPrefix(Self.prefix)
        state.withLock { state in
            if isLookalike { state.hasLookalikes = true }
            state.entries[key] = entry
        }
        return progress
    }

    package func receipt(of key: EventKey) -> Receipt? {
        state.withLock { $0.entries[key]?.progress }?.receipt
    }

    /// Writes down how an attempt of an open event ended and tells those who waited for that
    /// (``EventProgress/update(_:revision:window:)``).
    package func update(
        _ event: AdmittedEvent,
        outcome: Outcome,
        revision: Int? = nil,
        window: WindowState? = nil
    ) {
        guard event.progress.update(outcome, revision: revision, window: window) else { return }
        // The oldest is let go of outside the lock, which all scenes share.
        let forgotten: Entry? = state.withLock { state in
            state.ended.append(event.key)
            guard state.ended.count > retained, let oldest = state.ended.popFirst() else { return nil }
            return state.entries.removeValue(forKey: oldest)
        }
        withExtendedLifetime(forgotten) {}
    }
}
