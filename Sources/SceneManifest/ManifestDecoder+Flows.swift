internal import SceneRouting

extension ManifestDecoder {
    mutating func flows(_ node: ManifestNode?, _ types: FactTypes) -> [FlowDeclaration] {
        var flows: [FlowDeclaration] = []
        for member in reader.named(node, at: "flows") {
            let key = "flows.\(member.key)"
            let members = reader.members(
                member.value,
                at: key,
                allowed: ["style", "screens", "intents", "completionNeedsUser", "completion"]
            )
            flows.append(
                FlowDeclaration(
                    name: member.key,
                    style: reader.choice(members["style"], at: "\(key).style", of: ModalStyle.self) ?? .sheet,
                    screens: screens(members["screens"], at: "\(key).screens"),
                    intents: intents(members["intents"], at: "\(key).intents", types),
                    completionNeedsUser: reader.boolean(
                        members["completionNeedsUser"],
                        at: "\(key).completionNeedsUser"
                    ) ?? false,
                    completion: effects(members["completion"], at: "\(key).completion", types)
                )
            )
        }
        return flows
    }

    private mutating func screens(_ node: ManifestNode?, at key: String) -> [FlowScreen] {
        var screens: [FlowScreen] = []
        for (index, element) in reader.list(node, at: key).enumerated() {
            let key = "\(key)[\(index)]"
            if case .scalar = element.value {
                if let id = reader.text(element, at: key) { screens.append(FlowScreen(id: id)) }
                continue
            }
            let members = reader.members(element, at: key, allowed: ["id", "hidesBack"])
            guard let id = required(reader.text(members["id"], at: "\(key).id"), "id", key, element) else { continue }
            let hidesBack = reader.boolean(members["hidesBack"], at: "\(key).hidesBack") ?? false
            screens.append(FlowScreen(id: id, hidesBack: hidesBack))
        }
        return screens
    }

    mutating func intents(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [IntentDeclaration] {
        var intents: [IntentDeclaration] = []
        for member in reader.named(node, at: key) {
            let key = "\(key).\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["parameters", "screens", "effects"])
            intents.append(
                IntentDeclaration(
                    name: member.key,
                    parameters: parameters(members["parameters"], at: "\(key).parameters"),
                    screens: reader.texts(members["screens"], at: "\(key).screens"),
                    effects: effects(members["effects"], at: "\(key).effects", types)
                )
            )
        }
        return intents
    }

    private static let effectKeys = [
        "route", "set", "append", "reset", "signOut", "markStale", "push", "replace", "back", "complete",
        "cancel",
    ]

    private mutating func effects(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [IntentEffect] {
        reader.list(node, at: key).enumerated().compactMap { effect($1, at: "\(key)[\($0)]", types) }
    }

    private mutating func effect(_ node: ManifestNode, at key: String, _ types: FactTypes) -> IntentEffect? {
        if case .scalar(let text, _) = node.value {
            switch text {
            case "signOut": return .signOut
            case "markStale": return .markStale
            case "back": return .back
            case "complete": return .complete(user: nil)
            case "cancel": return .cancel
            default:
                reader.report(
                    "'\(text)' is not an effect",
                    at: key,
                    node.place,
                    expected: "signOut, markStale, back, complete, cancel or a mapping such as { route: cart }",
                    suggestion: Spelling.nearest(to: text, among: Self.effectKeys)
                )
                return nil
            }
        }
        let members = reader.members(node, at: key, allowed: Self.effectKeys + ["parameters", "value"])
        let names = members.keys.filter { Self.effectKeys.contains($0) }
        guard names.count == 1, let name = names.first, let value = members[name] else {
            reader.report(
                "an effect must do exactly one thing",
                at: key,
                node.place,
                expected: "one of \(Self.effectKeys.joined(separator: ", "))"
            )
            return nil
        }
        let inner = "\(key).\(name)"
        for extra in members.keys where extra != name {
            let isAllowed = extra == "parameters" ? name == "route" : name == "set" || name == "append"
            guard !isAllowed else { continue }
            reader.report("'\(extra)' cannot be combined with '\(name)'", at: "\(key).\(extra)", members[extra]?.place)
        }
        if name == "complete" {
            let inside = reader.members(value, at: inner, allowed: ["user"])
            return .complete(user: reader.text(inside["user"], at: "\(inner).user"))
        }
        guard let text = reader.text(value, at: inner) else { return nil }
        switch name {
        case "route":
            var parameters: [String: ValueSource] = [:]
            for member in reader.named(members["parameters"], at: "\(key).parameters") {
                parameters[member.key] = source(member.value, .string, at: "\(key).parameters.\(member.key)")
            }
            return .route(destination: text, parameters: parameters)
        case "set":
            return valueSource(members, node, types[text], at: key).map { .set(fact: text, $0) }
        case "append":
            return valueSource(members, node, .string, at: key).map { .append(fact: text, $0) }
        case "reset": return .reset(fact: text)
        case "push": return .push(screen: text)
        case "replace": return .replace(screen: text)
        default:
            reader.report("'\(name)' cannot have a value", at: inner, value.place, expected: "'\(name)' alone")
            return nil
        }
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
