internal import Basics
internal import ArgumentParser
internal import CommandConsole
internal import SceneHistory
internal import SceneJournal
internal import SceneSoak
internal import StrictJSON

struct SoakReportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report on an earlier soak again, or on a daemon that nobody watched, from the journal.",
        discussion: """
            For a folder that 'soak --out' wrote, or its soak.json, it prints the summary again, and with --out writes the page \
            again.

            With --journal it reads the records that a daemon with 'logRecords: whole' wrote (the drop-in soak.conf sets this), \
            and reports on them as 'soak' reports on its own run: rate by outcome, latency, invariants, hosts, and which records \
            are missing and why. Latency then is the time from an event's admission to the end of its first attempt.

            Examples:
              scenectl soak report friday --out again
              scenectl soak report --journal scened --since '2026-11-20 18:00' --out friday

            Exit status: 0 clean, 1 guilty, 2 usage, 3 the journal cannot be read or holds nothing to check, 4 unknown.
            """
    )

    @Argument(help: "The folder of a soak, or its soak.json.")
    var soak: String?

    @Option(
        help: ArgumentHelp(
            "Read this unit's records from the journal; '*' for every scened, with or without a unit.",
            valueName: "unit"
        )
    )
    var journal: String?

    @OptionGroup var manifests: ManifestOptions

    @OptionGroup(title: "Part of the journal to read") var part: JournalOptions

    @Option(help: ArgumentHelp("The length of an interval, with --journal.", valueName: "time"))
    var every = "10s"

    @Option(help: ArgumentHelp("The percentiles to show, with --journal.", valueName: "list"))
    var percentiles = "50,90,99,99.9"

    @Option(help: ArgumentHelp("A folder for report.html, soak.json and latency.hgrm.", valueName: "folder"))
    var out: String?

    @Flag(help: "Print the whole distribution of latencies in the format of HdrHistogram's tools.")
    var hdr = false

    @OptionGroup var results: CaseReportOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await results.reporting(
            "scenectl soak",
            of: soak ?? journal,
            keeps: [soak, soak.map { "\($0)/\(SoakReport.run)" }] + manifests.app
        ) { try run($0) }
    }

    /// - Parameter add: Takes what was judged.
    private func run(_ add: (CaseReport.Case) -> Void) throws {
        var output = SoakOutput(folder: out, isJSON: json, showsDistribution: hdr)
        switch (soak, journal) {
        case (let path?, nil):
            if part.areGiven || !manifests.app.isEmpty {
                throw CommandError.usage("Options such as --since and --app need --journal UNIT.")
            }
            let file = "/\(SoakReport.run)"
            output.source = path.hasSuffix(file) ? String(path.dropLast(file.count)) : path
            try output.show(try read(folder: path), add)
        case (nil, let unit?):
            let found = try read(unit)
            try output.show(found.run, add, more: ([("journal", found.history.json)], found.history.text))
        default:
            throw CommandError.usage(
                "Give either a folder that 'scenectl soak --out' wrote, or --journal UNIT."
            )
        }
    }

    private func read(folder path: String) throws -> SoakRun {
        do throws(SoakFolder.Failure) {
            return try SoakReport.read(path)
        } catch {
            throw CommandError.usage("\(error).")
        }
    }

    private func read(_ unit: String) throws -> (run: SoakRun, history: JournalHistory) {
        var options = JournalSoak.Options()
        guard let every = Duration.reading(every), every >= .milliseconds(100) else {
            throw CommandError.usage(
                "--every \(every): expected a time such as 500ms, 30s or 5m, at least 100ms."
            )
        }
        options.every = every
        options.apps = try manifests.models()
        do throws(SoakPlanProblem) {
            options.percentiles = try SoakPlan.percentiles(parsing: percentiles)
        } catch {
            throw CommandError.usage("\(error)")
        }
        do {
            return try JournalSoak.read(try part.query(unit: unit), options: options)
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: .noDaemon)
        }
    }
}
