internal import SceneNavigation
internal import SceneRouting
package import SceneVocabulary
internal import Basics

/// How far one event has come, and who waits for it.
///
/// It stays valid after the ledger has forgotten the event.
package struct EventProgress: Sendable {
    private struct Waiter {
        /// 0 for the call that brought the event.
        let token: Int
        let stage: ReceiptStage
        let notify: @Sendable (Receipt) -> Void
    }

    private struct State {
        /// The receipt without its window.
        var receipt: Receipt
        var window: ShownWindow?
        /// The window in a receipt of before a restart.
        var keptWindow: WindowState?
        var stage = EventStage.waiting
        /// What the event takes, besides its receipt, until it has ended; then what its receipt takes.
        var bytes: Int
        /// What the receipt's windows have taken so far.
        var windowBytes = 0
        /// The first waiter: the call that brought the event, and nearly always the only one.
        var first: Waiter?
        /// The waiters that came later, in order.
        var others: [Waiter] = []
        var lastToken = -1

        var whole: Receipt {
            var receipt = receipt
            receipt.window = window?.state ?? keptWindow
            return receipt
        }

        /// Sets how an attempt ended, in the receipt.
        mutating func end(_ ending: AttemptEnding) {
            receipt.outcome = ending.outcome
            if let answer = ending.answer { receipt.answer = answer }
            if ending.outcome.name == .abandoned || ending.outcome.name == .rejected { receipt.answer = nil }
            receipt.windows += ending.windows
            if let revision = ending.revision { receipt.revision = revision }
            if let shown = ending.window { window = shown }
        }

        mutating func add(_ stage: ReceiptStage, _ notify: @escaping @Sendable (Receipt) -> Void) -> Int {
            lastToken += 1
            let waiter = Waiter(token: lastToken, stage: stage, notify: notify)
            if first == nil, others.isEmpty { first = waiter } else { others.append(waiter) }
            return lastToken
        }

        /// Removes and returns the first waiter, if `outcome` reaches its stage.
        mutating func takeFirst(_ outcome: Outcome) -> Waiter? {
            guard let waiter = first, waiter.stage.isReached(by: outcome) else { return nil }
            first = nil
            return waiter
        }

        /// Removes and returns the other waiters whose stage `outcome` reaches.
        mutating func takeOthers(_ outcome: Outcome) -> [Waiter] {
            guard !others.isEmpty else { return [] }
            defer { others.removeAll { $0.stage.isReached(by: outcome) } }
            return others.filter { $0.stage.isReached(by: outcome) }
        }
    }

    private let state: Guarded<State>

    /// - Parameter bytes: What the event takes until it has ended.
    init(_ receipt: Receipt, bytes: Int) {
        var first = State(receipt: receipt, bytes: bytes)
        // Of an event of before a restart.
        if receipt.outcome.isTerminal {
            first.stage = .ended
            first.bytes = receipt.footprint + (receipt.window?.footprint ?? 0)
        } else if case .gated = receipt.outcome {
            first.stage = .parked
        }
        first.keptWindow = receipt.window
        first.receipt.window = nil
        state = Guarded(first)
    }

    package var receipt: Receipt { state.read { $0.whole } }

    /// What is counted for the event, and as what.
    var charge: Charge { state.read { Charge(stage: $0.stage, bytes: $0.bytes) } }

    /// Bytes that are counted for an event.
    struct Charge: Hashable {
        let stage: EventStage
        let bytes: Int
    }

    /// Calls `notify` once, when the event has reached `stage`; immediately if it already has.
    /// - Returns: A token for ``forget(_:)``; `nil` if `notify` has been called.
    @discardableResult
    package func notify(at stage: ReceiptStage, _ notify: @escaping @Sendable (Receipt) -> Void) -> Int? {
        var token: Int?
        let reached: Receipt? = state.withLock { state in
            if stage.isReached(by: state.receipt.outcome) { return state.whole }
            token = state.add(stage, notify)
            return nil
        }
        if let reached { notify(reached) }
        return token
    }

    /// Cancels a wait.
    package func forget(_ token: Int) {
        state.withLock { state in
            if state.first?.token == token { state.first = nil }
            state.others.removeAll { $0.token == token }
        }
    }

    /// How many waits have not ended.
    package var waiterCount: Int { state.read { ($0.first == nil ? 0 : 1) + $0.others.count } }

    /// The receipt as an attempt's end leaves it.
    func receipt(after ending: AttemptEnding) -> Receipt {
        var state = state.read { $0 }
        state.end(ending)
        return state.whole
    }

    /// Sets how an attempt ended and notifies those who waited for that. An event that has ended does not change.
    ///
    /// - Returns: What is counted for the event instead of what; `nil` if it had ended.
    func update(_ ending: AttemptEnding) -> (old: Charge, new: Charge)? {
        let outcome = ending.outcome
        var told: Receipt?
        var first: Waiter?
        var others: [Waiter] = []
        let change: (Charge, Charge)? = state.withLock { state in
            guard !state.receipt.outcome.isTerminal else { return nil }
            let old = Charge(stage: state.stage, bytes: state.bytes)
            state.end(ending)
            state.windowBytes += ending.addedBytes
            if outcome.isTerminal {
                state.stage = .ended
                state.bytes = state.receipt.footprint + state.windowBytes
            } else {
                if case .gated = outcome { state.stage = .parked }
                state.bytes += ending.addedBytes + (ending.answer?.footprint ?? 0)
            }
            first = state.takeFirst(outcome)
            others = state.takeOthers(outcome)
            if first != nil || !others.isEmpty { told = state.whole }
            return (old, Charge(stage: state.stage, bytes: state.bytes))
        }
        if let told {
            first?.notify(told)
            for waiter in others { waiter.notify(told) }
        }
        return change
    }
}

/// How an attempt of an event ended.
struct AttemptEnding {
    let outcome: Outcome
    /// The revision of the last resolution; `nil` keeps the one in the receipt.
    var revision: Int?
    /// What the event is answered with; `nil` keeps what is in the receipt. There is none to what is rejected or abandoned.
    var answer: [String: FactValue]?
    /// The window now; `nil` keeps the one in the receipt.
    var window: ShownWindow?
    /// How many bytes the window takes besides what it shares.
    var addedBytes = 0
    /// Windows that the attempt has asked for.
    var windows: [WindowAnswer] = []

    /// What is kept of it.
    func kept(for event: AdmittedEvent) -> KeptChange { .outcome(event.key, event.progress.receipt(after: self)) }
}
