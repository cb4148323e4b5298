internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneHistory
internal import SceneJournal
internal import StrictJSON

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a history against the invariants.",
        discussion: """
            Examples: scenectl check
                      scenectl records --json | scenectl check -
                      scenectl check --app my.yaml records.jsonl
                      scenectl check --journal scened.service --since yesterday

            Without a file and without --journal, the daemon judges what it has recorded, by its own manifests too.

            Each invariant holds, is violated, or is unknown. It is unknown if records are missing, if they end while \
            something is going on, or if more is open at once than the budget allows. The budget bounds the memory used, \
            however many records there are.

            With --app, the app's manifest, it also judges whether each record says what the manifest makes of what came before: \
            where a link leads, what gates it, what is planned, shown, swept and handed to which coordinator, and what that makes of \
            the session. What coordinators in Swift decide is unknown. 'scenectl app show' prints the manifest of a daemon.

            With --journal it reads the records that a daemon with 'logRecords: whole' wrote to the journal. It says how each \
            run of the daemon (host) ended, which records are missing and why. Missing records make verdicts unknown; they do \
            not count as lost events.

            Exit status: 0 every invariant holds, 1 at least one is violated, 2 usage, or no record in the file, 3 the journal \
            cannot be read or holds nothing to check, 4 none is violated but at least one is unknown.
            """
    )

    @Argument(
        help: "The history, one record a line as 'records --json' prints it; - for standard input.",
        completion: .file()
    )
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Read this unit's records from the journal; '*' for every scened, with or without a unit.",
            valueName: "unit"
        )
    )
    var journal: String?

    @OptionGroup var manifests: ManifestOptions

    @OptionGroup(title: "Part of the journal to read") var part: JournalOptions

    @Option(
        help: ArgumentHelp(
            "How many events and scenes of one host may be open at once before verdicts become unknown.",
            valueName: "count"
        )
    )
    var budget = HistoryChecker.usualLimit

    @OptionGroup var results: CaseReportOptions

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if budget < 1 { throw ValidationError("--budget \(budget): expected 1 or more.") }
        if file != nil, journal != nil { throw ValidationError("Give a file or --journal UNIT, but not both.") }
        if file == nil, journal == nil, !manifests.app.isEmpty || budget != HistoryChecker.usualLimit {
            throw ValidationError(
                "--app and --budget need a file or --journal UNIT; a daemon judges by its own manifests."
            )
        }
        if journal == nil, part.areGiven { throw ValidationError("Options such as --since need --journal UNIT.") }
    }

    func run() async throws {
        try await results.reporting("scenectl check", of: file ?? journal, keeps: [file] + manifests.app) { add in
            let (report, history) = try await judged()
            for one in report.cases(file: file == "-" ? nil : file) { add(one) }
            try conclude(report, history)
        }
    }

    /// The verdicts, and what of a journal was read.
    private func judged() async throws -> (HistoryReport, JournalHistory?) {
        if file == nil, journal == nil { return (try await Self.verdict(of: daemon.connect()), nil) }
        var checker = HistoryChecker(limit: budget, apps: try manifests.models())
        if let journal { return try judged(try part.query(unit: journal), by: &checker) }
        var reader = HistoryReader()
        var flaws = HistoryFlaws()
        func look(_ line: HistoryReader.Line) {
            flaws.take(line)
            checker.check(line)
        }
        try Input.read(file: file ?? "-") { chunk in
            flaws.look(at: chunk)
            reader.read(chunk) { look($0) }
        }
        reader.finish { look($0) }
        // Nothing in a file that is no history can be judged.
        guard flaws.records > 0 else {
            throw flaws.noRecords(in: file.flatMap { $0 == "-" ? nil : $0 } ?? "standard input")
        }
        return (checker.finish(), nil)
    }

    private func judged(
        _ query: JournalQuery,
        by checker: inout HistoryChecker
    ) throws -> (HistoryReport, JournalHistory?) {
        let history: JournalHistory
        do {
            history = try RecordJournal(query).read { checker.check($0.line) }
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: .noDaemon)
        }
        return (checker.finish(), history)
    }

    /// A daemon's verdict about what it has recorded.
    static func verdict(of client: SceneClient) async throws -> HistoryReport {
        let reply = try await client.call("io.scened.Records.Check")
        do {
            return HistoryReport(try HostReport(check: JSONReader(reply)))
        } catch {
            throw CommandError.failed("The daemon's verdict cannot be read: \(error).")
        }
    }

    private func conclude(_ report: HistoryReport, _ history: JournalHistory?) throws {
        if daemon.json {
            var value = report.json
            if let history, var object = value.objectValue {
                object["journal"] = history.json
                value = .object(object)
            }
            print(json: value)
        } else {
            for line in (history?.lines ?? []) + report.lines { print(line) }
        }
        guard report.conclusion == .holds else { throw ExitCode(Int32(report.conclusion.rawValue)) }
    }
}
