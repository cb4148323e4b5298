package import SceneRouting

/// An app's destinations, intents, flows and facts as Swift types, written from its manifest: what the compiler then knows cannot be
/// misspelt (<doc:/SceneDaemon/TypedRoutes>).
package struct SwiftRoutes {
    /// Who sees the types.
    package enum Access: String, CaseIterable, Sendable {
        /// The module in which they are.
        case `internal`
        /// The package.
        case `package`
        /// Everybody.
        case `public`

        /// As it stands before a declaration.
        fileprivate var modifier: String { self == .internal ? "" : "\(rawValue) " }
    }

    /// Whether a text can be the name of the type in which all others are.
    package static func isName(_ text: String) -> Bool {
        SwiftNames.upperCamel(text) == text && !used.contains(text) && text != "_"
    }

    private static let beginning = "// Written from "

    /// Whether a text is what was written from a manifest.
    package static func isWritten(_ text: String) -> Bool {
        text.hasPrefix(beginning) && text.prefix { $0 != "\n" }.contains("by 'scenectl app swift'")
    }

    /// What stands in the types for something else.
    private static let used: Set = [
        "Any", "Bool", "CaseIterable", "Destination", "Double", "Fact", "Flow", "Hashable", "Int", "Intent", "Never",
        "Optional", "ParameterRepresentable", "Precondition", "Protocol", "Result", "SceneNavigation", "SceneRouting",
        "Screen", "Self", "Sendable", "String", "Swift", "Type", "TypedDestination", "TypedFact", "TypedIntent",
        "TypedParameters",
        "TypedValueError", "WrittenRoutes",
    ]

    private let app: AppManifest
    private let source: String
    let name: String
    private let access: String
    /// The types of words in the scope of the app, by the parameter and its words.
    private(set) var words: [WordsKey: String] = [:]
    /// What is a type in the scope of the app.
    private var types: SwiftNames
    private var text = SwiftText()
    var numbered: [NumberedName] = []

    /// A parameter whose values are words, by which these have one type wherever they stand.
    struct WordsKey: Hashable {
        let parameter: String
        let words: [String]
    }

    /// The types of an app.
    /// - Parameters:
    ///   - source: The name of the manifest's file.
    ///   - name: The name of the type in which all others are; `nil` makes one of the app's name.
    package init(_ app: AppManifest, from source: String, as name: String? = nil, access: Access = .internal) {
        self.app = app
        self.source = source
        let ofApp = SwiftNames.upperCamel(app.name)
        self.name = name ?? (Self.isName(ofApp) ? ofApp : "\(ofApp)App")
        types = SwiftNames(taken: Self.used.union([self.name]))
        self.access = access.modifier
    }

    /// The source of one file, and the names in it that a person would not guess.
    package func written() -> (text: String, numbered: [NumberedName]) {
        var writer = self
        writer.write()
        return (writer.text.text, writer.numbered)
    }

    // MARK: - The file

    private mutating func write() {
        let file = SwiftText.literal(source).dropFirst().dropLast()
        text.line(
            "\(Self.beginning)\(file) by 'scenectl app swift': what is changed here is lost when it is written again."
        )
        text.line("// swift-format-ignore-file")
        text.line()
        let hasIntents = !app.intents.isEmpty || app.flows.contains { !$0.intents.isEmpty || !$0.result.isEmpty }
        for module in hasIntents ? ["SceneNavigation", "SceneRouting"] : ["SceneRouting"] {
            text.line("\(access)import \(module)")
        }
        text.line()
        text.comment("What the manifest of \(app.name) declares, as types.")
        open("enum \(name)")
        writeDeclarations()
        // Before those of the words: a parameter does not change the name of a flow.
        let flows = app.flows.map { flow in
            (flow, types.type(SwiftNames.upperCamel("\(flow.name) flow"), for: flow.name))
        }
        findWords()
        note(types)
        writeWords()
        write(
            Cases(
                name: "Destination",
                comment: "The destinations of the app.",
                of: .destinations,
                cases: app.destinations.map { Case(name: $0.id, parameters: $0.parameters, needs: $0.preconditions) }
            )
        )
        write(
            Cases(
                name: "Intent",
                comment: "What any screen may report.",
                of: .intents,
                cases: app.intents.map { Case(name: $0.name, parameters: $0.parameters) }
            )
        )
        for (flow, type) in flows { write(flow, as: type) }
        writeNames(
            "Flow",
            "The flows, the tabs and the root: what has a coordinator, by the names under which one is asked for.",
            ["root"] + app.tabs.map(\.id) + app.flows.map(\.name)
        )
        writeNames("Precondition", "What may be a gate.", app.preconditions.map(\.name))
        writeFacts()
        close()
    }

    /// What the types are written from, with which their app's code is compared to a manifest.
    private mutating func writeDeclarations() {
        text.comment(
            "What these types were written from: with `AppCode(…, routes: \(name).written)` a manifest that they do not fit is refused."
        )
        text.line("\(access)static let written = SceneRouting.WrittenRoutes(")
        text.line("    \(SwiftText.literal(name)), from: \(SwiftText.literal(source)),")
        text.line("    [")
        for route in DeclaredRoute.all(in: app) {
            text.line("        (\(SwiftText.literal(route.name)), \(SwiftText.literal(route.form))),")
        }
        text.line("    ]")
        text.line(")")
    }

    private mutating func open(_ head: String) { text.open("\(access)\(head)") }

    private mutating func close() { text.close() }

    // MARK: - Destinations and intents

    /// What an enumeration stands for.
    private enum Kind {
        case destinations, intents

        var `protocol`: String { self == .destinations ? "TypedDestination" : "TypedIntent" }
        var dynamic: String { self == .destinations ? "SceneRouting.Destination" : "SceneNavigation.Intent" }
        var member: String { self == .destinations ? "destination" : "intent" }
        var identifier: String { self == .destinations ? "id" : "name" }
    }

    private struct Case {
        let name: String
        let parameters: [ParameterDeclaration]
        var needs: [String] = []
    }

    private struct Cases {
        let name: String
        let comment: String
        let of: Kind
        let cases: [Case]
    }

    /// - Parameter flow: The type of the flow in which they are.
    private mutating func write(_ all: Cases, in flow: String? = nil) {
        guard !all.cases.isEmpty else { return }
        let kind = all.of
        text.line()
        text.comment(all.comment)
        open("enum \(all.name): \(kind.protocol)")
        var names = SwiftNames(taken: [kind.member, "hashValue"])
        let scope = (flow.map { "\($0)." } ?? "") + all.name
        let cases = all.cases.map { one in
            let name = names.enumCase(one.name)
            return (name: name, one, fields: fields(of: one.parameters, in: "\(scope).\(name)"))
        }
        note(names, in: scope)
        for (name, one, fields) in cases {
            let comment = (fields.compactMap(\.comment) + needs(of: one)).joined(separator: "\n")
            if !comment.isEmpty { text.comment(comment) }
            let list = fields.map(\.declaration).joined(separator: ", ")
            text.line("case \(name)\(list.isEmpty ? "" : "(\(list))")")
        }
        text.line()
        text.comment(
            "- Throws: `TypedValueError` for what is not among the cases, and for a parameter that is missing or not of its type."
        )
        let (member, dynamic, id) = (kind.member, kind.dynamic, kind.identifier)
        open("init(of \(member): \(dynamic)) throws(TypedValueError)")
        if cases.contains(where: { !$0.fields.isEmpty }) {
            let values = kind == .destinations ? "of: destination" : "intent.parameters, of: intent.name"
            text.line("let parameters = TypedParameters(\(values))")
        }
        text.line("switch \(member).\(id) {")
        for (name, one, fields) in cases {
            let values = fields.map { "\($0.label.given): \($0.reading)" }.joined(separator: ", ")
            let value = values.isEmpty ? ".\(name)" : "try .\(name)(\(values))"
            text.line("case \(SwiftText.literal(one.name)): self = \(value)")
        }
        text.line("default: throw .unknown(\(member).\(id))")
        text.line("}")
        close()
        text.line()
        open("var \(member): \(dynamic)")
        text.line("switch self {")
        for (name, one, fields) in cases {
            let bound = fields.indices.map { "let value\($0)" }.joined(separator: ", ")
            let pattern = bound.isEmpty ? ".\(name)" : ".\(name)(\(bound))"
            let given = zip(fields, fields.indices).map { "\(SwiftText.literal($0.name)): value\($1)" }
            let texts = given.isEmpty ? "" : ", parameters: TypedParameters.texts([\(given.joined(separator: ", "))])"
            text.line("case \(pattern):")
            text.line("    \(dynamic)(\(id): \(SwiftText.literal(one.name))\(texts))")
        }
        text.line("}")
        close()
        close()
    }

    private func needs(of one: Case) -> [String] {
        one.needs.isEmpty ? [] : ["Needs \(one.needs.map { "`\($0)`" }.joined(separator: ", "))."]
    }

    // MARK: - Words

    /// All parameters that the types have.
    private var parameters: [ParameterDeclaration] {
        var all = app.destinations.flatMap(\.parameters) + app.intents.flatMap(\.parameters)
        for flow in app.flows {
            all += flow.screens.flatMap(\.parameters) + flow.intents.flatMap(\.parameters) + flow.result
        }
        return all
    }

    private mutating func findWords() {
        for parameter in parameters where !parameter.isSecret {
            let element = if case .list(let element) = parameter.type { element } else { parameter.type }
            guard case .oneOf(let all) = element, !all.isEmpty, Set(all).count == all.count else { continue }
            let key = WordsKey(parameter: parameter.name, words: all)
            if words[key] == nil { words[key] = types.type(parameter.name) }
        }
    }

    private mutating func writeWords() {
        for (key, type) in words.sorted(by: { $0.value < $1.value }) {
            writeNames(type, "The values of `\(key.parameter)`.", key.words, and: ", ParameterRepresentable")
        }
    }

    /// The cases of an enumeration of words, each word once.
    static func cases(of words: [String]) -> (names: [(name: String, raw: String)], SwiftNames) {
        var names = SwiftNames(taken: ["allCases", "hashValue", "rawValue"])
        var seen: Set<String> = []
        let cases = words.filter { seen.insert($0).inserted }.map { (names.enumCase($0), $0) }
        return (cases, names)
    }

    private mutating func writeNames(_ type: String, _ comment: String, _ all: [String], and protocols: String = "") {
        guard !all.isEmpty else { return }
        text.line()
        text.comment(comment)
        open("enum \(type): String, CaseIterable, Sendable\(protocols)")
        let (cases, names) = Self.cases(of: all)
        note(names, in: type)
        for (name, raw) in cases {
            text.line("case \(name)\(name == raw ? "" : " = \(SwiftText.literal(raw))")")
        }
        close()
    }

    // MARK: - Flows and facts

    private mutating func write(_ flow: FlowDeclaration, as type: String) {
        text.line()
        text.comment("The flow `\(flow.name)`.")
        open("enum \(type)")
        text.comment("Its name in the manifest.")
        text.line("\(access)static let name = \(SwiftText.literal(flow.name))")
        let declared = Dictionary(app.destinations.map { ($0.id, $0) }) { first, _ in first }
        var seen: Set<String> = []
        write(
            Cases(
                name: "Screen",
                comment: "Its screens.",
                of: .destinations,
                cases: flow.screens.filter { seen.insert($0.id).inserted }.map { screen in
                    Case(name: screen.id, parameters: declared[screen.id]?.parameters ?? screen.parameters)
                }
            ),
            in: type
        )
        write(
            Cases(
                name: "Intent",
                comment: "What its screens may report to it.",
                of: .intents,
                cases: flow.intents.map { Case(name: $0.name, parameters: $0.parameters) }
            ),
            in: type
        )
        if !flow.result.isEmpty { writeResult(of: flow, in: type) }
        close()
    }

    private mutating func writeResult(of flow: FlowDeclaration, in type: String) {
        let fields = fields(of: flow.result, in: "\(type).Result")
        text.line()
        text.comment("What it hands over when it is complete.")
        open("struct Result: Hashable, Sendable")
        for field in fields {
            if let comment = field.comment { text.comment(comment) }
            text.line("\(access)var \(field.property): \(field.type)\(field.isOptional ? "?" : "")")
        }
        text.line()
        // A value may have the name of another's label.
        let parameters = fields.enumerated().map { $1.declaration(inside: "value\($0)") }
        open("init(\(parameters.joined(separator: ", ")))")
        for (index, field) in fields.enumerated() { text.line("self.\(field.property) = value\(index)") }
        close()
        text.line()
        text.comment("- Throws: `TypedValueError` for a value that is missing or not of its type.")
        open("init(of completion: SceneNavigation.FlowCompletion) throws(TypedValueError)")
        text.line("let parameters = TypedParameters(completion.values, of: \(SwiftText.literal(flow.name)))")
        for field in fields { text.line("self.\(field.property) = try \(field.reading)") }
        close()
        text.line()
        text.comment("As a completion has it.")
        open("var values: [String: String]")
        let given = fields.map { "\(SwiftText.literal($0.name)): self.\($0.property)" }
        text.line("TypedParameters.texts([\(given.joined(separator: ", "))])")
        close()
        close()
    }

    private mutating func writeFacts() {
        guard !app.facts.isEmpty else { return }
        text.line()
        text.comment("The facts of the session.")
        open("enum Fact")
        var names = SwiftNames()
        for fact in app.facts {
            let literal = SwiftText.literal(fact.name)
            text.line("\(access)static let \(names.value(fact.name)) = TypedFact<\(fact.type.swiftType)>(\(literal))")
        }
        note(names, in: "Fact")
        close()
    }
}
