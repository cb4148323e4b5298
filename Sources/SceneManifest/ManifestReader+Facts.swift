package import SceneRouting

extension ManifestReader {
    /// A value of the fact's type, or of the type it looks like where the fact is unknown (which is reported elsewhere).
    package mutating func factValue(_ node: ManifestNode, _ type: FactDeclaration.FactType?, at key: String)
        -> FactValue?
    {
        switch (node.value, type) {
        case (.list, .strings), (.list, nil): return .strings(texts(node, at: key))
        case (.scalar(let text, _), .string) where !node.isNull: return .string(text)
        case (.scalar, .boolean): return boolean(node, at: key).map(FactValue.boolean)
        case (.scalar, .integer): return integer(node, at: key).map(FactValue.integer)
        case (.scalar(let text, isQuoted: false), .number):
            if let number = Double(text), number.isFinite { return .number(number) }
        case (.scalar(let text, let isQuoted), nil):
            if isQuoted { return .string(text) }
            if text == "true" || text == "false" { return .boolean(text == "true") }
            if let integer = Int(text) { return .integer(integer) }
            if let number = Double(text), number.isFinite { return .number(number) }
            return .string(text)
        default: break
        }
        report("is \(node.kind)", at: key, node.place, expected: type.map { "a value of type \($0.rawValue)" })
        return nil
    }
}
