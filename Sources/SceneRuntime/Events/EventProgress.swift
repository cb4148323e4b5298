package import SceneVocabulary
internal import Locking

/// How far one event has come, and who waits for it.
///
/// Whoever has been given it can ask for as long as they like, also when the ledger has forgotten the event.
package struct EventProgress: Sendable {
    private typealias Waiter = (stage: ReceiptStage, notify: @Sendable (Receipt) -> Void)

    private struct State {
        var receipt: Receipt
        /// Who has waited longest: as good as always the only one, the call that brought the event.
        var first: Waiter?
        /// Those who came after that, in order.
        var others: [Waiter] = []

        mutating func add(_ waiter: Waiter) {
            if first == nil, others.isEmpty { first = waiter } else { others.append(waiter) }
        }

        /// Who has waited longest, if for no more than this; who is taken waits no longer.
        mutating func takeFirst(_ outcome: Outcome) -> Waiter? {
            guard let waiter = first, waiter.stage.isReached(by: outcome) else { return nil }
            first = nil
            return waiter
        }

        /// Those of the others who waited for no more than this.
        mutating func takeOthers(_ outcome: Outcome) -> [Waiter] {
            guard !others.isEmpty else { return [] }
            defer { others.removeAll { $0.stage.isReached(by: outcome) } }
            return others.filter { $0.stage.isReached(by: outcome) }
        }
    }

    private let state: Guarded<State>

    package init(_ receipt: Receipt) {
        state = Guarded(State(receipt: receipt))
    }

    package var receipt: Receipt { state.withLock { $0.receipt } }

    /// Calls `notify` once, as soon as the event has reached `stage`; at once if it has.
    package func notify(at stage: ReceiptStage, _ notify: @escaping @Sendable (Receipt) -> Void) {
        let reached: Receipt? = state.withLock { state in
            if stage.isReached(by: state.receipt.outcome) { return state.receipt }
            state.add((stage, notify))
            return nil
        }
        if let reached { notify(reached) }
    }

    /// Writes down how an attempt ended and tells those who waited for that; what has ended stays as it is.
    ///
    /// - Parameters:
    ///   - revision: The revision of the last resolution; `nil` keeps what is written.
    ///   - window: The window now; `nil` keeps what is written.
    /// - Returns: Whether the event has ended by this.
    package func update(_ outcome: Outcome, revision: Int?, window: WindowState?) -> Bool {
        var told: Receipt?
        var first: Waiter?
        var others: [Waiter] = []
        let wasOpen = state.withLock { state in
            guard !state.receipt.outcome.isTerminal else { return false }
            state.receipt.outcome = outcome
            if let revision { state.receipt.revision = revision }
            if let window { state.receipt.window = window }
            first = state.takeFirst(outcome)
            others = state.takeOthers(outcome)
            if first != nil || !others.isEmpty { told = state.receipt }
            return true
        }
        if let told {
            first?.notify(told)
            for waiter in others { waiter.notify(told) }
        }
        return wasOpen && outcome.isTerminal
    }
}
