internal import ArgumentParser
internal import CommandConsole
internal import Glibc
internal import SceneSoak
internal import StrictJSON

/// The output of a soak: files if a folder was given, a summary on the terminal, and an exit status.
struct SoakOutput {
    /// The folder for `report.html`, `soak.json` and `latency.hgrm`; `nil` writes none.
    var folder: String?
    var isJSON = false
    /// Whether the distribution of latencies is printed as well.
    var showsDistribution = false
    /// Words of the command that run it again, besides its plan.
    var place: [String] = []
    /// The folder from which the soak was read; `nil` if it ran now.
    var source: String?

    /// - Parameters:
    ///   - add: Takes what was judged.
    ///   - more: Additional output of this command, as JSON and as text.
    /// - Throws: An `ExitCode` if it is not 0.
    func show(
        _ run: SoakRun,
        _ add: (CaseReport.Case) -> Void,
        more: (json: [(String, JSONValue)], text: String) = ([], "")
    ) throws {
        let verdict = SoakVerdict(of: run)
        for one in verdict.cases(of: run) { add(one) }
        let written = folder.map { SoakReport.write(run, verdict: verdict, to: $0, refuge: Self.refuge) }
        if isJSON {
            var object = verdict.json(of: run).objectValue ?? [:]
            if let plan = run.plan { object["seed"] = .string(String(plan.seed)) }
            for (key, value) in more.json { object[key] = value }
            object["files"] = written.map { .array($0.files.map(JSONValue.string)) }
            print(json: .object(object))
        } else {
            for line in SoakReport.lines(of: run, verdict: verdict) { print(Self.styled(line)) }
            print(more.text, as: .page, terminator: "")
            if showsDistribution { print("\n" + SoakReport.hgrm(run.latency), as: .page, terminator: "") }
            if let files = written?.files, !files.isEmpty { print("\n" + files.joined(separator: "\n"), as: .page) }
            if let command = run.plan?.commandLine(wrote: source ?? folder, more: place) {
                print("\nTo run it again: \(command)", as: .page)
            }
        }
        Terminal.flush()
        for failure in written?.failures ?? [] { Terminal.complain("\(failure)") }
        let status = verdict.status(of: run)
        if status != 0 { throw ExitCode(status) }
        if let written, !written.isComplete { throw ExitCode(1) }
    }

    /// Where the run is written if its folder no longer can be: it may have taken hours.
    private static var refuge: String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(parent)/scened-soak-\(getpid())"
    }

    static func styled(_ line: SoakReport.Line) -> String {
        switch line.tone {
        case .plain: line.text
        case .heading: Terminal.styled(line.text, .bold)
        case .good: Terminal.styled(line.text, .green)
        case .bad: Terminal.styled(line.text, .red)
        case .doubtful: Terminal.styled(line.text, .yellow)
        case .faint: Terminal.styled(line.text, .faint)
        }
    }
}
