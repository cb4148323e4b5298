/// A value of a manifest file and where it stands: what YAML and JSON have in common.
package struct ManifestNode: Sendable {
    package enum Value: Sendable {
        /// `isQuoted` texts are texts whatever they look like.
        case scalar(String, isQuoted: Bool)
        case list([ManifestNode])
        /// In the order of the file, keys unique.
        case map([Member])
    }

    package struct Member: Sendable {
        package var key: String
        package var place: Place
        package var value: ManifestNode
    }

    /// A position in the file, both from 1; columns count Unicode scalars.
    package struct Place: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            (self.line, self.column) = (line, column)
        }
    }

    package var value: Value
    package var place: Place

    /// The name of the value's kind, for messages.
    package var kind: String {
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

    package var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return text.isEmpty || text == "null" || text == "~"
    }

    package var members: [Member]? {
        guard case .map(let members) = value else { return nil }
        return members
    }
}
