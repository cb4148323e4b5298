internal import StrictJSON

/// What applies to every component of a file or a detail: variables, and members that components leave out.
struct AssociationContext {
    /// The outermost first; the last that has a member counts.
    private var defaults: [JSONValue] = []
    private var values: [String: [String]] = [:]

    init(_ links: JSONValue) {
        if let defaults = links["defaults"] { self.defaults = [defaults] }
        if let variables = links["substitutionVariables"]?.objectValue {
            for (name, list) in variables {
                values[name] = list.arrayValue?.compactMap(\.stringValue) ?? []
            }
        }
    }

    func adding(defaults: JSONValue?) -> AssociationContext {
        guard let defaults else { return self }
        var context = self
        context.defaults.append(defaults)
        return context
    }

    /// The component's member, or the innermost default.
    func member(_ key: String, of component: JSONValue) -> JSONValue? {
        if let own = component[key] { return own }
        for defaults in defaults.reversed() {
            if let value = defaults[key] { return value }
        }
        return nil
    }

    /// The file's variables as tokens; values may have wildcards but no variables.
    func variables(ignoresCase: Bool) -> [String: [[AssociationPattern.Token]]] {
        values.mapValues { list in
            list.map { AssociationPattern.tokens($0, variables: [:], ignoresCase: ignoresCase) }
        }
    }
}
