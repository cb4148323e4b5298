extension RoutingEngine {
    /// Checks an intent as far as the manifest alone decides: one that is declared must have parameters that some
    /// declaration of its name takes. A name that nobody declares passes; a coordinator of the app's own may know it.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    public func checkIntent(_ name: String, parameters: [String: String]) throws(RouteError) {
        try intents.check(parameters, of: name)
    }

    /// A declared intent's parameters in canonical form, defaults filled in.
    ///
    /// - Parameter flow: The flow that declares the intent; `nil` for the app's own.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    public func parameters(
        _ given: [String: String],
        ofIntent name: String,
        flow: String?
    ) throws(RouteError) -> [String: String] {
        try intents.normalized(given, of: name, flow: flow)
    }

    /// Whether a destination finds all the parameters that it cannot be without.
    public func isComplete(_ parameters: [String: String], for destination: String) -> Bool {
        guard let declaration = self.destination(destination) else { return false }
        return declaration.parameters.allSatisfy {
            !$0.isRequired || $0.defaultValue != nil || parameters[$0.name] != nil
        }
    }
}
