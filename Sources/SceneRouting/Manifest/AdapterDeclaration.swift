/// A declarative adapter: which raw events it takes, and how it turns one into a request.
///
/// Paths name members of the event in its JSON form with dots: `userInfo.order`, `payload.route`. A template is text
/// with paths or captured names in braces: `qcommerce://{identifier}`.
public struct AdapterDeclaration: Hashable, Sendable {
    public var name: String
    /// Higher is asked first; equal priorities in the order of the manifest.
    public var priority: Int
    /// The kinds of event it is asked about: `push`, `activity`, `widget`, `shortcut`, `url`.
    public var kinds: [String]
    /// All of these must hold for it to take an event.
    public var conditions: [FieldCondition]
    public var mapping: Mapping

    /// An adapter.
    public init(name: String, priority: Int = 0, kinds: [String], conditions: [FieldCondition] = [], mapping: Mapping) {
        self.name = name
        self.priority = priority
        self.kinds = kinds
        self.conditions = conditions
        self.mapping = mapping
    }

    /// A condition on one field of the event.
    public enum FieldCondition: Hashable, Sendable {
        case present(path: String)
        case equals(path: String, oneOf: [String])
        /// The whole text matches, and the names in braces are captured: `product/{id}`. A capture takes one or more
        /// characters other than `/`.
        case matches(path: String, pattern: String)
    }

    /// What the adapter makes of the event.
    public enum Mapping: Hashable, Sendable {
        /// A URL that is routed as if it had been opened.
        case url(template: String)
        /// A destination: `id` and each parameter are templates. `parametersFrom` names an object whose text members
        /// are parameters too. A parameter whose template has a path that is absent is left out.
        case destination(id: String, parameters: [String: String], parametersFrom: String?)
    }
}
