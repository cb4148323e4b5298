internal import CommandMistakes
internal import CommandConsole
internal import SceneRaces
internal import SceneRouting

/// The scenarios that a program knows by name. Any program takes files, too.
package enum RaceScenarios: Sendable {
    /// Those that ship.
    case builtIn
    /// The files in YAML or JSON in the folder at this path, each named by its file without the ending.
    case folder(String)

    /// One of them, in a sentence.
    var one: String {
        switch self {
        case .builtIn: "a built-in scenario"
        case .folder: "a scenario of the app"
        }
    }

    /// All of them, in a sentence.
    var all: String {
        switch self {
        case .builtIn: "the built-in scenarios"
        case .folder(let folder): "the scenarios in \(Files.shown(folder))"
        }
    }

    /// The name of one for examples.
    var example: String {
        switch self {
        case .builtIn: "sign-out-against-push"
        case .folder: offered.first ?? "mine.yaml"
        }
    }

    /// The names that a shell offers; none if the folder cannot be read.
    var offered: [String] { (try? names()) ?? [] }

    private static let endings = [".yaml", ".yml", ".json"]

    /// The names, sorted.
    /// - Throws: Why the folder cannot be read.
    func names() throws(CommandError) -> [String] {
        switch self {
        case .builtIn: ShippedScenarios.names
        case .folder(let folder):
            try Files.names(in: folder, endingWith: Self.endings).map { file in
                String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
            }
        }
    }

    /// The text of the scenario with this name, or of the file at this path, and the path relative to which it names others.
    /// - Throws: That there is none, or why it cannot be read.
    func read(_ name: String) throws(CommandError) -> (text: String, path: String) {
        switch self {
        case .builtIn: if let text = ShippedScenarios.text(of: name) { return (text, name) }
        case .folder(let folder):
            for ending in Self.endings where !name.contains("/") && Files.stamp("\(folder)/\(name)\(ending)") != nil {
                let path = "\(folder)/\(name)\(ending)"
                return (try Input.text(file: path), path)
            }
        }
        let isPath = name == "-" || name.contains("/") || Self.endings.contains(where: name.hasSuffix)
        guard isPath || Files.stamp(name) != nil else {
            let meant = Spelling.nearest(to: name, among: offered).map { " Did you mean '\($0)'?" } ?? ""
            throw .usage("No scenario '\(name)'.\(meant) '\(CommandName.own) race --list' lists \(all).")
        }
        return (try Input.text(file: name), name)
    }
}
