public import StrictJSON

/// The door an event comes through; the raw value is the word a manifest's adapter names it by.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
    /// A URL was opened: a custom scheme of the app or a link that may be a universal one.
    case url
    /// A user activity: a universal link, Handoff, Spotlight, Siri or one of the app's own.
    case activity
    /// A remote notification and what the person did with it.
    case push
    /// A tap on a widget.
    case widget
    /// A quick action of the app's icon.
    case shortcut
}

extension EntryKind {
    /// The kind whose JSON form an object is, told by the member that only this kind demands; a bare push payload is a
    /// push. `nil` where no kind has such members.
    public init?(ofJSON object: JSONObject) {
        func has(_ key: String) -> Bool { object[key] != nil }
        if has("payload") || has("aps") {
            self = .push
        } else if has("activityType") {
            self = .activity
        } else if has("kind") {
            self = .widget
        } else if has("type") {
            self = .shortcut
        } else if has("url") {
            self = .url
        } else {
            return nil
        }
    }

    /// The members an event of this kind may have in its JSON form.
    public var members: [String] {
        switch self {
        case .url: ["url", "sourceApplication"]
        case .activity:
            [
                "activityType", "webpageURL", "userInfo", "title", "targetContentIdentifier", "persistentIdentifier",
                "referrerURL", "handoff", "announced", "failure",
            ]
        case .push: ["payload", "interaction", "action", "text", "voip"]
        case .widget: ["kind", "family", "url", "userInfo"]
        case .shortcut: ["type", "userInfo", "targetContentIdentifier"]
        }
    }
}
