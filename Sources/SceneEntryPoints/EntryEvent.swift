public import StrictJSON

/// Something that arrived at an entry point from outside the app, decoded but not yet understood: adapters turn it into
/// a request (<doc:/SceneRuntime/WayOfAnEvent>).
public struct EntryEvent: Hashable, Sendable {
    public let content: EntryContent
    /// The content in canonical JSON: the parameters of the call that injects it, defaults spelled out, without `null`.
    /// The same event is the same JSON; adapters take their paths through it.
    public let json: JSONObject
    /// What was allowed but probably not meant, each as `path: what`.
    public let warnings: [String]

    /// An event with this content.
    public init(_ content: EntryContent) {
        self.content = content
        switch content {
        case .url(let open): json = open.json
        case .activity(let activity): json = activity.json
        case .push(let push): json = push.json
        case .widget(let tap): json = tap.json
        case .shortcut(let item): json = item.json
        }
        if case .push(let push) = content { warnings = push.payload.warnings } else { warnings = [] }
    }

    // The rest follows from the content.
    public static func == (one: EntryEvent, other: EntryEvent) -> Bool { one.content == other.content }

    public func hash(into hasher: inout Hasher) { hasher.combine(content) }

    public var kind: EntryKind {
        switch content {
        case .url: .url
        case .activity: .activity
        case .push: .push
        case .widget: .widget
        case .shortcut: .shortcut
        }
    }

    /// Refuses a push that names another app as its receiver.
    /// - Throws: which bundle identifiers would have been right.
    public func requireReceiver(_ appIDs: [String]) throws(JSONFieldError) {
        guard case .push(let push) = content, !push.payload.isAddressed(to: appIDs) else { return }
        throw JSONFieldError(
            path: JSONPath(.member(APNsPayload.bundleKey)),
            expected: appIDs.map { APNsPayload.bundle(of: $0).quotedForMessage }.joined(separator: " or "),
            found: (push.payload.simulatorTargetBundle ?? "").quotedForMessage
        )
    }

    /// What the choice of a scene goes by; a URL and a widget have none.
    public var targetContentIdentifier: String? {
        switch content {
        case .url, .widget: nil
        case .activity(let activity): activity.targetContentIdentifier
        case .push(let push): push.payload.aps.targetContentID
        case .shortcut(let item): item.targetContentIdentifier
        }
    }

    /// Whether the app goes somewhere because of it: all but a push that was only presented, dismissed or silent, and a
    /// Handoff whose activity is not here yet or will not come.
    public var isNavigating: Bool {
        switch content {
        case .url, .widget, .shortcut: true
        case .activity(let activity): activity.handoffStep == .arrived
        case .push(let push):
            switch push.interaction {
            case .open, .action: true
            case .present, .dismiss, .silent: false
            }
        }
    }
}
