/// An adapter declared in a manifest: which raw events it takes, and how it turns one into a request.
///
/// A path names a member of the event in its JSON form, with dots: `userInfo.order`, `payload.route`. A template is text
/// with paths or captured names in braces: `qcommerce://{identifier}`.
public struct AdapterDeclaration: Hashable, Sendable {
    /// The adapter's name, unique among those of the manifest.
    public var name: String
    /// Adapters of a higher priority are asked first, those of the same priority in the order of the manifest.
    public var priority: Int
    /// The kinds of event it is asked about: `push`, `activity`, `widget`, `shortcut`, `url`.
    public var kinds: [String]
    /// The conditions that must all hold for it to take an event.
    public var conditions: [FieldCondition]
    /// How it turns an event into a request.
    public var mapping: Mapping
    /// The path of the user whom the event is for: while somebody else is signed in, it is rejected. If nothing is there, the
    /// event is for anybody.
    public var user: String?

    /// An adapter; without conditions it takes every event of its kinds.
    public init(
        name: String,
        priority: Int = 0,
        kinds: [String],
        conditions: [FieldCondition] = [],
        mapping: Mapping,
        user: String? = nil
    ) {
        self.name = name
        self.priority = priority
        self.kinds = kinds
        self.conditions = conditions
        self.mapping = mapping
        self.user = user
    }

    /// The type of the activity that carries a link of the web (`NSUserActivityTypeBrowsingWeb`).
    package static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

    /// The members that events have in their JSON form, by kind, with which a path begins.
    package static let members: KeyValuePairs = [
        "push": ["payload", "interaction", "action", "text", "voip"],
        "activity": [
            "activityType", "webpageURL", "userInfo", "title", "targetContentIdentifier", "persistentIdentifier",
            "referrerURL", "handoff", "announced", "failure", "draggedFrom",
        ], "widget": ["kind", "family", "url", "userInfo"],
        "shortcut": ["type", "userInfo", "targetContentIdentifier"], "url": ["url", "sourceApplication"],
    ]

    /// The members of these kinds of event.
    package static func members(of kinds: [String]) -> [String] {
        members.filter { kinds.contains($0.key) }.flatMap(\.value)
    }

    /// A condition on one field of the event.
    public enum FieldCondition: Hashable, Sendable {
        /// The field exists and is not null.
        case present(path: String)
        /// The field is one of these texts.
        case equals(path: String, oneOf: [String])
        /// The field is text that matches the pattern as a whole: `product/{id}`. A name in braces captures one or more
        /// characters other than `/`.
        case matches(path: String, pattern: String)
    }

    /// What the adapter makes of the event.
    public enum Mapping: Hashable, Sendable {
        /// A URL, which is routed as if it had been opened.
        case url(template: String)
        /// A destination. `id` and the values of `parameters` are templates; a parameter whose template has an absent path
        /// is left out. `parametersFrom` is the path of an object whose text members become parameters too.
        case destination(id: String, parameters: [String: String], parametersFrom: String?)
        /// Nothing: the app is done with the event, and there is nothing to navigate.
        case handled
    }
}
