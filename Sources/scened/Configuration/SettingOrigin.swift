/// Where a setting's value came from.
enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case fallback
    /// The flag as written, such as `--mailbox`.
    case flag(String)
    /// The variable.
    case environment(String)
    /// A place in a file, from 1.
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

/// What is wrong with the configuration, all of it.
struct SettingProblems: Error, CustomStringConvertible {
    /// One sentence each, the place first.
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
}
