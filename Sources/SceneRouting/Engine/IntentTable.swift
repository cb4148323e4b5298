/// The parameters of every declared intent, compiled.
struct IntentTable: Sendable {
    /// The declarations by the intent's name; `flow` is `nil` for an intent of the app itself.
    private let byName: [String: [(flow: String?, parameters: [CompiledDestination.Parameter])]]

    init(_ intents: [(flow: String?, declaration: IntentDeclaration, parameters: [CompiledDestination.Parameter])]) {
        var byName: [String: [(flow: String?, parameters: [CompiledDestination.Parameter])]] = [:]
        for intent in intents {
            byName[intent.declaration.name, default: []].append((intent.flow, intent.parameters))
        }
        self.byName = byName
    }

    /// The parameters of all intents that are secret.
    var secrets: [CompiledDestination.Parameter] {
        byName.sorted { $0.key < $1.key }.flatMap(\.value).flatMap(\.parameters).filter { $0.secretKey != nil }
    }

    /// Checks parameters against all intents of a name; it is enough that one of them allows the parameters.
    /// - Throws: the error of the first intent if none of them does.
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

    /// The declaration of a parameter in some intent of a name: that of a secret, if there is one.
    func parameter(_ parameter: String, of name: String) -> CompiledDestination.Parameter? {
        let declared = (byName[name] ?? []).compactMap { intent in
            intent.parameters.first { $0.declaration.name == parameter }
        }
        return declared.first { $0.secretKey != nil } ?? declared.first
    }

    func normalized(_ given: [String: String], of name: String, flow: String?) throws(RouteError) -> [String: String] {
        guard let declared = byName[name]?.first(where: { $0.flow == flow }) else { return given }
        return try declared.parameters.normalized(given, of: name)
    }
}
