internal import CommandConsole
internal import Glibc

/// The folder with all that is known of a race.
struct RaceFolder {
    /// A file in it, by its name.
    enum File: String, CaseIterable {
        /// The report as a page.
        case page = "report.html"
        /// The report as text.
        case text = "report.txt"
        /// The order, for `--replay`.
        case order = "race.json"
        /// The commands that run it again: where it was found, and in this folder, wherever that is.
        case replay = "replay.txt"
        /// What the window's host has recorded in that order, as `scenectl inspect` shows it.
        case records = "records.jsonl"
        /// The scenario.
        case scenario = "scenario.yaml"
        /// The app's manifest.
        case app = "app.json"
        /// The script that provokes it on a live daemon, where that can be done.
        case script = "provoke.sh"
    }

    let path: String

    func path(_ file: File) -> String { "\(path)/\(file.rawValue)" }

    func write(_ text: String, _ file: File) throws(CommandError) {
        try Files.write(text, to: path(file), replacing: true)
    }

    /// Removes what an earlier run left; otherwise it could be taken for this one's.
    func removeOld() throws(CommandError) {
        try Files.prepare(path, for: File.allCases.map(\.rawValue), mark: File.replay.rawValue, option: "--artifacts")
    }
}
