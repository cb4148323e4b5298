/// A destination with everything looked up that a decision needs.
struct CompiledDestination: Sendable {
    let declaration: DestinationDeclaration
    let parameters: [Parameter]
    /// The positions of its ancestry and its own, root first.
    var path: [Int] = []
    var tab: String = ""
    /// Positions of the preconditions of the whole path, each once, in the order they are asked for.
    var preconditions: [Int] = []
    /// The conditions of the whole path: whose parameters each looks at, and which it is.
    var conditions: [(destination: Int, condition: Int)] = []

    struct Parameter: Sendable {
        let declaration: ParameterDeclaration
        let check: ParameterCheck
    }

    func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.declaration.name == name }
    }

    /// The parameters in their canonical form, defaults filled in.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for one that is missing, not allowed or unknown.
    func normalized(_ given: [String: String]) throws(RouteError) -> [String: String] {
        var result: [String: String] = [:]
        var taken = 0
        for parameter in parameters {
            let name = parameter.declaration.name
            if let value = given[name] {
                taken += 1
                guard let canonical = parameter.check.canonical(value.normalizedNFC) else {
                    throw .notAllowed(value, for: name, expected: parameter.check.expectation)
                }
                result[name] = canonical
            } else if let value = parameter.declaration.defaultValue {
                result[name] = value
            } else if parameter.declaration.isRequired {
                throw .validationFailed(
                    parameter: name,
                    reason: "is missing; \(declaration.id) needs \(parameter.check.expectation)"
                )
            }
        }
        if taken < given.count, let extra = given.keys.filter({ parameter($0) == nil }).min() {
            let known = parameters.map(\.declaration.name)
            throw .validationFailed(
                parameter: extra,
                reason: known.isEmpty
                    ? "\(declaration.id) has no parameters"
                    : "\(declaration.id) has no such parameter, only \(known.joined(separator: ", "))"
            )
        }
        return result
    }
}

extension RouteError {
    static func notAllowed(_ value: String, for parameter: String, expected: String) -> RouteError {
        .validationFailed(parameter: parameter, reason: "'\(value.prefix(64))' is not \(expected)")
    }
}
