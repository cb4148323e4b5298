internal import StrictJSON

/// What applies to every component of a file or a detail: variables, and members that components leave out.
struct AssociationContext {
    /// The outermost first; the last that has a member counts.
    private var defaults: [JSONValue] = []
    /// The file's variables as tokens; values may have wildcards but no variables.
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

    /// The component's member, or the innermost default.
    func member(_ key: String, of component: JSONValue) -> JSONValue? {
        if let own = component[key] { return own }
        for defaults in defaults.reversed() {
            if let value = defaults[key] { return value }
        }
        return nil
    }

    /// Reads a pattern.
    /// - Parameter budget: how long all patterns of the file may still be with their variables written out; a pattern
    ///   for which nothing is left never matches.
    func pattern(_ text: some StringProtocol, ignoresCase: Bool, budget: inout Int) -> AssociationPattern {
        let variables = ignoresCase ? foldedVariables : variables
        let tokens = AssociationPattern.tokens(text, variables: variables, ignoresCase: ignoresCase)
        budget -= AssociationPattern.weight(tokens)
        return AssociationPattern(tokens: budget >= 0 ? tokens : [.nothing], ignoresCase: ignoresCase)
    }

    /// The most that all patterns of a file may be long with their variables written out, in characters.
    static let budget = 1 << 20
}
