public import SceneRouting

/// The result of asking adapters about an event that one of them took.
public struct Adaptation: Hashable, Sendable {
    /// The name of the adapter that took the event.
    public let adapter: String
    /// The request that it made of the event.
    public let request: AdaptedRequest
    /// The user whom the event is for; `nil` for anybody.
    public let user: String?
    /// The adapters that were asked before, in that order, each with its reason.
    public let declined: [AdapterDecline]
    /// The warnings about the event's format and from the adapter, each as `path: what`.
    public let warnings: [String]
}

/// A request that an adapter made of an event, before routing.
public enum AdaptedRequest: Hashable, Sendable {
    /// A URL of the app's own scheme.
    case url(String)
    /// An http or https URL, which is routed only if an associated domain lets it open the app.
    case universalLink(String)
    /// A destination, whose ID and parameters have not been checked.
    case destination(Destination)
    /// Nothing: the app has done what the event asks for, and there is nothing to navigate.
    case handled

    /// The request to open `url`: a universal link for http and https. `nil` if the text has no scheme.
    public init?(opening url: String) {
        guard let scheme = URLScheme.of(url) else { return nil }
        self = URLScheme.isWeb(scheme: scheme) ? .universalLink(url) : .url(url)
    }
}

/// An adapter that did not take an event.
public struct AdapterDecline: Hashable, Sendable {
    /// The adapter's name.
    public let adapter: String
    /// Why, as a phrase.
    public let reason: String
    /// Whether it gave no valid answer: it was too slow, had gone, or answered nonsense.
    public let isSkipped: Bool

    /// A decline of the adapter with this name.
    package init(adapter: String, reason: String, isSkipped: Bool = false) {
        self.adapter = adapter
        self.reason = reason
        self.isSkipped = isSkipped
    }
}

/// Why no adapter made a request of an event.
public struct EntryRefusal: Error, Hashable, Sendable {
    /// The kind of the event.
    public let kind: EntryKind
    /// The name of the adapter that refused the event; `nil` if all declined.
    public let adapter: String?
    /// Why, as a phrase.
    public let reason: String
    /// The adapters that declined, in the order asked, each with its reason.
    public let declined: [AdapterDecline]
}

extension EntryRefusal {
    /// The refusal of an event that every adapter declined.
    init(kind: EntryKind, declined: [AdapterDecline]) {
        let reasons = declined.map { "\($0.adapter): \($0.reason)" }.joined(separator: "; ")
        let reason = declined.isEmpty ? "the app has none for this kind" : reasons
        self.init(kind: kind, adapter: nil, reason: reason, declined: declined)
    }
}

extension EntryRefusal: CustomStringConvertible {
    /// One line: `widget: the adapter campaign refuses it: expired`.
    public var description: String {
        if let adapter { return "\(kind.rawValue): the adapter \(adapter) refuses it: \(reason)" }
        return "\(kind.rawValue): no adapter takes it: \(reason)"
    }
}

extension AdapterAnswer {
    /// The result, if the answer of `adapter` to `event` ends the inquiry; otherwise `nil`, and the decline is noted.
    func result(
        for event: EntryEvent,
        from adapter: String,
        noting declined: inout [AdapterDecline]
    ) -> Result<Adaptation, EntryRefusal>? {
        switch self {
        case .request(let request, let user, let warnings):
            return .success(
                Adaptation(
                    adapter: adapter,
                    request: request,
                    user: user,
                    declined: declined,
                    warnings: event.warnings + warnings
                )
            )
        case .declined(let reason):
            declined.append(AdapterDecline(adapter: adapter, reason: reason))
            return nil
        case .refused(let reason):
            return .failure(EntryRefusal(kind: event.kind, adapter: adapter, reason: reason, declined: declined))
        }
    }
}
