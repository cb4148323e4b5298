internal import SceneRouting
internal import SceneVocabulary

extension ManifestDecoder {
    /// Those that need nothing but their name.
    private static let words =
        ["signOut", "markStale", "back", "popToRoot", "complete", "cancel"] + ofWindows

    /// Those that mean this window, or the windows that are for a destination.
    private static let ofWindows = ["closeWindow", "refreshWindow"]

    /// The move has the name of the op by which it is made.
    private static let popTo = NavOp.Name.popTo.rawValue

    private static let effectKeys =
        [
            "route", "set", "append", "remove", "add", "reset", "push", "replace", "pop", popTo, "start", "openWindow",
            "answer",
        ] + words

    /// What may stand beside an effect, and beside which.
    private static let extraKeys = [
        ("when", effectKeys), ("parameters", ["route", "push", "replace", "start", "openWindow"] + ofWindows),
        ("configuration", ["openWindow"]),
        ("value", ["set", "append", "remove", "add"]),
        ("animated", ["push", "replace", "pop", popTo, "back", "popToRoot", "start"]),
    ]

    mutating func effects(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [IntentEffect] {
        elements(node, at: key) { $0.effect($1, at: $2, types) }
    }

    private mutating func effect(_ node: ManifestNode, at key: String, _ types: FactTypes) -> IntentEffect? {
        if case .scalar(let text, _) = node.value {
            if let effect = Self.effect(text, isAnimated: true) { return effect }
            reader.report(
                "'\(text)' is not an effect",
                at: key,
                node.place,
                expected: "\(Self.words.joined(separator: ", ")) or a mapping such as { route: cart }",
                suggestion: Spelling.nearest(to: text, among: Self.effectKeys)
            )
            return nil
        }
        let members = reader.members(node, at: key, allowed: Self.effectKeys + Self.extraKeys.map(\.0))
        let names = members.keys.filter { Self.effectKeys.contains($0) }
        guard names.count == 1, let name = names.first, let value = members[name] else {
            guard !names.isEmpty || !reader.hasMisspelt(oneOf: Self.effectKeys, at: key) else { return nil }
            reader.report(
                "an effect must do exactly one thing",
                at: key,
                node.place,
                expected: "one of \(Self.effectKeys.joined(separator: ", "))"
            )
            return nil
        }
        for (extra, effects) in Self.extraKeys where members[extra] != nil && !effects.contains(name) {
            reader.report(
                "'\(extra)' cannot be combined with '\(name)'",
                at: "\(key).\(extra)",
                members[extra]?.place,
                expected: "'\(extra)' with \(effects.joined(separator: ", "))"
            )
        }
        let condition = members["when"].map { predicate($0, at: "\(key).when", types) }
        let effect = effect(name, value, members, node, at: key, types)
        guard let condition, let effect else { return effect }
        return .when(condition, effect)
    }

    /// The effect of this name if it needs nothing else.
    private static func effect(_ word: String, isAnimated: Bool) -> IntentEffect? {
        switch word {
        case "signOut": .signOut
        case "markStale": .markStale
        case "back": .pop(animated: isAnimated)
        case "popToRoot": .popToRoot(animated: isAnimated)
        case "complete": .complete(user: nil)
        case "cancel": .cancel
        case "closeWindow": .closeWindow
        case "refreshWindow": .refreshWindow
        default: nil
        }
    }

    private mutating func effect(
        _ name: String,
        _ value: ManifestNode,
        _ members: [String: ManifestNode],
        _ node: ManifestNode,
        at key: String,
        _ types: FactTypes
    ) -> IntentEffect? {
        let inner = "\(key).\(name)"
        if name == "complete" {
            let inside = reader.members(value, at: inner, allowed: ["user", "result"])
            return .complete(
                user: reader.text(inside["user"], at: "\(inner).user"),
                result: sources(inside["result"], at: "\(inner).result")
            )
        }
        if name == "answer" { return .answer(sources(value, nil, at: inner)) }
        let isAnimated = reader.boolean(members["animated"], at: "\(key).animated") ?? true
        if let effect = Self.effect(name, isAnimated: isAnimated) {
            if value.isNull {
                if let parameters = members["parameters"], Self.ofWindows.contains(name) {
                    reader.report(
                        "'parameters' say which window is meant, and there is no destination",
                        at: "\(key).parameters",
                        parameters.place,
                        expected: "{ \(name): DESTINATION, parameters: … }"
                    )
                }
                return effect
            }
            if Self.ofWindows.contains(name) { return ofWindows(name, value, members, at: key) }
            reader.report("'\(name)' cannot have a value", at: inner, value.place, expected: "'\(name)' alone")
            return nil
        }
        if name == "pop" {
            return reader.integer(value, at: inner).map { .pop(count: $0, animated: isAnimated) }
        }
        guard let text = reader.text(value, at: inner) else { return nil }
        switch name {
        case "route":
            return .route(destination: text, parameters: sources(members["parameters"], at: "\(key).parameters"))
        case "set": return valueSource(members, node, types[text], at: key).map { .set(fact: text, $0) }
        case "append": return valueSource(members, node, .string, at: key).map { .append(fact: text, $0) }
        case "remove": return valueSource(members, node, .string, at: key).map { .remove(fact: text, $0) }
        case "add": return valueSource(members, node, .integer, at: key).map { .add(fact: text, $0) }
        case "reset": return .reset(fact: text)
        case "push":
            let parameters = sources(members["parameters"], at: "\(key).parameters")
            return .push(screen: text, parameters: parameters, animated: isAnimated)
        case "start":
            let parameters = sources(members["parameters"], at: "\(key).parameters")
            return .start(flow: text, parameters: parameters, animated: isAnimated)
        case "openWindow":
            return .openWindow(
                destination: text,
                parameters: sources(members["parameters"], at: "\(key).parameters"),
                configuration: reader.text(members["configuration"], at: "\(key).configuration")
            )
        case Self.popTo: return .popTo(screen: text, animated: isAnimated)
        default:
            let parameters = sources(members["parameters"], at: "\(key).parameters")
            return .replace(screen: text, parameters: parameters, animated: isAnimated)
        }
    }

    /// What is done with the windows that are for a destination.
    private mutating func ofWindows(
        _ name: String,
        _ value: ManifestNode,
        _ members: [String: ManifestNode],
        at key: String
    ) -> IntentEffect? {
        guard let destination = reader.text(value, at: "\(key).\(name)") else { return nil }
        let parameters = sources(members["parameters"], at: "\(key).parameters")
        return name == "closeWindow"
            ? .closeWindows(destination: destination, parameters: parameters)
            : .refreshWindows(destination: destination, parameters: parameters)
    }

    /// - Parameter type: The type of values that are given as they are; `nil` for the one that each is written as.
    private mutating func sources(
        _ node: ManifestNode?,
        _ type: FactDeclaration.FactType? = .string,
        at key: String
    ) -> [String: ValueSource] {
        var sources: [String: ValueSource] = [:]
        for member in reader.named(given(node, "a mapping", at: key), at: key) {
            sources[member.key] = source(member.value, type, at: "\(key).\(member.key)")
        }
        return sources
    }

    private mutating func valueSource(
        _ members: [String: ManifestNode],
        _ node: ManifestNode,
        _ type: FactDeclaration.FactType?,
        at key: String
    ) -> ValueSource? {
        guard let value = required(members["value"], "value", key, node) else { return nil }
        return source(value, type, at: "\(key).value")
    }

    private mutating func source(
        _ node: ManifestNode,
        _ type: FactDeclaration.FactType?,
        at key: String
    ) -> ValueSource? {
        guard node.members != nil else { return reader.factValue(node, type, at: key).map { .literal($0) } }
        let members = reader.members(node, at: key, allowed: ["parameter", "fact"])
        guard members.count == 1 else {
            reader.report(
                "a value must have exactly one source",
                at: key,
                node.place,
                expected: "{ parameter: NAME } or { fact: NAME }"
            )
            return nil
        }
        if let name = members["parameter"] { return reader.text(name, at: "\(key).parameter").map { .parameter($0) } }
        return reader.text(members["fact"], at: "\(key).fact").map { .fact($0) }
    }
}
