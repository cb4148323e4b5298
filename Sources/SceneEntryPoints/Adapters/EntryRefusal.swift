/// Why no adapter made a request of an event.
public struct EntryRefusal: Error, Hashable, Sendable {
    public let kind: EntryKind
    /// The adapter that refused it, or `nil` where none took it.
    public let adapter: String?
    /// Why, as a phrase.
    public let reason: String
    /// Who was asked and why they passed, in the order asked.
    public let declined: [AdapterDecline]
}

extension EntryRefusal {
    /// Nobody took it.
    init(kind: EntryKind, declined: [AdapterDecline]) {
        let reasons = declined.map { "\($0.adapter): \($0.reason)" }.joined(separator: "; ")
        self.init(
            kind: kind,
            adapter: nil,
            reason: declined.isEmpty ? "the app declares none for this kind" : reasons,
            declined: declined
        )
    }
}

extension EntryRefusal: CustomStringConvertible {
    public var description: String {
        if let adapter { return "\(kind.rawValue): the adapter \(adapter) refuses it: \(reason)" }
        return "\(kind.rawValue): no adapter takes it: \(reason)"
    }
}
