package import SceneRouting

/// Asks all adapters about one event, including those in other processes, which answer later.
///
/// ``next()`` asks the adapters of this process itself and stops at the first adapter in another process.
package struct AdapterInquiry: Sendable {
    /// What the caller has to do.
    package enum Step: Hashable, Sendable {
        /// Ask this adapter, report with ``answered(_:)`` or ``skipped(_:)``, then go on with ``next()``.
        case ask(OutsideAdapter)
        /// Nothing: the inquiry has this result.
        case ended(Result<Adaptation, EntryRefusal>)
    }

    package let event: EntryEvent
    private var candidates: ArraySlice<AdapterChain.Place>
    private var declined: [AdapterDecline] = []
    private var asked: OutsideAdapter?
    private var result: Result<Adaptation, EntryRefusal>?

    /// An inquiry about `event`. If the event navigates nowhere, no adapter is asked.
    /// - Parameters:
    ///   - manifest: whose notification categories say whether it does; `nil` if the caller has asked them already.
    ///   - outside: the adapters in other processes for this kind of event.
    ///   - name: the only adapter to ask; `nil` asks all in turn.
    package init(
        _ event: EntryEvent,
        _ chain: AdapterChain,
        outside: [OutsideAdapter],
        only name: String? = nil,
        by manifest: AppManifest? = nil
    ) {
        self.event = event
        guard manifest.map(event.asksAdapters) ?? event.isNavigating else {
            candidates = []
            return
        }
        candidates =
            chain.order(with: outside).filter { $0.takes(event.kind) && (name == nil || $0.name == name) }[...]
    }

    /// Goes on to the next adapter in another process, or to the end.
    package mutating func next() -> Step {
        while result == nil, asked == nil, let candidate = candidates.popFirst() {
            switch candidate {
            case .app(let adapter), .always(let adapter): take(adapter.adapt(event), from: adapter.name)
            case .outside(let adapter): asked = adapter
            }
        }
        if let result { return .ended(result) }
        if let asked { return .ask(asked) }
        return .ended(.failure(EntryRefusal(kind: event.kind, declined: declined)))
    }

    /// Reports the answer of the adapter that was asked.
    package mutating func answered(_ answer: AdapterAnswer) {
        guard let asked else { return }
        self.asked = nil
        take(answer, from: asked.name)
    }

    /// Reports that the adapter that was asked gave no valid answer, for this reason.
    package mutating func skipped(_ reason: String) {
        guard let asked else { return }
        self.asked = nil
        declined.append(AdapterDecline(adapter: asked.name, reason: reason, isSkipped: true))
    }

    private mutating func take(_ answer: AdapterAnswer, from adapter: String) {
        result = answer.result(for: event, from: adapter, noting: &declined)
    }
}

extension AdapterChain.Place {
    fileprivate var name: String {
        switch self {
        case .app(let adapter), .always(let adapter): adapter.name
        case .outside(let adapter): adapter.name
        }
    }

    /// Whether it is for this kind of event. Those in other processes have been chosen by kind already.
    fileprivate func takes(_ kind: EntryKind) -> Bool {
        switch self {
        case .app(let adapter), .always(let adapter): adapter.kinds.contains(kind)
        case .outside: true
        }
    }
}
