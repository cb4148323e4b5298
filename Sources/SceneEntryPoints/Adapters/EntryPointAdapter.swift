/// Turns raw events into requests. An adapter must be pure: the same event always gets the same answer.
public protocol EntryPointAdapter: Sendable {
    /// The adapter's name in messages and records, unique in the app.
    var name: String { get }
    /// Adapters of a higher priority are asked first.
    var priority: Int { get }
    /// The kinds of event it is asked about.
    var kinds: Set<EntryKind> { get }
    /// The answer to an event of one of its kinds.
    func adapt(_ event: EntryEvent) -> AdapterAnswer
}

extension EntryPointAdapter {
    /// The default priority, 0.
    public var priority: Int { 0 }
    /// By default all kinds.
    public var kinds: Set<EntryKind> { Set(EntryKind.allCases) }
}

/// An adapter's answer to an event.
public enum AdapterAnswer: Hashable, Sendable {
    /// It takes the event. With `user`, a name, the event is for that user, and is rejected while somebody else is signed in; a
    /// request that is ``AdaptedRequest/handled`` is for anybody. Each warning says what was left out, as `path: what`.
    case request(AdaptedRequest, user: String? = nil, warnings: [String] = [])
    /// The event is not for this adapter; the next one is asked.
    case declined(reason: String)
    /// The event is for this adapter but makes no sense; no other adapter is asked.
    case refused(reason: String)
}
