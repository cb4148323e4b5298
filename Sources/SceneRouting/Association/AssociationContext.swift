internal import StrictJSON

/// What all components of a file or a detail share: the variables, and the defaults for members that a component lacks.
struct AssociationContext {
    /// The outermost first; the last one that has a member decides.
    private var defaults: [JSONValue] = []
    /// The values of the file's variables as tokens. A value can have wildcards but no variables.
    private let variables: [String: [[AssociationPattern.Token]]]
    private let foldedVariables: [String: [[AssociationPattern.Token]]]

    init(_ links: JSONValue) {
        if let defaults = links["defaults"] { self.defaults = [defaults] }
        var values: [String: Set<String>] = [:]
        for (name, list) in links["substitutionVariables"]?.objectValue ?? [:] {
            values[name] = Set(list.arrayValue?.compactMap(\.stringValue) ?? [])
        }
        func tokens(ignoresCase: Bool) -> [String: [[AssociationPattern.Token]]] {
            values.mapValues { list in
                list.map { AssociationPattern.tokens($0, variables: [:], ignoresCase: ignoresCase) }
            }
        }
        variables = tokens(ignoresCase: false)
        foldedVariables = tokens(ignoresCase: true)
    }

    func adding(defaults: JSONValue?) -> AssociationContext {
        guard let defaults else { return self }
        var context = self
        context.defaults.append(defaults)
        return context
    }

    /// The member of the component, or its innermost default.
    func member(_ key: String, of component: JSONValue) -> JSONValue? {
        if let own = component[key] { return own }
        for defaults in defaults.reversed() {
            if let value = defaults[key] { return value }
        }
        return nil
    }

    /// Reads a pattern.
    /// - Parameter budget: how many characters the file's patterns may still have with their variables written out. A
    ///   pattern beyond that never matches.
    func pattern(_ text: some StringProtocol, ignoresCase: Bool, budget: inout Int) -> AssociationPattern {
        let variables = ignoresCase ? foldedVariables : variables
        let tokens = AssociationPattern.tokens(text, variables: variables, ignoresCase: ignoresCase)
        budget -= AssociationPattern.weight(tokens)
        return AssociationPattern(tokens: budget >= 0 ? tokens : [.nothing], ignoresCase: ignoresCase)
    }

    /// The maximum length of all patterns of a file together with their variables written out, in characters.
    static let budget = 1 << 20
}
