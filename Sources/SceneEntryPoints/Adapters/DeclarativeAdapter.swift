package import SceneRouting
internal import StrictJSON

/// An adapter that a manifest declares.
///
/// It takes an event only if all its conditions hold and all values of its mapping exist. Values must be text: a number
/// where text is expected is a reason to decline, not a guess at how to write it.
package struct DeclarativeAdapter: EntryPointAdapter {
    package let declaration: AdapterDeclaration
    package let kinds: Set<EntryKind>
    let rules: Rules?
    /// Why the declaration cannot be used, if it cannot; the adapter then declines every event.
    package let problem: String?

    package var name: String { declaration.name }
    package var priority: Int { declaration.priority }

    /// The adapter of a declaration. Kinds that do not exist are ignored.
    package init(_ declaration: AdapterDeclaration) {
        self.declaration = declaration
        kinds = Set(declaration.kinds.compactMap(EntryKind.init(rawValue:)))
        do throws(CapturePattern.Invalid) {
            rules = try Rules(declaration)
            problem = nil
        } catch {
            rules = nil
            problem = error.reason
        }
    }

    package func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard let rules else { return .declined(reason: "its declaration is wrong: \(problem ?? "")") }
        var captures: [String: String] = [:]
        for condition in rules.conditions {
            if let reason = condition.check(event.json, &captures) { return .declined(reason: reason) }
        }
        let answer = rules.mapping.apply(event.json, captures)
        guard let user = rules.user, case .request(let request, _, let warnings) = answer else { return answer }
        switch user.text(in: event.json) {
        case .text(let user): return .request(request, user: user, warnings: warnings)
        case .absent: return answer
        case .notText(let type): return .declined(reason: "\(user.text) is not text but \(type)")
        }
    }

    /// The captures and paths that it reads from an event it takes, each with its text; none if it declines.
    package func extraction(from event: EntryEvent) -> [String: String] {
        guard let rules else { return [:] }
        var found: [String: String] = [:]
        for condition in rules.conditions where condition.check(event.json, &found) != nil { return [:] }
        let sources = rules.mapping.sources
        if let user = rules.user, case .text(let text) = user.text(in: event.json) { found[user.text] = text }
        for (name, path) in sources.templates.flatMap(\.names) where found[name] == nil {
            if case .text(let text)? = path?.text(in: event.json) { found[name] = text }
        }
        if let source = sources.parametersFrom, let object = source.value(in: event.json)?.objectValue {
            for (name, value) in object {
                if let text = value.stringValue { found["\(source.text).\(name)"] = text }
            }
        }
        return found
    }

    /// The parsed declaration.
    struct Rules: Sendable {
        let conditions: [AdapterCondition]
        let mapping: AdapterMapping
        let user: EventPath?

        init(_ declaration: AdapterDeclaration) throws(CapturePattern.Invalid) {
            var conditions: [AdapterCondition] = []
            for condition in declaration.conditions { conditions.append(try AdapterCondition(condition)) }
            self.conditions = conditions
            mapping = try AdapterMapping(declaration.mapping)
            user = try declaration.user.map { path throws(CapturePattern.Invalid) in try EventPath(checked: path) }
        }
    }
}
