/// Checks the flows and intents.
extension ManifestCompilation {
    mutating func checkFlows() {
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            if flow.screens.isEmpty {
                error("\(key).screens", "the flow has no screen", expected: "at least the one it starts with")
            }
            checkUnique("\(key).screens", flow.screens.map(\.id), "screen")
            if !flow.start.isEmpty { checkStart(flow, at: "\(key).start") }
            checkIntents(flow.intents, at: "\(key).intents", flow: flow)
            for (index, effect) in flow.completion.enumerated() {
                check(effect, at: "\(key).completion[\(index)]", EffectScope())
            }
        }
    }

    private mutating func checkStart(_ flow: FlowDeclaration, at key: String) {
        let screens = NameList(flow.screens.map(\.id))
        for (index, start) in flow.start.enumerated() {
            check(start.when, at: "\(key)[\(index)].when", parameters: nil)
            check(start.screen, isOneOf: screens, "screen of \(flow.name)", at: "\(key)[\(index)].screen")
        }
    }

    mutating func checkIntents(_ intents: [IntentDeclaration], at key: String, flow: FlowDeclaration?) {
        checkUnique(key, intents.map(\.name), "intent")
        let screens: NameList
        if let flow {
            screens = NameList(flow.screens.map(\.id))
        } else {
            screens = NameList(manifest.flows.flatMap { $0.screens.map(\.id) } + destinationNames.names)
        }
        for intent in intents {
            let key = "\(key).\(intent.name)"
            let parameters = compile(intent.parameters, at: key)
            self.intents.append((flow?.name, intent, parameters))
            for (index, screen) in intent.screens.enumerated() {
                check(screen, isOneOf: screens, "screen", at: "\(key).screens[\(index)]")
            }
            let scope = EffectScope(intent, flow, screens)
            for (index, effect) in intent.effects.enumerated() {
                check(effect, at: "\(key).effects[\(index)]", scope)
            }
        }
    }

    mutating func check(_ destination: Destination, at key: String) {
        guard check(destination.id, isOneOf: destinationNames, "destination", at: key) else { return }
        guard let index = destinationIndex[destination.id], destinations.indices.contains(index) else { return }
        do {
            _ = try destinations[index].normalized(destination.parameters)
        } catch {
            self.error(key, "\(error)")
        }
    }
}
