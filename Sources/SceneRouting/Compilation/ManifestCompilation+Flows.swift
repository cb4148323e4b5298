/// Checks the flows and intents.
extension ManifestCompilation {
    mutating func checkFlows() {
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            if flow.screens.isEmpty {
                error("\(key).screens", "the flow has no screen", expected: "at least the one it starts with")
            }
            checkUnique("\(key).screens", flow.screens.map(\.id), "screen")
            checkParameters(of: flow, at: key)
            if !flow.start.isEmpty { checkStart(flow, at: "\(key).start") }
            checkIntents(flow.intents, at: "\(key).intents", flow: flow)
            for (index, effect) in flow.completion.enumerated() {
                check(effect, at: "\(key).completion[\(index)]", EffectScope())
            }
        }
    }

    private mutating func checkParameters(of flow: FlowDeclaration, at key: String) {
        let starts = Set(flow.screens.prefix(1).map(\.id) + flow.start.map(\.screen))
        for (index, screen) in flow.screens.enumerated() where !screen.parameters.isEmpty {
            let key = "\(key).screens[\(index)]"
            if destinationNames.contains(screen.id) {
                error(
                    "\(key).parameters",
                    "'\(screen.id)' is a destination, which declares its own parameters",
                    expected: "parameters only for a screen that no destination is"
                )
                continue
            }
            let parameters = compile(screen.parameters, at: key)
            flowScreens[flow.name, default: [:]][screen.id] = parameters
            guard starts.contains(screen.id) else { continue }
            for parameter in parameters.map(\.declaration) where parameter.isRequired && parameter.defaultValue == nil {
                error(
                    "\(key).parameters.\(parameter.name)",
                    "the flow may start with '\(screen.id)', and nothing may wait for it that has '\(parameter.name)'",
                    expected: "an optional parameter or a default"
                )
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
