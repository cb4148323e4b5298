internal import StrictJSON

public import SceneRouting

extension DeclarativeAdapter {
    /// What is wrong with a declaration, each as a phrase; for whoever checks a manifest before it is used.
    ///
    /// Besides what makes it unusable: kinds that do not exist, and paths that begin with a member which no event of its
    /// kinds has, so that the adapter could never take one.
    public static func problems(in declaration: AdapterDeclaration) -> [String] {
        let adapter = DeclarativeAdapter(declaration)
        var problems: [String] = []
        let kinds = EntryKind.allCases.map(\.rawValue).joined(separator: ", ")
        for kind in declaration.kinds where EntryKind(rawValue: kind) == nil {
            problems.append("\(kind.quotedForMessage) is no kind of event; those are \(kinds)")
        }
        if declaration.kinds.isEmpty { problems.append("it names no kind of event; those are \(kinds)") }
        if let problem = adapter.problem { problems.append(problem) }
        guard let rules = adapter.rules, !adapter.kinds.isEmpty else { return problems }

        let members = EntryKind.allCases.filter(adapter.kinds.contains).flatMap(\.members)
        let list = members.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
        for condition in rules.conditions where !members.contains(condition.path.root) {
            problems.append("\(condition.path.text) begins with no member of its events; those are \(list)")
        }
        let captures = rules.conditions.reduce(into: Set<String>()) { $0.formUnion($1.captures) }
        let sources = rules.mapping.sources
        for template in sources.templates {
            for (name, path) in template.names where !captures.contains(name) {
                guard !members.contains(path?.root ?? "") else { continue }
                problems.append(
                    "{\(name)} is neither captured nor begins with a member of its events; those are \(list)"
                )
            }
        }
        if let source = sources.parametersFrom, !members.contains(source.root) {
            problems.append("\(source.text) begins with no member of its events; those are \(list)")
        }
        return problems
    }
}
