internal import DequeModule
package import SceneVocabulary
internal import Basics

/// Remembers, by ID, every open event and the most recent of those that have ended, so that an event sent twice does
/// nothing the second time.
package final class EventLedger: Sendable {
    private struct Entry {
        /// A hash of the event's content, seeded anew in every process. The content itself may be a megabyte, and ten
        /// thousand entries are kept.
        let contentHash: Int
        let progress: EventProgress
    }

    private struct State {
        var entries: [EventKey: Entry] = [:]
        /// The events that have ended, oldest first. When there are too many, the oldest is forgotten.
        var ended: Deque<EventKey> = []
        var lastMadeID = 0
        /// Whether a client has ever chosen an ID that looks like those made here.
        var hasLookalikes = false
    }

    private let retained: Int
    private let state = Guarded(State())

    package init(retained: Int) {
        self.retained = retained
    }

    /// What the ledger knows about an ID.
    package enum Lookup {
        /// No event, or one that has been forgotten.
        case unknown
        /// The same event.
        case repeated(EventProgress)
        /// An event with other content.
        case mismatch
    }

    /// - Parameter contentHash: The hash of everything that two submissions of the same event have in common.
    package func look(up key: EventKey, contentHash: Int) -> Lookup {
        state.withLock { state in
            guard let entry = state.entries[key] else { return .unknown }
            return entry.contentHash == contentHash ? .repeated(entry.progress) : .mismatch
        }
    }

    /// An ID that no event of this sender has, in a form that clients are unlikely to choose: `auto-1`.
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

    /// Enters an event under an ID that no other event has.
    /// - Parameter isMade: Whether the ID comes from ``makeID(sender:)``.
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

    /// Sets how an attempt of an open event ended and notifies those who waited for that
    /// (``EventProgress/update(_:revision:window:)``).
    package func update(
        _ event: AdmittedEvent,
        outcome: Outcome,
        revision: Int? = nil,
        window: WindowState? = nil
    ) {
        guard event.progress.update(outcome, revision: revision, window: window) else { return }
        // All scenes share the lock, so the oldest entry is freed outside it.
        let forgotten: Entry? = state.withLock { state in
            state.ended.append(event.key)
            guard state.ended.count > retained, let oldest = state.ended.popFirst() else { return nil }
            return state.entries.removeValue(forKey: oldest)
        }
        withExtendedLifetime(forgotten) {}
    }
}
