internal import Basics
internal import SceneRouting

extension ManifestDecoder {
    mutating func facts(_ node: ManifestNode?) -> [FactDeclaration] {
        var facts: [FactDeclaration] = []
        for member in reader.named(node, at: "facts") {
            let key = "facts.\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["type", "scope", "default", "secret"])
            guard
                let type = required(
                    reader.choice(members["type"], at: "\(key).type", of: FactDeclaration.FactType.self),
                    "type",
                    key,
                    member.value
                )
            else { continue }
            let scope = reader.choice(members["scope"], at: "\(key).scope", of: FactDeclaration.Scope.self) ?? .user
            let value = members["default"].flatMap {
                $0.isNull ? nil : reader.factValue($0, type, at: "\(key).default")
            }
            let isSecret = reader.boolean(members["secret"], at: "\(key).secret") ?? false
            facts.append(
                FactDeclaration(
                    name: member.key,
                    type: type,
                    scope: scope,
                    defaultValue: value,
                    isSecret: isSecret
                )
            )
        }
        return facts
    }

    mutating func preconditions(_ node: ManifestNode?, _ types: FactTypes) -> [PreconditionDeclaration] {
        var result: [PreconditionDeclaration] = []
        for member in reader.named(node, at: "preconditions") {
            let key = "preconditions.\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["holds", "flow"])
            guard let holds = required(members["holds"], "holds", key, member.value) else { continue }
            result.append(
                PreconditionDeclaration(
                    name: member.key,
                    holds: predicate(holds, at: "\(key).holds", types),
                    flow: reader.text(members["flow"], at: "\(key).flow") ?? ""
                )
            )
        }
        return result
    }

    mutating func conditions(_ node: ManifestNode?, _ types: FactTypes) -> [ConditionDeclaration] {
        var result: [ConditionDeclaration] = []
        for member in reader.named(node, at: "conditions") {
            let key = "conditions.\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["holds", "reason"])
            guard let holds = required(members["holds"], "holds", key, member.value) else { continue }
            result.append(
                ConditionDeclaration(
                    name: member.key,
                    holds: predicate(holds, at: "\(key).holds", types),
                    reason: reader.text(members["reason"], at: "\(key).reason") ?? "\(member.key) does not hold"
                )
            )
        }
        return result
    }

    // MARK: - Predicates

    private static let predicateKeys = [
        "present", "fact", "equals", "notEquals", "less", "lessOrEqual", "greater", "greaterOrEqual", "contains",
        "oneOf",
        "appVersion", "period", "all", "any", "not",
    ]

    private static let predicateWords = ["signedIn", "freshSignIn", "always"]

    private static let comparisons: [(String, FactPredicate.Comparison)] = [
        ("equals", .equal), ("notEquals", .notEqual), ("less", .less), ("lessOrEqual", .lessOrEqual),
        ("greater", .greater), ("greaterOrEqual", .greaterOrEqual),
    ]

    /// Reads a predicate. One that cannot be read becomes a predicate that never holds, so that no mistake allows anything.
    mutating func predicate(_ node: ManifestNode, at key: String, _ types: FactTypes) -> FactPredicate {
        let broken = FactPredicate.not(.always)
        if case .scalar(let text, _) = node.value {
            switch text {
            case "signedIn": return .signedIn
            case "freshSignIn": return .freshSignIn
            case "always": return .always
            default:
                reader.report(
                    "'\(text)' is not a predicate",
                    at: key,
                    node.place,
                    expected: "signedIn, freshSignIn, always or a mapping such as { present: cart }",
                    suggestion: Spelling.nearest(to: text, among: Self.predicateWords)
                )
                return broken
            }
        }
        if let word = node.members?.first(where: { Self.predicateWords.contains($0.key) }) {
            let isNegated = if case .scalar("false", isQuoted: false) = word.value.value { true } else { false }
            reader.report(
                "'\(word.key)' stands for itself and has no value",
                at: key,
                word.place,
                expected: isNegated ? "{ not: \(word.key) }" : word.key
            )
            return broken
        }
        let members = reader.members(node, at: key, allowed: Self.predicateKeys)
        guard !members.isEmpty else {
            // What is not allowed in it has been reported.
            guard node.members?.isEmpty ?? true else { return broken }
            reader.report(
                "the predicate is empty",
                at: key,
                node.place,
                expected: "one of \(Self.predicateKeys.joined(separator: ", "))"
            )
            return broken
        }
        if members["fact"] != nil { return factPredicate(node, members, at: key, types) ?? broken }
        guard members.count == 1, let (name, value) = members.first else {
            reader.report(
                "the predicate has more than one member",
                at: key,
                node.place,
                expected: "one of them, or several under 'all' or 'any'"
            )
            return broken
        }
        let inner = "\(key).\(name)"
        switch name {
        case "present": return reader.text(value, at: inner).map { .present(fact: $0) } ?? broken
        case "all": return .all(predicates(value, at: inner, types))
        case "any": return .any(predicates(value, at: inner, types))
        case "not": return .not(predicate(value, at: inner, types))
        case "appVersion": return versionPredicate(value, at: inner) ?? broken
        case "period": return periodPredicate(value, at: inner) ?? broken
        default:
            guard node.members?.count == members.count else { return broken }
            reader.report("'\(name)' needs a fact", at: key, node.place, expected: "{ fact: NAME, \(name): … }")
            return broken
        }
    }

    /// Reads a list of predicates. No list is no empty one: 'all' of nothing would hold.
    private mutating func predicates(_ node: ManifestNode, at key: String, _ types: FactTypes) -> [FactPredicate] {
        reader.list(given(node, "a list", at: key), at: key).enumerated().map {
            predicate($1, at: "\(key)[\($0)]", types)
        }
    }

    private mutating func factPredicate(
        _ node: ManifestNode,
        _ members: [String: ManifestNode],
        at key: String,
        _ types: FactTypes
    ) -> FactPredicate? {
        guard let fact = reader.text(members["fact"], at: "\(key).fact") else { return nil }
        let operators = members.keys.filter { $0 != "fact" }
        guard operators.count == 1, let name = operators.first, let value = members[name] else {
            guard !operators.isEmpty || node.members?.count == members.count else { return nil }
            reader.report(
                "a fact must be compared in exactly one way",
                at: key,
                node.place,
                expected: "one of equals, notEquals, less, lessOrEqual, greater, greaterOrEqual, contains, oneOf"
            )
            return nil
        }
        let inner = "\(key).\(name)"
        let type = types[fact]
        if let comparison = Self.comparisons.first(where: { $0.0 == name })?.1 {
            return operand(value, type, at: inner).map { .compare(fact: fact, comparison, $0) }
        }
        switch name {
        case "contains": return operand(value, .string, at: inner).map { .contains(fact: fact, $0) }
        case "oneOf":
            let values = elements(given(value, "a list", at: inner), at: inner) {
                $0.reader.factValue($1, type, at: $2)
            }
            return .oneOf(fact: fact, values)
        default:
            let alone =
                switch (name, value.value) {
                case ("present", .scalar("false", isQuoted: false)): "{ not: { present: \(fact) } }"
                case ("present", _): "{ present: \(fact) }"
                default: "{ all: [{ fact: \(fact), … }, { \(name): … }] }"
                }
            reader.report("'\(name)' cannot be combined with 'fact'", at: key, node.place, expected: alone)
            return nil
        }
    }

    /// The value of a member; reports one that has none, and returns `nil` for it.
    mutating func given(_ node: ManifestNode?, _ expected: String, at key: String) -> ManifestNode? {
        guard let node, node.isNull else { return node }
        reader.report("is \(node.kind)", at: key, node.place, expected: expected)
        return nil
    }

    private mutating func operand(
        _ node: ManifestNode,
        _ type: FactDeclaration.FactType?,
        at key: String
    ) -> FactPredicate.Operand? {
        if node.members != nil {
            let members = reader.members(node, at: key, allowed: ["parameter"])
            guard let name = members["parameter"] else {
                if members.isEmpty, node.members?.isEmpty ?? true {
                    reader.report(
                        "is an empty mapping",
                        at: key,
                        node.place,
                        expected: "a value or { parameter: NAME }"
                    )
                }
                return nil
            }
            return reader.text(name, at: "\(key).parameter").map { .parameter($0) }
        }
        return reader.factValue(node, type, at: key).map { .value($0) }
    }

    private mutating func versionPredicate(_ node: ManifestNode, at key: String) -> FactPredicate? {
        let members = reader.members(node, at: key, allowed: Self.comparisons.map(\.0))
        guard members.count == 1, let (name, value) = members.first,
            let comparison = Self.comparisons.first(where: { $0.0 == name })?.1
        else {
            reader.report(
                "an app version must be compared in exactly one way",
                at: key,
                node.place,
                expected: "such as { greaterOrEqual: \"2.1\" }"
            )
            return nil
        }
        return reader.text(value, at: "\(key).\(name)").map { .appVersion(comparison, $0) }
    }

    private mutating func periodPredicate(_ node: ManifestNode, at key: String) -> FactPredicate? {
        let members = reader.members(node, at: key, allowed: ["from", "until"])
        guard !members.isEmpty else {
            reader.report(
                "the period has neither a beginning nor an end",
                at: key,
                node.place,
                expected: "'from', 'until' or both"
            )
            return nil
        }
        let from = members["from"].flatMap { moment($0, at: "\(key).from") }
        let until = members["until"].flatMap { moment($0, at: "\(key).until") }
        // An end that cannot be read is not one without limit.
        if members["from"] != nil && from == nil || members["until"] != nil && until == nil { return nil }
        return .period(from: from, until: until)
    }

    private mutating func moment(_ node: ManifestNode, at key: String) -> FactPredicate.Moment? {
        if node.members != nil { return relativeMoment(node, at: key) }
        guard let text = reader.text(node, at: key) else { return nil }
        if let seconds = Instant.seconds(text) { return .date(seconds) }
        reader.report(
            "'\(text)' is not a point in time",
            at: key,
            node.place,
            expected: "a date and time in UTC such as 2026-11-27T00:00:00Z, or { fact: NAME, minus: 24h }"
        )
        return nil
    }

    private mutating func relativeMoment(_ node: ManifestNode, at key: String) -> FactPredicate.Moment? {
        let members = reader.members(node, at: key, allowed: ["fact", "parameter", "plus", "minus"])
        /// The one of two members that is there.
        func one(_ one: String, _ other: String) -> String? {
            members[one] == nil ? other : members[other] == nil ? one : nil
        }
        guard let kind = one("fact", "parameter"), let name = members[kind] else {
            // What is not allowed here has been reported, and may be one of them.
            guard members.count == node.members?.count else { return nil }
            reader.report(
                "is relative to \(members["fact"] == nil ? "nothing" : "both a fact and a parameter")",
                at: key,
                node.place,
                expected: "one of them, as in { fact: NAME, minus: 24h }"
            )
            return nil
        }
        guard let sign = one("plus", "minus") else {
            reader.report("has both 'plus' and 'minus'", at: key, node.place, expected: "one of them")
            return nil
        }
        var offset = Duration.zero
        if let written = members[sign] {
            guard let length = length(written, at: "\(key).\(sign)") else { return nil }
            offset = sign == "minus" ? .zero - length : length
        }
        guard let name = reader.text(name, at: "\(key).\(kind)") else { return nil }
        return kind == "fact" ? .fact(name, offset: offset) : .parameter(name, offset: offset)
    }

    private mutating func length(_ node: ManifestNode, at key: String) -> Duration? {
        guard let text = reader.text(node, at: key) else { return nil }
        if let length = Duration.reading(text) { return length }
        reader.report(
            "'\(text)' is not a length of time",
            at: key,
            node.place,
            expected: "a number with its unit, such as 24h, 90m or 1d12h, at most ten years"
        )
        return nil
    }
}
