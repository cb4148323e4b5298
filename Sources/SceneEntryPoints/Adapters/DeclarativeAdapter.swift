public import SceneRouting
internal import StrictJSON

/// An adapter that does what a manifest declares.
///
/// It takes an event only if all its conditions hold and its mapping can be filled; otherwise it declines and says why.
/// Only text is extracted: a number where text was expected is a decline, not a guess at how to write it.
public struct DeclarativeAdapter: EntryPointAdapter {
    public let declaration: AdapterDeclaration
    public let kinds: Set<EntryKind>
    let rules: Rules?
    /// Why the declaration cannot be used, or `nil` if it can. An unusable adapter declines every event with this.
    public let problem: String?

    public var name: String { declaration.name }
    public var priority: Int { declaration.priority }

    /// The adapter of a declaration. Kinds that do not exist are never asked about.
    public init(_ declaration: AdapterDeclaration) {
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

    public func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard let rules else { return .declined(reason: "its declaration is wrong: \(problem ?? "")") }
        var captures: [String: String] = [:]
        for condition in rules.conditions {
            if let reason = condition.check(event.json, &captures) { return .declined(reason: reason) }
        }
        return rules.mapping.apply(event.json, captures)
    }

    /// What it reads from an event it takes: captured names and the paths of its templates, each with the text there.
    public func extraction(from event: EntryEvent) -> [String: String] {
        guard let rules else { return [:] }
        var found: [String: String] = [:]
        for condition in rules.conditions where condition.check(event.json, &found) != nil { return [:] }
        let sources = rules.mapping.sources
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

    /// The declaration, read once.
    struct Rules: Sendable {
        let conditions: [AdapterCondition]
        let mapping: AdapterMapping

        init(_ declaration: AdapterDeclaration) throws(CapturePattern.Invalid) {
            var conditions: [AdapterCondition] = []
            for condition in declaration.conditions { conditions.append(try AdapterCondition(condition)) }
            self.conditions = conditions
            mapping = try AdapterMapping(declaration.mapping)
        }
    }
}
