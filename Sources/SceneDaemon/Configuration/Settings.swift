/// The values of all settings, each with its origin.
struct Settings: Sendable {
    struct Entry: Sendable {
        let value: SettingValue?
        let origin: SettingOrigin
    }

    /// An entry for each key.
    let entries: [SettingKey: Entry]
    let unknownVariables: [String]

    /// What is allowed and probably a mistake.
    var warnings: [SettingWarning] {
        unknownVariables.map(SettingWarning.unknownVariable)
            + (!list(.rolesInject).isEmpty && origin(.rolesInject) != .fallback && origin(.rolesAct) == .fallback
                ? [.actUnset(origin(.rolesInject))] : [])
    }

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

/// Something in the configuration that is allowed and probably a mistake.
enum SettingWarning: Hashable, Sendable, CustomStringConvertible {
    /// A message about an environment variable that looks like a setting: no error, because it may have been set for another
    /// program.
    case unknownVariable(String)
    /// `roles.inject` is set here, and `roles.act` nowhere. It may be from the time when to inject was to act too.
    case actUnset(SettingOrigin)

    var description: String {
        switch self {
        case .unknownVariable(let message): message
        case .actUnset(let origin):
            "\(origin): roles.inject is set and roles.act is not: gestures, intents and the ends of flows need roles.act,"
                + " which by default only \(SettingKey.rolesAct.setting.fallback?.text ?? "nobody") has"
        }
    }
}

/// Everything that is wrong with the configuration.
struct SettingProblems: Error, CustomStringConvertible {
    /// One line for each problem, with its place first.
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
}
