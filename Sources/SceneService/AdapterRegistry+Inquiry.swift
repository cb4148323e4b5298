internal import NIOCore
internal import SceneEntryPoints

extension AdapterRegistry {
    /// What adapters are asked for.
    enum Purpose: Sendable {
        /// An event waits for the answer. Called with each adapter that is passed over, and the reason.
        case event(onSkip: @Sendable (_ adapter: String, _ reason: String) -> Void)
        /// Somebody wants to know, as long as the closure says so.
        case trial(isWanted: @Sendable () -> Bool)
    }

    /// Asks one adapter after the other until one takes the event or none is left, then calls `finish` once, on the event
    /// loop.
    func inquire(
        _ inquiry: AdapterInquiry,
        for purpose: Purpose,
        on eventLoop: any EventLoop,
        _ finish: @escaping @Sendable (Result<Adaptation, EntryRefusal>) -> Void
    ) {
        guard let ownQueue else {
            var inquiry = inquiry
            let step = inquiry.next()
            return goOn(inquiry, step, for: purpose, on: eventLoop, finish)
        }
        ownQueue(inquiry.event.kind) {
            var inquiry = inquiry
            let step = inquiry.next()
            eventLoop.execute { [inquiry] in self.goOn(inquiry, step, for: purpose, on: eventLoop, finish) }
        }
    }

    private func goOn(
        _ inquiry: AdapterInquiry,
        _ step: AdapterInquiry.Step,
        for purpose: Purpose,
        on eventLoop: any EventLoop,
        _ finish: @escaping @Sendable (Result<Adaptation, EntryRefusal>) -> Void
    ) {
        switch step {
        case .ended(let result): finish(result)
        case .ask(let adapter):
            let waiting = inquiry
            let goOn: @Sendable (Reply) -> Void = { reply in
                eventLoop.execute {
                    var inquiry = waiting
                    switch reply {
                    case .answer(let answer): inquiry.answered(answer)
                    case .skipped(let reason):
                        inquiry.skipped(reason)
                        if case .event(let onSkip) = purpose { onSkip(adapter.name, reason) }
                    }
                    self.inquire(inquiry, for: purpose, on: eventLoop, finish)
                }
            }
            switch purpose {
            case .event: ask(adapter, about: inquiry.event, on: eventLoop, goOn)
            case .trial(let isWanted):
                attempt(adapter, with: inquiry.event, on: eventLoop, isWanted: isWanted, goOn)
            }
        }
    }
}
