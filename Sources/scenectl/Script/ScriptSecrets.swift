internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// The secrets that a recording leaves out, with the values to play it with.
struct ScriptSecrets {
    /// The values by their placeholders in the script.
    private var values: [String: String] = [:]
    /// The placeholders without a value, in their order in the script.
    private(set) var missing: [String] = []

    /// - Parameters:
    ///   - given: As on the command line: `PLACEHOLDER=VALUE`. The beginning of a placeholder is enough if it is that of no other.
    ///   - steps: The steps, whose parameters may have placeholders.
    ///   - name: The script's name, for messages.
    ///   - mayMiss: Whether values may be missing, because what is written asks for them when it is run.
    /// - Throws: Which values are missing and where, or what is wrong with those that are given.
    init(_ given: [String], for steps: [ScriptStep], in name: String, mayMiss: Bool = false) throws(CommandError) {
        var places: [(placeholder: String, place: String)] = []
        for (index, step) in steps.enumerated() {
            for placeholder in SecretPlaceholder.all(in: JSONValue.object(step.parameters).text()) {
                guard !places.contains(where: { $0.placeholder == placeholder }) else { continue }
                places.append((String(placeholder), "step \(index + 1), \(step.call)"))
            }
        }
        for option in given {
            guard let end = option.firstIndex(of: "="), option.hasPrefix(SecretPlaceholder.prefix) else {
                throw .usage("--secret: expected PLACEHOLDER=VALUE, such as secret:1f3a=hunter2, found no placeholder.")
            }
            let start = option[..<end]
            let meant = places.filter { $0.placeholder.hasPrefix(start) }
            guard let one = meant.first, meant.count == 1 else {
                throw .usage(
                    "--secret \(start): \(name) has \(meant.isEmpty ? "no such secret" : "several that begin so")."
                )
            }
            values[one.placeholder] = String(option[end...].dropFirst())
        }
        let missing = places.filter { values[$0.placeholder] == nil }
        self.missing = missing.map(\.placeholder)
        guard missing.isEmpty || mayMiss else {
            let list = missing.map { "\($0.placeholder) (\($0.place))" }.joined(separator: ", ")
            throw .usage("\(name) leaves out what is secret; give each value with --secret PLACEHOLDER=VALUE: \(list).")
        }
    }

    /// The parameters with the values in their places.
    func filled(_ parameters: JSONObject) -> JSONObject {
        values.isEmpty ? parameters : filled(.object(parameters)).objectValue ?? parameters
    }

    /// The variable of the environment that has the value of a placeholder which is missing: its first digits that no other has.
    func variable(for placeholder: String) -> String {
        let digits = placeholder.dropFirst(SecretPlaceholder.prefix.count)
        let others = missing.filter { $0 != placeholder }.map { $0.dropFirst(SecretPlaceholder.prefix.count) }
        let length = (4..<max(5, digits.count)).first { length in
            !others.contains { $0.hasPrefix(digits.prefix(length)) }
        }
        return "SECRET_\(digits.prefix(length ?? digits.count).uppercased())"
    }

    private func filled(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(filled(text))
        case .array(let list): .array(list.map(filled))
        case .object(let object): .object(JSONObject(object.map { (filled($0), filled($1)) }))
        case .null, .bool, .integer, .number: value
        }
    }

    private func filled(_ text: String) -> String {
        if let value = values[text] { return value }
        // Elsewhere a placeholder stands for a part of a URL.
        var filled: [UInt8] = []
        var end = text.utf8.startIndex
        for placeholder in SecretPlaceholder.all(in: text) {
            guard let value = values[String(placeholder)] else { continue }
            filled += text.utf8[end..<placeholder.startIndex]
            filled += PercentEncoding.encode(value).utf8
            end = placeholder.endIndex
        }
        return String(decoding: filled + text.utf8[end...], as: UTF8.self)
    }
}

/// Which placeholder of a recording is which of the daemon that plays it: two hosts have different ones for one value.
struct SecretPairs {
    private var found: [Substring: Substring] = [:]
    private var recorded: [Substring: Substring] = [:]

    /// Whether two texts are the same but for their placeholders, and each placeholder has stood for the same other one so far.
    mutating func match(_ expected: String, _ text: String) -> Bool {
        match(expected, text) { $0 == text }
    }

    /// Whether a text says the same as another, as `isSame` judges it once the recorded placeholders in it are those of this daemon,
    /// and each placeholder has stood for the same other one so far.
    mutating func match(_ expected: String, _ text: String, _ isSame: (String) -> Bool) -> Bool {
        let (old, new) = (SecretPlaceholder.all(in: expected), SecretPlaceholder.all(in: text))
        guard !old.isEmpty, old.count == new.count else { return false }
        var rest = expected
        for (one, other) in zip(old, new) {
            guard found[one] ?? other == other, recorded[other] ?? one == one else { return false }
            rest = rest.replacing(one, with: other)
        }
        guard isSame(rest) else { return false }
        for (one, other) in zip(old, new) { (found[one], recorded[other]) = (other, one) }
        return true
    }

    /// A value with the recorded placeholders in place of those that were found to stand for them.
    func asRecorded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            .string(
                SecretPlaceholder.all(in: text).reduce(text) { text, placeholder in
                    recorded[placeholder].map { text.replacing(placeholder, with: $0) } ?? text
                }
            )
        case .array(let list): .array(list.map(asRecorded))
        case .object(let object): .object(JSONObject(object.map { ($0, asRecorded($1)) }))
        case .null, .bool, .integer, .number: value
        }
    }
}
