/// One event's way along the adapters, of which some answer later: says whom to ask next and takes what they say.
///
/// ``next()`` asks everybody in this process itself and stops at the first who has to be asked elsewhere.
package struct AdapterInquiry: Sendable {
    /// What is to be done.
    package enum Step: Hashable, Sendable {
        /// Ask this one, then say ``answered(_:)`` or ``skipped(_:)``, then go on with ``next()``.
        case ask(OutsideAdapter)
        /// Nobody is asked any more.
        case ended(Result<Adaptation, EntryRefusal>)
    }

    package let event: EntryEvent
    private var candidates: ArraySlice<AdapterChain.Place>
    private var declined: [AdapterDecline] = []
    private var asked: OutsideAdapter?
    private var result: Result<Adaptation, EntryRefusal>?

    /// An inquiry about `event` along a chain and the adapters outside that are for its kind.
    ///
    /// Nobody is asked about an event that navigates nowhere.
    /// - Parameter name: The only adapter to ask; `nil` asks them in turn.
    package init(_ event: EntryEvent, _ chain: AdapterChain, outside: [OutsideAdapter], only name: String? = nil) {
        self.event = event
        guard event.isNavigating else {
            candidates = []
            return
        }
        candidates =
            chain.order(with: outside).filter { $0.takes(event.kind) && (name == nil || $0.name == name) }[...]
    }

    /// Goes on to the next who has to be asked elsewhere, or to the end.
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

    /// The one that was asked has answered.
    package mutating func answered(_ answer: AdapterAnswer) {
        guard let asked else { return }
        self.asked = nil
        take(answer, from: asked.name)
    }

    /// The one that was asked will not be waited for, for this reason.
    package mutating func skipped(_ reason: String) {
        guard let asked else { return }
        self.asked = nil
        declined.append(AdapterDecline(adapter: asked.name, reason: reason, isSkipped: true))
    }

    private mutating func take(_ answer: AdapterAnswer, from adapter: String) {
        switch answer {
        case .request(let request, let warnings):
            result = .success(
                Adaptation(
                    adapter: adapter,
                    request: request,
                    declined: declined,
                    warnings: event.warnings + warnings
                )
            )
        case .declined(let reason):
            declined.append(AdapterDecline(adapter: adapter, reason: reason))
        case .refused(let reason):
            result = .failure(
                EntryRefusal(kind: event.kind, adapter: adapter, reason: reason, declined: declined)
            )
        }
    }
}

extension AdapterChain.Place {
    fileprivate var name: String {
        switch self {
        case .app(let adapter), .always(let adapter): adapter.name
        case .outside(let adapter): adapter.name
        }
    }

    /// Those outside have been chosen by kind already.
    fileprivate func takes(_ kind: EntryKind) -> Bool {
        switch self {
        case .app(let adapter), .always(let adapter): adapter.kinds.contains(kind)
        case .outside: true
        }
    }
}
