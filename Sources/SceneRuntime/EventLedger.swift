internal import DequeModule
package import SceneNavigation
package import StrictJSON
internal import Synchronization

/// Every event that is open, and the most recent that have ended, by their IDs: what makes repeats harmless.
package final class EventLedger: Sendable {
    private struct Entry {
        let content: JSONObject
        var receipt: Receipt
        var waiters: [(stage: ReceiptStage, notify: @Sendable (Receipt) -> Void)] = []
    }

    private struct State {
        var entries: [EventKey: Entry] = [:]
        /// The ended ones, oldest first; when there are too many the oldest is forgotten.
        var ended: Deque<EventKey> = []
        var lastMadeID = 0
    }

    private let retained: Int
    private let state = Mutex(State())

    package init(retained: Int) {
        self.retained = retained
    }

    /// What an ID stands for.
    package enum Lookup {
        case unknown
        /// The same event: its current receipt.
        case repeated(Receipt)
        /// Another event under the same ID.
        case mismatch
    }

    package func look(up key: EventKey, content: JSONObject) -> Lookup {
        state.withLock { state in
            guard let entry = state.entries[key] else { return .unknown }
            guard entry.content == content else { return .mismatch }
            var receipt = entry.receipt
            receipt.isDuplicate = true
            return .repeated(receipt)
        }
    }

    /// An ID that no event of this sender has.
    package func makeID(sender: String?) -> String {
        state.withLock { state in
            repeat {
                state.lastMadeID += 1
            } while state.entries[EventKey(sender: sender, id: "e\(state.lastMadeID)")] != nil
            return "e\(state.lastMadeID)"
        }
    }

    package func open(_ key: EventKey, content: JSONObject, receipt: Receipt) {
        state.withLock { $0.entries[key] = Entry(content: content, receipt: receipt) }
    }

    package func receipt(of key: EventKey) -> Receipt? {
        state.withLock { $0.entries[key]?.receipt }
    }

    /// Calls `notify` once, as soon as the event has reached `stage`; at once if it has. An unknown event is never
    /// reached: callers ask for events they have just admitted or looked up.
    package func notify(
        _ key: EventKey,
        at stage: ReceiptStage,
        isDuplicate: Bool,
        _ notify: @escaping @Sendable (Receipt) -> Void
    ) {
        let reached: Receipt? = state.withLock { state in
            guard let entry = state.entries[key] else { return nil }
            if stage.isReached(by: entry.receipt.outcome) { return entry.receipt }
            state.entries[key]?.waiters.append((stage, { notify($0.marked(duplicate: isDuplicate)) }))
            return nil
        }
        if let reached { notify(reached.marked(duplicate: isDuplicate)) }
    }

    /// Writes down how an attempt ended and tells those who waited for that.
    ///
    /// - Parameters:
    ///   - revision: The revision of the last resolution; `nil` keeps what is written.
    ///   - window: The window now; `nil` keeps what is written.
    package func update(_ key: EventKey, outcome: Outcome, revision: Int? = nil, window: WindowState? = nil) {
        var notified: [@Sendable (Receipt) -> Void] = []
        let receipt: Receipt? = state.withLock { state in
            guard var entry = state.entries[key], !entry.receipt.outcome.isTerminal else { return nil }
            entry.receipt.outcome = outcome
            if let revision { entry.receipt.revision = revision }
            if let window { entry.receipt.window = window }
            notified = entry.waiters.filter { $0.stage.isReached(by: outcome) }.map(\.notify)
            entry.waiters.removeAll { $0.stage.isReached(by: outcome) }
            state.entries[key] = entry
            if outcome.isTerminal {
                state.ended.append(key)
                if state.ended.count > retained, let oldest = state.ended.popFirst() { state.entries[oldest] = nil }
            }
            return entry.receipt
        }
        guard let receipt else { return }
        for notify in notified { notify(receipt) }
    }
}

extension Receipt {
    fileprivate func marked(duplicate: Bool) -> Receipt {
        var receipt = self
        receipt.isDuplicate = duplicate
        return receipt
    }
}
