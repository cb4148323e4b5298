/// Which adapter took an event, and what it made of it.
public struct Adaptation: Hashable, Sendable {
    /// The name of the adapter that took it.
    public let adapter: String
    public let request: AdaptedRequest
    /// Who was asked before and why they passed, in the order asked.
    public let declined: [AdapterDecline]
    /// What the event's format and the adapter warn about.
    public let warnings: [String]
}

/// An adapter that passed on an event.
public struct AdapterDecline: Hashable, Sendable {
    public let adapter: String
    public let reason: String
    /// Whether it never came to an answer: it was too slow, had gone, or spoke nonsense.
    public let isSkipped: Bool

    /// An adapter and its reason.
    public init(adapter: String, reason: String, isSkipped: Bool = false) {
        self.adapter = adapter
        self.reason = reason
        self.isSkipped = isSkipped
    }
}
