public import SceneRouting

/// All adapters of an app in the order they are asked; the first that answers wins.
///
/// Higher priority comes first; of equal ones those written in Swift, then those of the manifest, then those outside this
/// process, each in the order given. Last of all come those that need no declaration: an opened URL is its URL, a
/// universal link its web page.
public struct AdapterChain: Sendable {
    /// The adapters of this process in the order they are asked.
    public let adapters: [any EntryPointAdapter]
    /// Those for each kind of event, with their names.
    private let byKind: [(kind: EntryKind, adapters: [(name: String, adapter: any EntryPointAdapter)])]
    /// Those that need no declaration: the last of ``adapters``.
    private static let undeclared: [any EntryPointAdapter] = [OpenedURLAdapter(), BrowsingWebAdapter()]

    /// The chain of an app: its manifest's adapters and those written in Swift.
    public init(manifest: AppManifest, adapters: [any EntryPointAdapter] = []) {
        let declared: [any EntryPointAdapter] = manifest.adapters.map { DeclarativeAdapter($0) }
        let ordered = (adapters + declared).enumerated().sorted { one, other in
            (other.element.priority, one.offset) < (one.element.priority, other.offset)
        }
        let all = ordered.map(\.element) + Self.undeclared
        self.adapters = all
        byKind = EntryKind.allCases.map { kind in
            (kind, all.filter { $0.kinds.contains(kind) }.map { ($0.name, $0) })
        }
    }

    /// Asks the adapters in turn.
    /// - Throws: an ``EntryRefusal`` when none takes the event, or one that it is for refuses it.
    public func adapt(_ event: EntryEvent) throws(EntryRefusal) -> Adaptation {
        var declined: [AdapterDecline] = []
        let kind = event.kind
        for (name, adapter) in byKind.first(where: { $0.kind == kind })?.adapters ?? [] {
            switch adapter.adapt(event) {
            case .request(let request, let warnings):
                return Adaptation(
                    adapter: name,
                    request: request,
                    declined: declined,
                    warnings: event.warnings + warnings
                )
            case .declined(let reason):
                declined.append(AdapterDecline(adapter: name, reason: reason))
            case .refused(let reason):
                throw EntryRefusal(kind: kind, adapter: name, reason: reason, declined: declined)
            }
        }
        throw EntryRefusal(kind: event.kind, declined: declined)
    }

    /// A place in the order of all adapters.
    package enum Place: Sendable {
        /// The app declares it or has written it in Swift.
        case app(any EntryPointAdapter)
        case outside(OutsideAdapter)
        /// Every app has it.
        case always(any EntryPointAdapter)
    }

    /// Everybody in the order asked, with these of other processes among them.
    package func order(with outside: [OutsideAdapter]) -> [Place] {
        var places: [Place] = []
        var waiting = outside.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }[...]
        for adapter in adapters.dropLast(Self.undeclared.count) {
            while let first = waiting.first, first.priority > adapter.priority {
                places.append(.outside(first))
                waiting.removeFirst()
            }
            places.append(.app(adapter))
        }
        return places + waiting.map(Place.outside) + Self.undeclared.map(Place.always)
    }
}
