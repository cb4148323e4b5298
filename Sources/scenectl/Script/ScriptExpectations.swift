internal import Basics
internal import CommandConsole
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON
internal import Varlink

/// What a script expects, checked before its first call is made against what the daemon can answer and its app can show: a misspelt word
/// would only show as a difference at the end.
struct ScriptExpectations {
    private let interfaces: ScriptInterfaces
    /// What the app's windows, facts and events can be; `nil` if the daemon does not tell.
    private let windows: PossibleWindows?
    private let facts: PossibleFacts?
    private let outcomes: PossibleOutcomes?

    init(_ interfaces: ScriptInterfaces, _ client: SceneClient) async throws {
        self.interfaces = interfaces
        // Who may not see the manifest is told by the differences.
        let app = try await client.readableApp()
        windows = app.map { PossibleWindows([$0]) }
        facts = app.map(PossibleFacts.init)
        outcomes = app.map { PossibleOutcomes([$0]) }
    }

    /// Refuses a step that expects what no answer can have.
    /// - Parameter place: The step's place, such as `sale.jsonl, step 3`.
    func check(_ step: ScriptStep, at place: String) throws(CommandError) {
        guard let expect = step.expect else { return }
        let place = "\(place): expect"
        if expect["error"] != nil { return try check(refusal: expect, at: place) }
        guard let (interface, results) = interfaces.results(of: step) else { return }
        try check(expect, results, Place(path: place, interface: interface))
        for receipt in [expect["receipt"]].compactMap(\.self) + (expect["receipts"]?.arrayValue ?? []) {
            try check(receipt: receipt, at: place)
        }
    }

    /// Checks that the app can give the reason that is expected of an event, or has the precondition for which it waits.
    private func check(receipt: JSONValue, at place: String) throws(CommandError) {
        guard let name = receipt["outcome"]?.stringValue.flatMap(OutcomeName.init) else { return }
        let (member, other) = name == .gated ? ("precondition", "reason") : ("reason", "precondition")
        if receipt[other]?.stringValue != nil {
            throw .usage("\(place): what is '\(name.rawValue)' has no \(other).")
        }
        guard let reason = receipt[member]?.stringValue,
            let problem = outcomes?.problem(with: name, because: reason)
        else { return }
        throw .usage("\(place): \(problem)")
    }

    /// Checks an error that is expected: by its name without the interface, with some of its parameters.
    private func check(refusal: JSONObject, at place: String) throws(CommandError) {
        let members = ["error", "parameters"]
        if let key = refusal.keys.first(where: { !members.contains($0) }) {
            throw Self.unknown(key, among: members, at: place)
        }
        guard let name = refusal["error"]?.stringValue else {
            throw .usage("\(place).error: expected an error's name, found \(refusal["error"]?.typeName ?? "nothing").")
        }
        let errors = interfaces.errors(named: name)
        guard !errors.isEmpty else {
            let meant = Spelling.nearest(to: name, among: interfaces.errorNames)
            let list = "It can be \(interfaces.errorNames.joined(separator: ", "))."
            throw .usage(
                "\(place).error: '\(name)' is no error of the daemon. \(meant.map { "Did you mean '\($0)'?" } ?? list)"
            )
        }
        guard let parameters = refusal["parameters"], !parameters.isNull else { return }
        guard let parameters = parameters.objectValue else {
            throw .usage("\(place).parameters: expected an object, found \(parameters.typeName).")
        }
        // Errors of several interfaces may have one name.
        let known = Set(errors.flatMap { $0.fields.map(\.name) }).sorted()
        if let key = parameters.keys.first(where: { !known.contains($0) }) {
            throw Self.unknown(key, among: known, at: "\(place).parameters")
        }
    }

    // MARK: - Replies

    /// Where in a reply something is expected.
    private struct Place {
        /// As messages have it.
        var path: String
        /// Which declares the types.
        let interface: VarlinkInterface

        func member(_ name: String) -> Place { Place(path: "\(path).\(name)", interface: interface) }

        func element(_ index: Int) -> Place { Place(path: "\(path)[\(index)]", interface: interface) }
    }

    private func check(_ expected: JSONObject, _ fields: [VarlinkField], _ place: Place) throws(CommandError) {
        for (key, value) in expected {
            guard let field = fields.first(where: { $0.name.hasSameBytes(as: key) }) else {
                throw Self.unknown(key, among: fields.map(\.name), at: place.path)
            }
            if key == "facts",
                let problem = value.objectValue.flatMap({ facts?.problem(with: $0, allowsForeign: true) })
            {
                throw .usage("\(place.member(key).path): \(problem)")
            }
            try check(value, field.type, place.member(key))
        }
    }

    private func check(_ expected: JSONValue, _ type: VarlinkType, _ place: Place) throws(CommandError) {
        switch (type, expected) {
        // Expects that there is nothing.
        case (_, .null): return
        case (.nullable(let type), _): try check(expected, type, place)
        case (.named(let name), _):
            guard let type = place.interface.type(name) else { return }
            try check(expected, type, place)
        case (.structure(let fields), .object(let members)): try check(members, fields, place)
        case (.structure(let fields), .string(let text)): try check(text, writing: fields, place)
        case (.array(let type), .array(let elements)):
            for (index, element) in elements.enumerated() { try check(element, type, place.element(index)) }
        case (.dictionary(let type), .object(let members)):
            for (key, member) in members { try check(member, type, place.member(key)) }
        case (.enumeration(let symbols), .string(let text)):
            let known = symbols.map(\.name)
            guard !known.contains(text) else { return }
            let meant = Spelling.nearest(to: text, among: known).map { " Did you mean '\($0)'?" } ?? ""
            throw .usage("\(place.path): expected \(type.phrase), found \(text.quotedForMessage).\(meant)")
        case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .number), (.string, .string),
            (.object, .object):
            return
        default: throw .usage("\(place.path): expected \(type.phrase), found \(expected.typeName).")
        }
    }

    /// Checks a text in place of an object with these fields: a window, where a link leads, or a destination, in the notation for them.
    private func check(_ text: String, writing fields: [VarlinkField], _ place: Place) throws(CommandError) {
        let names = Set(fields.map(\.name))
        let problem: ImpossibleExpectation?
        do throws(WindowNotationError) {
            if names.isSuperset(of: ["tabs", "selectedTab"]) {
                let window = try WrittenWindow(parsing: text)
                problem = windows?.problem(with: window)
            } else if names.isSuperset(of: ["path", "modal"]) {
                let target = try WrittenWindow(parsing: text)
                problem = windows?.problem(withLink: target)
            } else if names == ["id", "parameters"] {
                let destination = try Destination(parsing: text)
                problem = windows?.problem(with: destination)
            } else if names.contains("handled") {
                // What an adapter asks for may be a URL, too.
                return
            } else {
                problem = ImpossibleExpectation("expected an object, found string")
            }
        } catch {
            throw .usage("\(place.path): \(text.quotedForMessage) cannot be read, \(error).")
        }
        guard let problem else { return }
        throw .usage("\(place.path): \(problem)")
    }

    private static func unknown(_ key: String, among known: [String], at place: String) -> CommandError {
        let hint = Spelling.hint(for: key, among: known)
        let list = known.isEmpty ? "nothing" : "one of \(known.joined(separator: ", "))"
        return .usage("\(place).\(key): expected \(list)\(hint.isEmpty ? "." : hint)")
    }
}
