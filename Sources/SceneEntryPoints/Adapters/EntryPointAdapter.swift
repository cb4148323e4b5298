/// Turns raw events into requests; pure, so that the same event always gives the same answer.
public protocol EntryPointAdapter: Sendable {
    /// The name in diagnostics; one per app.
    var name: String { get }
    /// Higher is asked first.
    var priority: Int { get }
    /// The kinds of event it is asked about.
    var kinds: Set<EntryKind> { get }
    /// What it makes of an event of one of its kinds.
    func adapt(_ event: EntryEvent) -> AdapterAnswer
}

extension EntryPointAdapter {
    public var priority: Int { 0 }
    public var kinds: Set<EntryKind> { Set(EntryKind.allCases) }
}

/// What an adapter says to an event.
public enum AdapterAnswer: Hashable, Sendable {
    /// It took the event. `warnings` say what it left out, each as `path: what`.
    case request(AdaptedRequest, warnings: [String])
    /// The event is not for this adapter; the next one is asked.
    case declined(reason: String)
    /// The event is for this adapter and makes no sense: nobody else is asked.
    case refused(reason: String)

    /// It took the event without remark.
    public static func request(_ request: AdaptedRequest) -> AdapterAnswer { .request(request, warnings: []) }
}
