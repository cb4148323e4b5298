internal import ArgumentParser
internal import SceneHistory
internal import SceneJournal
internal import SceneSoak
internal import StrictJSON

struct SoakReportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Judges and reports a run once more, or one that nobody watched, from the journal.",
        discussion: """
            Of a folder that 'soak --out' wrote, or its soak.json: prints the summary again, and with --out makes the page again.

            Of the journal: reads what the daemon wrote with 'logRecords: whole' (the drop-in soak.conf sets it) and makes of \
            it what 'soak' makes of its own run: rate by outcome, latency, the invariants, hosts, and what is missing \
            and why. Latency is what the daemon saw, from an event's admission to the end of its first attempt.

            Examples:
              scenectl soak report friday --out again
              scenectl soak report --journal scened --since '2026-11-20 18:00' --out friday

            Exit status: 0 all is well, 1 it is not, 2 usage, 3 there is no journal that can be read or nothing in it to \
            judge, 4 it cannot be known.
            """
    )

    @Argument(help: "A folder of a soak, or its soak.json.")
    var soak: String?

    @Option(
        help: ArgumentHelp(
            "The unit whose records are read; '*' for every scened, in a unit or not.",
            valueName: "unit"
        )
    )
    var journal: String?

    @OptionGroup(title: "Which part of the journal") var part: JournalOptions

    @Option(help: ArgumentHelp("How long an interval is, of the journal.", valueName: "time"))
    var every = "10s"

    @Option(help: ArgumentHelp("Percentiles of latency to show, of the journal.", valueName: "list"))
    var percentiles = "50,90,99,99.9"

    @Option(help: ArgumentHelp("A folder for report.html, soak.json and latency.hgrm.", valueName: "folder"))
    var out: String?

    @Flag(help: "Print the whole distribution of latencies, as HdrHistogram's tools read it.")
    var hdr = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let output = SoakOutput(folder: out, isJSON: json, showsDistribution: hdr)
        switch (soak, journal) {
        case (let path?, nil):
            if part.areGiven {
                throw CommandError.usage("--since and the like choose a part of the journal; name it with --journal.")
            }
            try output.show(try read(folder: path))
        case (nil, let unit?):
            let found = try read(unit)
            try output.show(found.run, more: ([("journal", found.history.json)], found.history.text))
        default:
            throw CommandError.usage(
                "Name either a folder that 'scenectl soak --out' wrote or, with --journal, a unit such as scened."
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
        guard let every = Duration(words: every), every >= .milliseconds(100) else {
            throw CommandError.usage(
                "--every \(every): a time such as 500ms, 30s or 5m, at least 100ms, would be right."
            )
        }
        options.every = every
        do throws(SoakPlanProblem) {
            options.percentiles = try SoakPlan.percentiles(parsing: percentiles)
        } catch {
            throw CommandError.usage("\(error)")
        }
        do {
            return try JournalSoak.read(try part.query(unit: unit), options: options)
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: 3)
        }
    }
}
