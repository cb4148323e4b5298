/// Checks the flows and intents.
extension ManifestCompilation {
    mutating func checkFlows() {
        // What a flow starts with, or hands over, has to be known before it is checked who starts it.
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            checkParameters(of: flow, at: key)
            if !flow.result.isEmpty { flowResults[flow.name] = compile(flow.result, at: key, as: "result") }
            let screens = flowScreens[flow.name] ?? [:]
            startParameters[flow.name] = StartParameters(flow.startingScreens.flatMap { screens[$0] ?? [] })
        }
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
            if !flow.after.isEmpty { checkSequels(of: flow, at: "\(key).after") }
        }
        checkStartsInOrder()
    }

    // MARK: - Parts

    private mutating func checkSequels(of flow: FlowDeclaration, at key: String) {
        checkUnique(key, flow.after.map(\.flow), "flow")
        let (screens, results) = (NameList(flow.screens.map(\.id)), NameList(flow.result.map(\.name)))
        for sequel in flow.after {
            let key = "\(key).\(sequel.flow)"
            check(sequel.flow, isOneOf: flowNames, "flow", at: key)
            let result = (flowResults[sequel.flow] ?? []).map(\.declaration)
            let completed = EffectScope(after: sequel.flow, result, flow, screens, results)
            for (index, effect) in sequel.completed.enumerated() {
                check(effect, at: "\(key).completed[\(index)]", completed)
            }
            let cancelled = EffectScope(after: sequel.flow, nil, flow, screens, results)
            for (index, effect) in sequel.cancelled.enumerated() {
                check(effect, at: "\(key).cancelled[\(index)]", cancelled)
            }
        }
    }

    private mutating func checkParameters(of flow: FlowDeclaration, at key: String) {
        let starts = Set(flow.startingScreens)
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

    /// For each screen that only flows use, and for which all of these declare parameters: those of each flow.
    var ownScreens: [String: [[CompiledDestination.Parameter]]] {
        var declared: [String: [[CompiledDestination.Parameter]]] = [:]
        var takesAny: Set<String> = []
        for flow in manifest.flows {
            for screen in flow.screens {
                if let parameters = flowScreens[flow.name]?[screen.id] {
                    declared[screen.id, default: []].append(parameters)
                } else {
                    takesAny.insert(screen.id)
                }
            }
        }
        return declared.filter { !takesAny.contains($0.key) }
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
        let results = NameList((flow?.result ?? []).map(\.name))
        for intent in intents {
            let key = "\(key).\(intent.name)"
            let parameters = compile(intent.parameters, at: key)
            self.intents.append((flow?.name, intent, parameters))
            for (index, screen) in intent.screens.enumerated() {
                check(screen, isOneOf: screens, "screen", at: "\(key).screens[\(index)]")
            }
            let scope = EffectScope(intent, flow, screens, results)
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

/// The parameters of the screens with which a flow may start.
struct StartParameters {
    let names: NameList
    /// What each of them may be, by name: whatever one of the screens allows.
    let checks: [String: [ParameterCheck]]

    /// More screens than these are not asked, so that files with many of them stay cheap.
    private static let mostChecks = 64

    init(_ parameters: [CompiledDestination.Parameter]) {
        names = NameList(parameters.map(\.declaration.name))
        var checks: [String: [ParameterCheck]] = [:]
        for parameter in parameters {
            let name = parameter.declaration.name
            let known = checks[name] ?? []
            // Beyond them it can be anything.
            if known.count > Self.mostChecks || known.contains(parameter.check) { continue }
            checks[name, default: []].append(known.count == Self.mostChecks ? .string : parameter.check)
        }
        self.checks = checks
    }
}
