internal import StrictJSON

package import SceneRouting

extension DeclarativeAdapter {
    /// Everything wrong with a declaration, each as a phrase, to check a manifest before it is used.
    ///
    /// It finds syntax errors, kinds that do not exist, and paths that begin with a member that no event of the adapter's
    /// kinds has, so that it could never take one.
    package static func problems(in declaration: AdapterDeclaration) -> [String] {
        let adapter = DeclarativeAdapter(declaration)
        var problems: [String] = []
        let kinds = EntryKind.allCases.map(\.rawValue).joined(separator: ", ")
        for kind in declaration.kinds where EntryKind(rawValue: kind) == nil {
            problems.append("\(kind.quotedForMessage) is not a kind of event; the kinds are \(kinds)")
        }
        if declaration.kinds.isEmpty { problems.append("it names no kind of event; the kinds are \(kinds)") }
        if let problem = adapter.problem { problems.append(problem) }
        guard let rules = adapter.rules, !adapter.kinds.isEmpty else { return problems }

        let members = EntryKind.allCases.filter(adapter.kinds.contains).flatMap(\.members)
        let list = members.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
        let outside = "does not begin with a member of its events, which have \(list)"
        for condition in rules.conditions where !members.contains(condition.path.root) {
            problems.append("\(condition.path.text) \(outside)")
        }
        let captures = rules.conditions.reduce(into: Set<String>()) { $0.formUnion($1.captures) }
        let sources = rules.mapping.sources
        for template in sources.templates {
            for (name, path) in template.names where !captures.contains(name) {
                guard !members.contains(path?.root ?? "") else { continue }
                problems.append("{\(name)} is not captured and \(outside)")
            }
        }
        if let source = sources.parametersFrom, !members.contains(source.root) {
            problems.append("\(source.text) \(outside)")
        }
        return problems
    }
}
