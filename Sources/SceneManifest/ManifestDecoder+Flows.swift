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
        var screens: [FlowScreen] = []
        for (index, element) in reader.list(node, at: key).enumerated() {
            let key = "\(key)[\(index)]"
            if case .scalar = element.value {
                if let id = reader.text(element, at: key) { screens.append(FlowScreen(id: id)) }
                continue
            }
            let members = reader.members(element, at: key, allowed: ["id", "hidesBack", "parameters"])
            guard let id = required(reader.text(members["id"], at: "\(key).id"), "id", key, element) else { continue }
            let hidesBack = reader.boolean(members["hidesBack"], at: "\(key).hidesBack") ?? false
            let parameters = parameters(members["parameters"], at: "\(key).parameters")
            screens.append(FlowScreen(id: id, hidesBack: hidesBack, parameters: parameters))
        }
        return screens
    }

    private mutating func starts(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [FlowStart] {
        var starts: [FlowStart] = []
        for (index, element) in reader.list(node, at: key).enumerated() {
            let key = "\(key)[\(index)]"
            let members = reader.members(element, at: key, allowed: ["when", "screen"])
            let screen = required(reader.text(members["screen"], at: "\(key).screen"), "screen", key, element)
            let when = required(members["when"], "when", key, element)
            guard let screen, let when else { continue }
            starts.append(FlowStart(when: predicate(when, at: "\(key).when", types), screen: screen))
        }
        return starts
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
}
