internal import NIOCore
internal import SceneEntryPoints

extension AdapterRegistry {
    /// Goes along the adapters until one has taken the event or all have passed, and says so once, on the event loop.
    ///
    /// - Parameter onSkip: Told of each adapter that is passed over, and why.
    func inquire(
        _ inquiry: AdapterInquiry,
        on eventLoop: any EventLoop,
        onSkip: @escaping @Sendable (_ adapter: String, _ reason: String) -> Void = { _, _ in },
        _ finish: @escaping @Sendable (Result<Adaptation, EntryRefusal>) -> Void
    ) {
        var inquiry = inquiry
        switch inquiry.next() {
        case .ended(let result): finish(result)
        case .ask(let adapter):
            let waiting = inquiry
            ask(adapter, about: inquiry.event, on: eventLoop) { reply in
                eventLoop.execute {
                    var inquiry = waiting
                    switch reply {
                    case .answer(let answer): inquiry.answered(answer)
                    case .skipped(let reason):
                        inquiry.skipped(reason)
                        onSkip(adapter.name, reason)
                    }
                    self.inquire(inquiry, on: eventLoop, onSkip: onSkip, finish)
                }
            }
        }
    }
}
