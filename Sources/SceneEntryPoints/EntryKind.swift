internal import SceneRouting
package import StrictJSON

/// The kind of an event. Its raw value is the name of the kind in a manifest.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
    /// A URL was opened: one with the app's own scheme, or a link that may be a universal link.
    case url
    /// A user activity: a universal link, Handoff, Spotlight, Siri, or an activity of the app's own type.
    case activity
    /// A remote notification, and what the person did with it.
    case push
    /// A tap on a widget.
    case widget
    /// A quick action of the app's icon.
    case shortcut
}

extension EntryKind {
    /// The kind of an event in JSON form, which follows from the member that only this kind requires. A bare push payload is
    /// a push. `nil` if no kind has such members.
    package init?(ofJSON object: JSONObject) {
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

    /// The members that an event of this kind can have in its JSON form.
    package var members: [String] { AdapterDeclaration.members(of: [rawValue]) }
}
