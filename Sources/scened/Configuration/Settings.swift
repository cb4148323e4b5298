/// The values of all settings, each with its origin.
struct Settings: Sendable {
    struct Entry: Sendable {
        let value: SettingValue?
        let origin: SettingOrigin
    }

    /// An entry for each key.
    let entries: [SettingKey: Entry]
    /// Messages about environment variables that look like settings but are unknown.
    let warnings: [String]

    subscript(key: SettingKey) -> SettingValue? { entries[key]?.value ?? key.setting.fallback }

    func text(_ key: SettingKey) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }

    func integer(_ key: SettingKey) -> Int? {
        if case .integer(let number) = self[key] { number } else { nil }
    }

    func list(_ key: SettingKey) -> [String] {
        if case .list(let list) = self[key] { list } else { [] }
    }

    func origin(_ key: SettingKey) -> SettingOrigin { entries[key]?.origin ?? .fallback }
}

/// Where the value of a setting comes from.
enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case fallback
    /// The flag as written, such as `--mailbox`.
    case flag(String)
    /// The name of the variable.
    case environment(String)
    /// A place in a file; line and column count from 1.
    case file(String, line: Int, column: Int)

    var description: String {
        switch self {
        case .fallback: "default"
        case .flag(let name): name
        case .environment(let name): name
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        }
    }
}

/// Everything that is wrong with the configuration.
struct SettingProblems: Error, CustomStringConvertible {
    /// One line for each problem, with its place first.
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
}
