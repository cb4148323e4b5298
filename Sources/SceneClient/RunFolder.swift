internal import Basics

/// What a failed run leaves in a folder, and the commands that look at it.
package struct RunFolder: Sendable {
    /// A file in it, by its name.
    package enum File: String, CaseIterable, Sendable {
        /// The manifest.
        case app = "app.json"
        /// What the daemon has logged.
        case log = "daemon.log"
        /// The records as a page, which `scenectl inspect` writes.
        case page = "trace.html"
        /// The records, one in a line.
        case records = "records.jsonl"
        /// The calls, as a script.
        case script = "script.jsonl"
    }

    /// The folder's path.
    package let path: String
    /// The path or name of scenectl.
    private let scenectl: String

    package init(path: String, scenectl: String) {
        self.path = path
        self.scenectl = scenectl.shellWord
    }

    /// A file's path.
    package func path(_ file: File) -> String { "\(path)/\(file.rawValue)" }

    /// A line of a shell that judges the records.
    /// - Parameter hasApp: Whether the manifest is there, too.
    package func checking(hasApp: Bool) -> String {
        "\(scenectl) check\(hasApp ? " --app \(word(.app))" : "") \(word(.records))"
    }

    /// A line of a shell that plays the script on a daemon of its own, from where the script's clock began. It can be followed by
    /// `--secret PLACEHOLDER=VALUE` for what is secret in the script.
    /// - Parameter options: The options of `with-daemon` with which the daemon is the same.
    package func playing(on options: [String]) -> String {
        let words = ["with-daemon"] + options.map(\.shellWord) + ["--", scenectl, "play", "--reset", word(.script)]
        return "\(scenectl) \(words.joined(separator: " "))"
    }

    private func word(_ file: File) -> String { path(file).shellWord }
}
