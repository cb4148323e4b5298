public import SceneRouting

/// All adapters of an app in the order in which they are asked. The first that takes or refuses an event decides.
///
/// A higher priority comes first. Of the same priority, those written in Swift come first, then those of the manifest, then
/// those in other processes, each in the order given. Last come the built-in ones, for opened URLs and for universal links.
public struct AdapterChain: Sendable {
    /// The adapters of this process in the order in which they are asked, the built-in ones included.
    public let adapters: [any EntryPointAdapter]
    /// The adapters for each kind of event, with their names.
    private let byKind: [(kind: EntryKind, adapters: [(name: String, adapter: any EntryPointAdapter)])]
    /// The last of ``adapters``.
    private static let builtIn: [any EntryPointAdapter] = [OpenedURLAdapter(), BrowsingWebAdapter()]

    /// The chain of the adapters that a manifest declares and of `adapters`, written in Swift.
    public init(manifest: AppManifest, adapters: [any EntryPointAdapter] = []) {
        let declared: [any EntryPointAdapter] = manifest.adapters.map { DeclarativeAdapter($0) }
        let ordered = (adapters + declared).enumerated().sorted { one, other in
            (other.element.priority, one.offset) < (one.element.priority, other.offset)
        }
        let all = ordered.map(\.element) + Self.builtIn
        self.adapters = all
        byKind = EntryKind.allCases.map { kind in
            (kind, all.filter { $0.kinds.contains(kind) }.map { ($0.name, $0) })
        }
    }

    /// Asks the adapters of this process in turn.
    /// - Throws: an ``EntryRefusal`` if all decline the event or one refuses it.
    public func adapt(_ event: EntryEvent) throws(EntryRefusal) -> Adaptation {
        var declined: [AdapterDecline] = []
        let kind = event.kind
        for (name, adapter) in byKind.first(where: { $0.kind == kind })?.adapters ?? [] {
            let answer = adapter.adapt(event)
            if let result = answer.result(for: event, from: name, noting: &declined) { return try result.get() }
        }
        throw EntryRefusal(kind: event.kind, declined: declined)
    }

    /// One of all adapters.
    package enum Place: Sendable {
        /// One of the app, declared in its manifest or written in Swift.
        case app(any EntryPointAdapter)
        /// One in another process.
        case outside(OutsideAdapter)
        /// A built-in one.
        case always(any EntryPointAdapter)
    }

    /// All adapters in the order in which they are asked, those in other processes included.
    package func order(with outside: [OutsideAdapter]) -> [Place] {
        var places: [Place] = []
        var waiting = outside.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }[...]
        for adapter in adapters.dropLast(Self.builtIn.count) {
            while let first = waiting.first, first.priority > adapter.priority {
                places.append(.outside(first))
                waiting.removeFirst()
            }
            places.append(.app(adapter))
        }
        return places + waiting.map(Place.outside) + Self.builtIn.map(Place.always)
    }
}

/// An adapter in another process, which answers later or never.
package struct OutsideAdapter: Hashable, Sendable {
    /// The number of its registration; of the same priority the lower number is asked first.
    package let number: Int
    package let name: String
    package let priority: Int

    package init(number: Int, name: String, priority: Int) {
        self.number = number
        self.name = name
        self.priority = priority
    }
}

/// Turns an opened URL into the request to open it.
private struct OpenedURLAdapter: EntryPointAdapter {
    let name = "opened-url"
    let kinds: Set<EntryKind> = [.url]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .url(let open) = event.content, let request = AdaptedRequest(opening: open.url) else {
            return .declined(reason: "url is not an absolute URL")
        }
        return .request(request)
    }
}

/// Turns the activity of a universal link into the request to open its web page.
private struct BrowsingWebAdapter: EntryPointAdapter {
    let name = "browsing-web"
    let kinds: Set<EntryKind> = [.activity]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .activity(let activity) = event.content, activity.activityType == UserActivity.browsingWeb else {
            return .declined(reason: "activityType is not \(UserActivity.browsingWeb)")
        }
        guard let url = activity.webpageURL else { return .declined(reason: "webpageURL is absent") }
        return .request(.universalLink(url))
    }
}
