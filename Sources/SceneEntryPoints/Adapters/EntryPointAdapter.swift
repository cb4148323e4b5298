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
    /// It takes the event. Each warning says what it left out, as `path: what`.
    case request(AdaptedRequest, warnings: [String])
    /// The event is not for this adapter; the next one is asked.
    case declined(reason: String)
    /// The event is for this adapter but makes no sense; no other adapter is asked.
    case refused(reason: String)

    /// It takes the event, without warnings.
    public static func request(_ request: AdaptedRequest) -> AdapterAnswer { .request(request, warnings: []) }
}
