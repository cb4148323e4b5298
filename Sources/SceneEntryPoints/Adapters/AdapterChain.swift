public import SceneRouting

/// All adapters of an app in the order they are asked; the first that answers wins.
///
/// Higher priority comes first; of equal ones those written in Swift, then those of the manifest, each in the order given.
/// Last of all come those that need no declaration: an opened URL is its URL, a universal link its web page.
public struct AdapterChain: Sendable {
    /// The adapters in the order they are asked.
    public let adapters: [any EntryPointAdapter]

    /// The chain of an app: its manifest's adapters and those written in Swift.
    public init(manifest: AppManifest, adapters: [any EntryPointAdapter] = []) {
        let declared: [any EntryPointAdapter] = manifest.adapters.map { DeclarativeAdapter($0) }
        let ordered = (adapters + declared).enumerated().sorted { one, other in
            (other.element.priority, one.offset) < (one.element.priority, other.offset)
        }
        self.adapters = ordered.map(\.element) + [OpenedURLAdapter(), BrowsingWebAdapter()]
    }

    /// Asks the adapters in turn.
    /// - Throws: an ``EntryRefusal`` when none takes the event, or one that it is for refuses it.
    public func adapt(_ event: EntryEvent) throws(EntryRefusal) -> Adaptation {
        var declined: [AdapterDecline] = []
        for adapter in adapters where adapter.kinds.contains(event.kind) {
            switch adapter.adapt(event) {
            case .request(let request, let warnings):
                return Adaptation(
                    adapter: adapter.name,
                    request: request,
                    declined: declined,
                    warnings: event.warnings + warnings
                )
            case .declined(let reason):
                declined.append(AdapterDecline(adapter: adapter.name, reason: reason))
            case .refused(let reason):
                throw EntryRefusal(kind: event.kind, adapter: adapter.name, reason: reason, declined: declined)
            }
        }
        let reasons = declined.map { "\($0.adapter): \($0.reason)" }.joined(separator: "; ")
        let reason = declined.isEmpty ? "the app declares none for this kind" : reasons
        throw EntryRefusal(kind: event.kind, adapter: nil, reason: reason, declined: declined)
    }
}
