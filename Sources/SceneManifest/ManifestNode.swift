/// A value of a manifest file and where it stands: what YAML and JSON have in common.
struct ManifestNode {
    enum Value {
        /// `isQuoted` texts are texts whatever they look like.
        case scalar(String, isQuoted: Bool)
        case list([ManifestNode])
        /// In the order of the file, keys unique.
        case map([Member])
    }

    struct Member {
        var key: String
        var place: Place
        var value: ManifestNode
    }

    /// A position in the file, both from 1; columns count Unicode scalars.
    struct Place: Hashable {
        var line: Int
        var column: Int
    }

    var value: Value
    var place: Place

    /// The name of the value's kind, for messages.
    var kind: String {
        switch value {
        case .scalar(let text, let isQuoted):
            if isQuoted { return "text" }
            if isNull { return "nothing" }
            if text == "true" || text == "false" { return "a boolean" }
            if Int(text) != nil || Double(text) != nil { return "a number" }
            return "text"
        case .list: return "a list"
        case .map: return "a mapping"
        }
    }

    var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return text.isEmpty || text == "null" || text == "~"
    }

    var members: [Member]? {
        guard case .map(let members) = value else { return nil }
        return members
    }
}
