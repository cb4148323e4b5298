public import StrictJSON

/// Something that arrived from outside the app, decoded but not yet interpreted. Adapters turn it into a request
/// (<doc:/SceneRuntime/WayOfAnEvent>).
public struct EntryEvent: Hashable, Sendable {
    /// The event in Apple's terms.
    public let content: EntryContent
    /// The event in canonical JSON: the parameters of the call that injects it, with defaults and without `null`. Equal
    /// events have equal JSON. The paths of declared adapters lead through it.
    public let json: JSONObject
    /// What is allowed but probably not meant, each as `path: what`.
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

    /// The scene from which it was dragged to where a new window opens; `nil` if it was not.
    package var draggedFrom: String? {
        if case .activity(let activity) = content { activity.draggedFrom } else { nil }
    }

    /// Whether both have the same JSON, in which texts are compared by their bytes.
    public static func == (one: EntryEvent, other: EntryEvent) -> Bool {
        one.kind == other.kind && one.json == other.json
    }

    /// Hashes the JSON.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(json)
    }

    /// The kind of the content.
    public var kind: EntryKind {
        switch content {
        case .url: .url
        case .activity: .activity
        case .push: .push
        case .widget: .widget
        case .shortcut: .shortcut
        }
    }

    /// Checks that a push which names its receiver is for the app with these app IDs.
    /// - Throws: an error that names the bundle identifiers that would be right.
    package func requireReceiver(_ appIDs: [String]) throws(JSONFieldError) {
        guard case .push(let push) = content, !push.payload.isAddressed(to: appIDs) else { return }
        throw JSONFieldError(
            path: JSONPath(.member(APNsPayload.bundleKey)),
            expected: appIDs.map { APNsPayload.bundle(of: $0).quotedForMessage }.joined(separator: " or "),
            found: (push.payload.simulatorTargetBundle ?? "").quotedForMessage
        )
    }

    /// The identifier by which a scene is chosen: the one that the sender gave; of a URL, also a widget's, the URL itself, and of an
    /// activity without one its web page's.
    public var targetContentIdentifier: String? {
        switch content {
        case .url(let open): open.url
        case .widget(let tap): tap.url
        case .activity(let activity): activity.targetContentIdentifier ?? activity.webpageURL
        case .push(let push): push.payload.aps.targetContentID
        case .shortcut(let item): item.targetContentIdentifier
        }
    }

    /// Whether the app navigates because of it. It does not for a push that was presented, dismissed or silent, nor for a
    /// Handoff whose activity has not come yet or will not come.
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

/// The content of an event, in Apple's terms.
///
/// A notification takes some seven hundred bytes and an activity a few hundred. They are kept by reference because every
/// event would be as large otherwise, and an event is passed on a dozen times before it has its ticket.
public enum EntryContent: Hashable, Sendable {
    /// A URL was opened.
    case url(URLOpen)
    /// An activity is continued, or a Handoff has come a step further.
    indirect case activity(UserActivity)
    /// A push arrived, or somebody responded to it.
    indirect case push(PushResponse)
    /// A widget was tapped.
    indirect case widget(WidgetTap)
    /// A quick action was chosen.
    indirect case shortcut(ShortcutItem)
}
