internal import CommandConsole
internal import StrictJSON

/// The parameters of a step.
struct StepMembers {
    let parameters: JSONObject
    /// The step as it is written, with placeholders, for what a person reads.
    let step: ScriptStep
    let place: String

    subscript(_ name: String) -> JSONValue? { parameters[name].flatMap { $0.isNull ? nil : $0 } }

    func text(_ name: String) -> String? { self[name]?.stringValue }

    /// A text as a person may read it; its name if there is none.
    func shown(_ name: String) -> String { step.parameters[name]?.stringValue ?? name }

    var window: String { text("scene") == nil ? "the window" : "window '\(shown("scene"))'" }

    func needed(_ name: String) throws(CommandError) -> String {
        guard let text = text(name) else { throw expected(name, "text") }
        return text
    }

    func texts(_ name: String) throws(CommandError) -> [String] {
        let list = self[name]?.arrayValue
        guard let list, !list.isEmpty, list.allSatisfy({ $0.stringValue != nil }) else {
            throw expected(name, "a list of texts")
        }
        return list.compactMap(\.stringValue)
    }

    func expected(_ name: String, _ what: String) -> CommandError {
        .usage("\(place): parameters: \(name): expected \(what), found \(self[name]?.text() ?? "nothing").")
    }

    func expected<Word: RawRepresentable<String> & CaseIterable>(_ name: String, oneOf words: Word.Type) -> CommandError
    {
        expected(name, "one of \(words.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    /// The error for a step that cannot be written.
    func impossible(_ target: String, _ why: String? = nil) -> CommandError {
        .usage("\(place): \(step.call) cannot be written for \(target)\(why.map { ": \($0)" } ?? "").")
    }
}
