/// The parameters of the screens that only flows use.
extension RoutingEngine {
    /// A screen of a flow, which may be a destination, with these parameters in canonical form and with defaults; as given if nobody
    /// declares any for it.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    package func screen(
        _ id: String,
        of flow: String?,
        _ given: [String: String],
        context: RoutingContext
    ) throws(RouteError) -> Destination {
        guard
            let declared = destinationIndex[id].map({ destinations[$0].parameters })
                ?? flow.flatMap({ flowScreens[$0]?[id] })
        else { return Destination(id: id, parameters: given) }
        return Destination(id: id, parameters: try declared.normalized(given, of: id, place: place(context)))
    }

    /// What a window shows of a screen that a coordinator names: a destination with its parameters in canonical form and with
    /// defaults, as a link to it would show it; anything else, and what it does not allow, as given.
    package func shown(_ screen: Destination, context: RoutingContext) -> Destination {
        (try? self.screen(screen.id, of: nil, screen.parameters, context: context)) ?? screen
    }

    /// What a window shows at first in a tab: its root with defaults, but for those that depend on the market or the locale.
    package func root(of tab: TabDeclaration) -> Destination {
        let root = Destination(id: tab.root)
        return (try? request(for: root, source: .internal).destination) ?? root
    }

    /// Whether these parameters include all that a screen of a flow requires.
    package func isComplete(_ parameters: [String: String], forScreen id: String, of flow: String?) -> Bool {
        guard let flow, let declared = flowScreens[flow]?[id] else { return isComplete(parameters, for: id) }
        return declared.map(\.declaration).areGiven(by: parameters)
    }

    /// The screen with which a flow starts. It takes the parameters that it declares from those with which the flow is started; one
    /// that it does not allow has its default.
    /// - Parameter handed: What the flow is started with: what another flow gives it, or what waits for it has.
    package func start(
        _ id: String,
        of flow: String,
        with handed: [String: String],
        context: RoutingContext
    ) -> Destination {
        var given: [String: String] = [:]
        for parameter in flowScreens[flow]?[id] ?? [] {
            let name = parameter.declaration.name
            guard let value = handed[name], (try? [parameter].normalized([name: value], of: id)) != nil
            else { continue }
            given[name] = value
        }
        return (try? screen(id, of: flow, given, context: context)) ?? Destination(id: id)
    }

    /// The screen with which a flow that is declared starts: the first whose predicate holds, else the first of all.
    package func startingScreen(of flow: FlowDeclaration, context: RoutingContext) -> String? {
        flow.start.first { holds($0.when, parameters: [:], context: context) }?.screen ?? flow.screens.first?.id
    }

    /// Checks what a flow is started with by another: the screen with which it would start now has to allow each value that it
    /// declares. A flow that is not declared takes anything.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``, also for a parameter that no screen with which the flow may
    ///   start declares.
    package func checkStart(
        of flow: String,
        with given: [String: String],
        context: RoutingContext
    ) throws(RouteError) {
        guard !given.isEmpty, let declaration = self.flow(flow),
            let first = startingScreen(of: declaration, context: context)
        else { return }
        try checkStart(with: first, of: declaration, with: given)
    }

    /// The same for a screen that has been chosen.
    package func checkStart(
        with screen: String,
        of flow: FlowDeclaration,
        with given: [String: String]
    ) throws(RouteError) {
        if given.isEmpty { return }
        let declared = flowScreens[flow.name] ?? [:]
        let own = declared[screen] ?? []
        for (name, value) in given.sorted(by: { $0.key < $1.key }) {
            if let parameter = own.first(where: { $0.declaration.name == name }) {
                _ = try [parameter].normalized([name: value], of: screen)
            } else if !flow.startingScreens.contains(where: {
                declared[$0]?.contains { $0.declaration.name == name } ?? false
            }) {
                throw .validationFailed(parameter: name, reason: "no screen with which \(flow.name) starts has it")
            }
        }
    }
}

/// What flows hand to those that started them.
extension RoutingEngine {
    /// Whether these values include all that a flow's result requires.
    package func isComplete(_ values: [String: String], forResultOf flow: String) -> Bool {
        (flowResults[flow] ?? []).map(\.declaration).areGiven(by: values)
    }

    /// A flow's result in canonical form and with defaults; as given if the flow declares none.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    package func checkedResult(_ values: [String: String], of flow: String) throws(RouteError) -> [String: String] {
        guard let declared = flowResults[flow] else { return values }
        return try declared.normalized(values, of: flow)
    }

    /// The declared values of a flow's result in canonical form and with defaults; without those that are not allowed.
    package func results(_ values: [String: String], of flow: String) -> [String: String] {
        var results: [String: String] = [:]
        for parameter in flowResults[flow] ?? [] {
            let name = parameter.declaration.name
            let given = values[name].flatMap { try? [parameter].normalized([name: $0], of: flow)[name] }
            results[name] = given ?? parameter.declaration.defaultValue
        }
        return results
    }
}
