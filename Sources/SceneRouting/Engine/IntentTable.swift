/// What each declared intent's parameters must be.
struct IntentTable: Sendable {
    /// The compiled declarations of each name: the app's own has no flow.
    private let byName: [String: [(flow: String?, parameters: [CompiledDestination.Parameter])]]

    init(_ intents: [(flow: String?, declaration: IntentDeclaration, parameters: [CompiledDestination.Parameter])]) {
        var byName: [String: [(flow: String?, parameters: [CompiledDestination.Parameter])]] = [:]
        for intent in intents {
            byName[intent.declaration.name, default: []].append((intent.flow, intent.parameters))
        }
        self.byName = byName
    }

    /// Checks parameters against the declarations of a name; one that takes them is enough.
    /// - Throws: what the first declaration objects to when none takes them.
    func check(_ given: [String: String], of name: String) throws(RouteError) {
        var objection: RouteError?
        for (_, parameters) in byName[name] ?? [] {
            do {
                _ = try parameters.normalized(given, of: name)
                return
            } catch {
                objection = objection ?? error
            }
        }
        if let objection { throw objection }
    }

    func normalized(_ given: [String: String], of name: String, flow: String?) throws(RouteError) -> [String: String] {
        guard let declared = byName[name]?.first(where: { $0.flow == flow }) else { return given }
        return try declared.parameters.normalized(given, of: name)
    }
}
