/// Checks the flows and intents.
extension ManifestCompilation {
    mutating func checkFlows() {
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            if flow.screens.isEmpty {
                error("\(key).screens", "the flow has no screen", expected: "at least the one it starts with")
            }
            checkUnique("\(key).screens", flow.screens.map(\.id), "screen")
            checkIntents(flow.intents, at: "\(key).intents", flow: flow)
            for (index, effect) in flow.completion.enumerated() {
                check(effect, at: "\(key).completion[\(index)]", intent: nil, flow: nil)
            }
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
            for (index, effect) in intent.effects.enumerated() {
                check(effect, at: "\(key).effects[\(index)]", intent: intent, flow: flow, screens: screens)
            }
        }
    }

    private mutating func check(
        _ effect: IntentEffect,
        at key: String,
        intent: IntentDeclaration?,
        flow: FlowDeclaration?,
        screens: NameList = NameList([])
    ) {
        switch effect {
        case .route(let destination, let parameters):
            guard check(destination, isOneOf: destinationNames, "destination", at: "\(key).route"),
                let declaration = declaration(destination)
            else { return }
            for (name, source) in parameters.sorted(by: { $0.key < $1.key }) {
                let key = "\(key).parameters.\(name)"
                check(name, isOneOf: declaration.parameters.map(\.name), "parameter of \(destination)", at: key)
                check(source, at: key, intent: intent)
            }
            for parameter in declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
                guard parameters[parameter.name] == nil else { continue }
                error(
                    "\(key).route",
                    "'\(destination)' needs the parameter '\(parameter.name)'",
                    expected: "a value for it"
                )
            }
        case .set(let fact, let source):
            checkFact(fact, at: "\(key).set")
            check(source, at: "\(key).value", intent: intent)
        case .append(let fact, let source):
            if let type = checkFact(fact, at: "\(key).append"), type != .strings {
                error("\(key).append", "'\(fact)' is of type \(type.rawValue)", expected: "a fact of type strings")
            }
            check(source, at: "\(key).value", intent: intent)
        case .reset(let fact): checkFact(fact, at: "\(key).reset")
        case .signOut, .markStale: break
        case .push(let screen), .replace(let screen):
            guard let flow else {
                error(key, "only an intent of a flow can move within the flow", expected: "'route' to a destination")
                return
            }
            check(screen, isOneOf: screens, "screen of \(flow.name)", at: key)
        case .back, .cancel:
            if flow == nil { error(key, "only an intent of a flow can move within the flow") }
        case .complete(let user):
            guard flow != nil else {
                error(key, "only an intent of a flow can complete it")
                return
            }
            guard let user, let intent else { return }
            let names = intent.parameters.map(\.name)
            check(user, isOneOf: names, "parameter of \(intent.name)", at: "\(key).complete.user")
        }
    }

    private mutating func check(_ source: ValueSource, at key: String, intent: IntentDeclaration?) {
        switch source {
        case .literal: break
        case .parameter(let name):
            let names = intent?.parameters.map(\.name) ?? []
            check(name, isOneOf: names, "parameter of the intent", at: "\(key).parameter")
        case .fact(let name): checkFact(name, at: "\(key).fact")
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
