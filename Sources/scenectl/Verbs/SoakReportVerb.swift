internal import ArgumentParser
internal import SceneHistory
internal import SceneJournal
internal import SceneSoak
internal import StrictJSON

struct SoakReportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Judges and reports a run that nobody drove or watched, from the journal.",
        discussion: """
            Reads what the daemon wrote to the journal with 'logRecords: whole' (the drop-in soak.conf sets it) and makes of \
            it what 'soak' makes of its own run: rate by outcome, latency, the twelve invariants, hosts, and what is missing \
            and why. Latency is what the daemon saw, from an event's admission to the end of its first attempt.

            Example: scenectl soak report --journal scened --since '2026-11-20 18:00'

            Exit status: 0 all is well, 1 it is not, 2 usage, 3 there is no journal that can be read or nothing in it to \
            judge, 4 it cannot be known.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The unit whose records are read; '*' for every scened, in a unit or not.",
            valueName: "unit"
        )
    )
    var journal: String

    @OptionGroup(title: "Which part of the journal") var part: JournalOptions

    @Option(help: ArgumentHelp("How long an interval is.", valueName: "time"))
    var every = "10s"

    @Option(help: ArgumentHelp("Percentiles of latency to show.", valueName: "list"))
    var percentiles = "50,90,99,99.9"

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
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
        let found: (run: SoakRun, history: JournalHistory)
        do {
            found = try JournalSoak.read(try part.query(unit: journal), options: options)
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: 3)
        }
        let verdict = SoakConclusion(found.run)
        if json {
            var object = verdict.json(found.run).objectValue ?? [:]
            object["journal"] = found.history.json
            print(JSONValue.object(object).text(.indented))
        } else {
            print(SoakSummary(found.run).text + found.history.text + verdict.text)
        }
        if verdict.status != 0 { throw ExitCode(verdict.status) }
    }
}
