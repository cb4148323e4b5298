/// The parameters of the screens that only flows use.
extension RoutingEngine {
    /// A screen of a flow with these parameters in canonical form and with defaults; as given if the flow declares none for it.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    package func screen(
        _ id: String,
        of flow: String?,
        _ given: [String: String],
        context: RoutingContext
    ) throws(RouteError) -> Destination {
        guard let flow, let declared = flowScreens[flow]?[id] else { return Destination(id: id, parameters: given) }
        return Destination(id: id, parameters: try declared.normalized(given, of: id, place: place(context)))
    }

    /// Whether these parameters include all that a screen of a flow requires.
    package func isComplete(_ parameters: [String: String], forScreen id: String, of flow: String?) -> Bool {
        guard let flow, let declared = flowScreens[flow]?[id] else { return isComplete(parameters, for: id) }
        return declared.map(\.declaration).allSatisfy {
            !$0.isRequired || $0.defaultValue != nil || parameters[$0.name] != nil
        }
    }

    /// The screen with which a flow starts. It takes the parameters that it declares from those of the same names of what waits
    /// for the flow; one that it does not allow has its default.
    /// - Parameter waiting: What waits for the flow, if anything does.
    package func start(
        _ id: String,
        of flow: String,
        for waiting: Destination?,
        context: RoutingContext
    ) -> Destination {
        var given: [String: String] = [:]
        for parameter in flowScreens[flow]?[id] ?? [] {
            let name = parameter.declaration.name
            guard let value = waiting?.parameters[name], (try? [parameter].normalized([name: value], of: id)) != nil
            else { continue }
            given[name] = value
        }
        return (try? screen(id, of: flow, given, context: context)) ?? Destination(id: id)
    }
}
