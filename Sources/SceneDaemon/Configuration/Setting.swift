internal import SceneRouting
internal import StrictJSON

/// A description of one setting: the values it may have, its default, and what it does.
struct Setting: Sendable {
    enum Kind: Sendable {
        case text(Form)
        case choice([String])
        case integer(ClosedRange<Int>, Unit)
        /// Users and groups: `user:anna`, `group:staff`, with names or numbers.
        case principals
    }

    enum Form: Sendable {
        case path
        /// Numbers separated by dots.
        case version
        /// A date or a time in UTC.
        case date
    }

    enum Unit: String, Sendable {
        case count = ""
        case bytes, milliseconds, seconds
    }

    let kind: Kind
    /// The default; `nil` if there is none, and then the help says what happens.
    let fallback: SettingValue?
    /// Whole sentences.
    let help: String

    init(_ kind: Kind, _ fallback: SettingValue?, _ help: String) {
        self.kind = kind
        self.fallback = fallback
        self.help = help
    }

    /// The values it may have, for messages and the manual.
    var expectation: String {
        switch kind {
        case .text(.path): "a path"
        case .text(.version): "numbers separated by dots, such as 2.3.1"
        case .text(.date): Instant.expectation
        case .choice(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        case .integer(let range, let unit):
            "\(range.lowerBound) to \(range.upperBound)" + (unit == .count ? "" : " \(unit.rawValue)")
        case .principals: "a list of user:NAME and group:NAME"
        }
    }

    /// The end of a message about a value that is none of the choices: `; did you mean 'warning'?`, or nothing.
    func hint(for value: SettingValue?) -> String {
        guard case .choice(let words) = kind, case .text(let text)? = value else { return "" }
        return Spelling.hint(for: text, among: words)
    }

    /// Why the setting cannot have this value, or `nil`.
    func problem(with value: SettingValue) -> String? {
        switch (kind, value) {
        case (.text(.path), .text(let text)): text.isEmpty || text.contains("\0") ? "'\(text)' is not a path" : nil
        case (.text(.version), .text(let text)):
            text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { Int($0).map { $0 >= 0 } == true }
                ? nil : "'\(text)' is not a version"
        case (.text(.date), .text(let text)): Instant.seconds(text) == nil ? "'\(text)' is not a date" : nil
        case (.choice(let words), .text(let text)): words.contains(text) ? nil : "'\(text)' is unknown"
        case (.integer(let range, _), .integer(let number)):
            range.contains(number) ? nil : "\(number) is too \(number < range.lowerBound ? "small" : "large")"
        case (.principals, .list(let list)):
            list.first { Principal($0) == nil }.map { "'\($0)' is neither user:NAME nor group:NAME" }
        default: "the value has the wrong type"
        }
    }
}

/// The value of a setting.
enum SettingValue: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case list([String])

    /// The value as written on a command line.
    var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .list(let list): list.joined(separator: ",")
        }
    }

    /// The value as written in a file. JSON's scalars and lists are valid YAML.
    var yaml: String {
        switch self {
        case .text(let text): JSONValue.string(text).text()
        case .integer(let number): String(number)
        case .list(let list): "[" + list.joined(separator: ", ") + "]"
        }
    }
}
