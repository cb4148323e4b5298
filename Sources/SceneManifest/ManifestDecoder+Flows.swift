internal import SceneRouting

extension ManifestDecoder {
    mutating func flows(_ node: ManifestNode?, _ types: FactTypes) -> [FlowDeclaration] {
        var flows: [FlowDeclaration] = []
        for member in reader.named(node, at: "flows") {
            let key = "flows.\(member.key)"
            let members = reader.members(
                member.value,
                at: key,
                allowed: [
                    "style", "screens", "start", "intents", "completionNeedsUser", "completion", "result", "after",
                ]
            )
            flows.append(
                FlowDeclaration(
                    name: member.key,
                    style: reader.choice(members["style"], at: "\(key).style", of: ModalStyle.self) ?? .sheet,
                    screens: screens(members["screens"], at: "\(key).screens"),
                    start: starts(members["start"], at: "\(key).start", types),
                    intents: intents(members["intents"], at: "\(key).intents", types),
                    completionNeedsUser: reader.boolean(
                        members["completionNeedsUser"],
                        at: "\(key).completionNeedsUser"
                    ) ?? false,
                    completion: effects(members["completion"], at: "\(key).completion", types),
                    result: parameters(members["result"], at: "\(key).result"),
                    after: sequels(members["after"], at: "\(key).after", types)
                )
            )
        }
        return flows
    }

    private mutating func sequels(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [FlowSequel] {
        reader.named(node, at: key).map { member in
            let key = "\(key).\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["completed", "cancelled"])
            return FlowSequel(
                flow: member.key,
                completed: effects(members["completed"], at: "\(key).completed", types),
                cancelled: effects(members["cancelled"], at: "\(key).cancelled", types)
            )
        }
    }

    private mutating func screens(_ node: ManifestNode?, at key: String) -> [FlowScreen] {
        elements(node, at: key) { decoder, element, key in
            if case .scalar = element.value { return decoder.reader.text(element, at: key).map { FlowScreen(id: $0) } }
            let members = decoder.reader.members(element, at: key, allowed: ["id", "hidesBack", "parameters"])
            let text = decoder.reader.text(members["id"], at: "\(key).id")
            guard let id = decoder.required(text, "id", key, element) else { return nil }
            let hidesBack = decoder.reader.boolean(members["hidesBack"], at: "\(key).hidesBack") ?? false
            let parameters = decoder.parameters(members["parameters"], at: "\(key).parameters")
            return FlowScreen(id: id, hidesBack: hidesBack, parameters: parameters)
        }
    }

    private mutating func starts(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [FlowStart] {
        elements(node, at: key) { decoder, element, key in
            let members = decoder.reader.members(element, at: key, allowed: ["when", "screen"])
            let text = decoder.reader.text(members["screen"], at: "\(key).screen")
            let screen = decoder.required(text, "screen", key, element)
            let when = decoder.required(members["when"], "when", key, element)
            guard let screen, let when else { return nil }
            return FlowStart(when: decoder.predicate(when, at: "\(key).when", types), screen: screen)
        }
    }

    mutating func intents(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [IntentDeclaration] {
        var intents: [IntentDeclaration] = []
        for member in reader.named(node, at: key) {
            let key = "\(key).\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["parameters", "screens", "effects"])
            if let screens = members["screens"], case .list(let named) = screens.value, named.isEmpty {
                reader.report(
                    "no screen is named, so any screen may report '\(member.key)'",
                    .warning,
                    at: "\(key).screens",
                    screens.place,
                    expected: "the screens that may report it, or no 'screens'"
                )
            }
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
}
