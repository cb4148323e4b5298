internal import CommandConsole
internal import Interleaving
internal import SceneRaces
internal import StrictJSON

/// The files that a race is written to and read from.
struct RaceFiles {
    /// The format of a report.
    enum Format: String, CaseIterable {
        case html, json, txt

        /// The format by the extension of a file's name.
        init?(file: String) {
            guard let format = Self.allCases.first(where: { file.hasSuffix(".\($0.rawValue)") }) else { return nil }
            self = format
        }
    }

    let scenario: String
    /// The command that runs an order again.
    let replayLine: (ReplayCode) -> String
    /// The search that found it; `nil` for a replay.
    let search: RaceReport?
    /// The daemon on which an exported script runs.
    let daemon: RaceScript.Daemon

    func save(_ found: FoundRace, of scenario: Scenario, to file: String) throws(CommandError) {
        try Files.write(String(decoding: found.file(of: scenario.name).bytes, as: UTF8.self), to: file, replacing: true)
    }

    func report(_ found: FoundRace, to file: String) throws(CommandError) {
        let report = found.report(of: scenario, search, replay: replayLine(found.code))
        let text =
            switch Format(file: file) {
            case .html: RacePage.text(found, report, search, replay: replayLine)
            case .json: report.json.text(.indented) + "\n"
            case .txt, nil: report.text()
            }
        try Files.write(text, to: file, replacing: true)
    }

    /// - Parameter app: The app's manifest, as a person names it who starts a daemon with it; `nil` for that which the scenario names.
    func export(_ found: FoundRace, of scenario: Scenario, to file: String, app: String? = nil) throws(CommandError) {
        let script: RaceScript
        do throws(RaceScriptError) {
            script = try RaceScript(found, of: scenario, on: daemon, app: app)
        } catch {
            throw .failed("--export \(file): \(error)")
        }
        try Files.write(script.text, to: file, replacing: true)
    }

    /// The saved run in the file at a path; `nil` if there is no such file.
    static func replayed(_ word: String) throws -> ReplayFile? {
        guard Files.stamp(word) != nil else { return nil }
        let text = try Input.text(file: word)
        do throws(ReplayFileError) {
            return try ReplayFile(parsing: Array(text.utf8))
        } catch {
            throw CommandError.usage("\(word): \(error).")
        }
    }
}
