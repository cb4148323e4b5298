internal import SceneRouting

extension SwiftRoutes {
    /// A parameter, or a value of a result.
    struct Field {
        let name: String
        /// As a label of a parameter.
        let label: (declared: String, given: String)
        /// As the name of a value.
        let property: String
        let type: String
        /// The default as it stands in a declaration; `nil` for none.
        let defaultValue: String?
        let isOptional: Bool
        let comment: String?

        var declaration: String { declaration(inside: nil) }

        /// - Parameter name: The name of the value inside, if that is not its label.
        func declaration(inside name: String?) -> String {
            "\(label.declared)\(name.map { " \($0)" } ?? ""): \(type)\(isOptional ? "?" : "")\(defaultValue.map { " = \($0)" } ?? "")"
        }

        /// How it is read, of `parameters`.
        var reading: String {
            let name = SwiftText.literal(name)
            if isOptional { return "parameters.optional(\(name))" }
            return "parameters.value(\(name)\(defaultValue.map { ", or: \($0)" } ?? ""))"
        }
    }

    /// What is written of parameters or of the values of a result.
    mutating func fields(of parameters: [ParameterDeclaration], in scope: String) -> [Field] {
        var (labels, properties) = (SwiftNames(), SwiftNames(taken: ["hashValue", "values"]))
        defer { note(labels, in: scope) }
        return parameters.map { parameter in
            let (label, property) = (labels.label(parameter.name), properties.value(parameter.name))
            let isOptional = parameter.presence == .optional
            let defaultValue: String? =
                switch parameter.presence {
                case .required: nil
                case .optional: "nil"
                case .defaulted(let value): literal(value, parameter, parameter.type)
                }
            return Field(
                name: parameter.name,
                label: label,
                property: property,
                type: type(of: parameter),
                defaultValue: defaultValue,
                isOptional: isOptional,
                comment: comment(parameter).map { "- `\(label.given)`: \($0)." }
            )
        }
    }

    private func type(of parameter: ParameterDeclaration) -> String {
        // Code works with the placeholder of a secret.
        parameter.isSecret ? "String" : type(parameter.type, parameter.name)
    }

    private func type(_ type: ParameterType, _ name: String) -> String {
        switch type {
        case .string, .uuid, .date, .pattern: "String"
        case .integer: "Int"
        case .oneOf(let words): self.words[WordsKey(parameter: name, words: words)] ?? "String"
        case .list(let element): "[\(self.type(element, name))]"
        }
    }

    private func literal(_ value: String, _ parameter: ParameterDeclaration, _ type: ParameterType) -> String {
        switch type {
        case .integer: return Int(value).map(String.init) ?? "0"
        case .oneOf(let words) where self.words[WordsKey(parameter: parameter.name, words: words)] != nil:
            let name = Self.cases(of: words).names.first { $0.raw == value }?.name
            return name.map { ".\($0)" } ?? SwiftText.literal(value)
        case .list(let element):
            let values = [String](parameterText: value) ?? []
            return "[\(values.map { literal($0, parameter, element) }.joined(separator: ", "))]"
        case .string, .uuid, .date, .pattern, .oneOf: return SwiftText.literal(value)
        }
    }

    private func comment(_ parameter: ParameterDeclaration) -> String? {
        let type = comment(parameter.type)
        guard parameter.isSecret else { return type }
        return (type.map { "\($0); " } ?? "") + "secret, so its placeholder"
    }

    private func comment(_ type: ParameterType) -> String? {
        switch type {
        case .string, .oneOf: nil
        case .integer(let minimum?, let maximum?): "\(minimum) to \(maximum)"
        case .integer(let minimum?, nil): "at least \(minimum)"
        case .integer(nil, let maximum?): "at most \(maximum)"
        case .integer(nil, nil): nil
        case .uuid: "a UUID"
        case .date: "a time such as 2026-11-27T08:00:00Z"
        case .pattern(let pattern): "matches \(SwiftText.literal(pattern))"
        case .list(let element): comment(element).map { "each \($0)" }
        }
    }
}
