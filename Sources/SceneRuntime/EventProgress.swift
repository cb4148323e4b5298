package import SceneNavigation
internal import Locking

/// How far one event has come, and who waits for it.
///
/// Whoever has been given it can ask for as long as they like, also when the ledger has forgotten the event.
package struct EventProgress: Sendable {
    private typealias Waiter = (stage: ReceiptStage, notify: @Sendable (Receipt) -> Void)

    private struct State {
        var receipt: Receipt
        var waiters: [Waiter] = []
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
            state.waiters.append((stage, notify))
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
        var told: (receipt: Receipt, waiters: [Waiter])?
        let wasOpen = state.withLock { state in
            guard !state.receipt.outcome.isTerminal else { return false }
            state.receipt.outcome = outcome
            if let revision { state.receipt.revision = revision }
            if let window { state.receipt.window = window }
            guard !state.waiters.isEmpty else { return true }
            var waiters = state.waiters
            if waiters.allSatisfy({ $0.stage.isReached(by: outcome) }) {
                state.waiters = []
            } else {
                waiters.removeAll { !$0.stage.isReached(by: outcome) }
                state.waiters.removeAll { $0.stage.isReached(by: outcome) }
            }
            told = (state.receipt, waiters)
            return true
        }
        if let told {
            for waiter in told.waiters { waiter.notify(told.receipt) }
        }
        return wasOpen && outcome.isTerminal
    }
}
