internal import Basics
internal import CommandConsole
internal import Interleaving
internal import SceneRaces
internal import SceneRouting
internal import StrictJSON

/// What a search leaves for those who were not there: a folder, and a case for a CI system.
extension RaceVerb {
    /// The folder for what is known of a race of a scenario, without what an earlier run left there; `nil` if none is asked for.
    func raceFolder(_ name: String) throws(CommandError) -> RaceFolder? {
        guard let artifacts else { return nil }
        guard !artifacts.isEmpty else { throw .usage("--artifacts '': expected the path of a folder, found nothing.") }
        // Those of files in other folders, and with other characters, are called the same otherwise.
        let isFile = Files.stamp(name) != nil
        let readable = ArtifactFolder.name(of: [String(Self.stem(name))])
        let words = [readable.isEmpty ? "race" : readable] + (isFile ? [String(name.utf8.digest.prefix(6))] : [])
        let folder = RaceFolder(path: "\(artifacts)/\(words.joined(separator: "-"))")
        let wasThere = Files.stamp(artifacts) != nil
        try folder.removeOld()
        if !wasThere { Files.removeEmpty(artifacts) }
        return folder
    }

    /// How a race's files are written.
    func files(of outcome: RaceText, _ name: String) -> RaceFiles {
        RaceFiles(
            scenario: name,
            replayLine: { outcome.replayLine($0) },
            search: outcome.report,
            daemon: Program.daemon
        )
    }

    /// Leaves all that is known of a race in its folder, and says so.
    /// - Parameter text: The scenario's file.
    func keep(
        _ found: FoundRace,
        _ files: RaceFiles,
        of scenario: Scenario,
        _ text: String,
        in folder: RaceFolder
    ) throws(CommandError) {
        try Files.makeFolder(folder.path)
        for file in [RaceFolder.File.page, .text] { try files.report(found, to: folder.path(file)) }
        try files.save(found, of: scenario, to: folder.path(.order))
        try folder.write(JSONValue.object(scenario.app.json).text(.indented) + "\n", .app)
        let here = Program.app == nil ? " --app \(RaceFolder.File.app.rawValue)" : ""
        try folder.write(
            """
            \(files.replayLine(found.code))
            # In this folder, wherever it is:
            # \(Program.name) race \(RaceFolder.File.scenario.rawValue)\(here) --replay \(RaceFolder.File.order.rawValue)

            """,
            .replay
        )
        try folder.write((found.failure?.records ?? []).map { $0 + "\n" }.joined(), .records)
        try folder.write(text, .scenario)
        do throws(CommandError) {
            // The daemon of a program has its own app.
            let app =
                Program.app == nil && scenario.appSource != Program.daemon.app ? RaceFolder.File.app.rawValue : nil
            try files.export(found, of: scenario, to: folder.path(.script), app: app)
        } catch {
            // Not every race can be provoked on a daemon, and the rest is there.
            Terminal.complain("no \(folder.path(.script)): \(error)")
        }
        Terminal.write(Terminal.harmless("What is known of it: \(folder.path)", as: .line) + "\n")
    }
}

extension RaceText {
    /// How a scenario came out, for a CI system.
    /// - Parameters:
    ///   - file: The path of the scenario; `nil` if it is built in.
    ///   - about: What the scenario says that it is about.
    func judged(file: String?, about: String) -> CaseReport.Case {
        let time = isMerged ? nil : report.map { Int($0.exploration.duration / .milliseconds(1)) }
        let words = [about, cut.map { "\($0)." }].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
        return CaseReport.Case(scenario, result, file: file, milliseconds: time, about: words)
    }

    private var result: CaseReport.Outcome {
        if let found {
            let more = lacks.isEmpty ? "" : " \(lacks.joined(separator: " "))"
            let message = "race (\(found.kind)): \(CaseReport.message(found.findings)); \(replayLine(found))\(more)"
            // What is printed, too: an app's team knows its records, and not the functions of the runtime, which `--report` and `--artifacts` show.
            return .failed(message, text: Terminal.unstyled(text))
        }
        if hasNothingToChoose { return .unjudged("nothing happens at the same time, so there is nothing to choose") }
        if wasEnded { return .unjudged("interrupted; no race found so far") }
        if isMisfit { return .unjudged("--replay names no order of the scenario") }
        if !lacks.isEmpty { return .unjudged("no race found so far: \(lacks.joined(separator: " "))") }
        if isUnproved { return .unjudged("not every order was run, so nothing is proved") }
        return .passed
    }
}
