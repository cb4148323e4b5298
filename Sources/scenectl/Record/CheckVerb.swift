internal import ArgumentParser
internal import SceneHistory
internal import SceneJournal
internal import StrictJSON

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judges a history by the invariants; needs no daemon.",
        discussion: """
            Examples: scenectl records --json | scenectl check -
                      scenectl check --journal scened.service --since yesterday

            Each invariant holds, is violated, or is unknown: where records are missing, where they end while something is \
            going on, or where more is open at once than the budget allows. Memory is bounded by the budget, not by the \
            number of records.

            With --journal it reads what the daemon wrote to the journal with 'logRecords: whole', and says of every host how \
            it ended, what is missing and why. What is missing is a gap, after which a verdict is unknown, and never a loss.

            Exit status: 0 every invariant holds, 1 one is violated, 2 usage, 3 there is no journal that can be read or \
            nothing in it to judge, 4 none is violated and one is unknown.
            """
    )

    @Argument(help: "The history, one record a line as 'records --json' prints it, or - for standard input.")
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Read this unit's records from the journal; '*' for every scened, in a unit or not.",
            valueName: "unit"
        )
    )
    var journal: String?

    @OptionGroup(title: "Which part of the journal") var part: JournalOptions

    @Option(
        help: ArgumentHelp(
            "How many events and scenes of one host may be open at once before the verdicts are unknown.",
            valueName: "count"
        )
    )
    var budget = HistoryChecker.usualLimit

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if budget < 1 { throw ValidationError("--budget \(budget): 1 or more would be right.") }
        if (file == nil) == (journal == nil) {
            throw ValidationError("A file or --journal UNIT has to say what to check, and not both.")
        }
        if journal == nil, part.areGiven { throw ValidationError("--since and the like need --journal UNIT.") }
    }

    func run() async throws {
        if let journal { return try check(try part.query(unit: journal)) }
        var reader = HistoryReader()
        var checker = HistoryChecker(limit: budget)
        try Input.read(file: file ?? "-") { chunk in reader.read(chunk) { checker.check($0) } }
        reader.finish { checker.check($0) }
        try conclude(checker.finish(), nil)
    }

    private func check(_ query: JournalQuery) throws {
        var checker = HistoryChecker(limit: budget)
        let history: JournalHistory
        do {
            history = try RecordJournal(query).read { checker.check($0.line) }
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: 3)
        }
        try conclude(checker.finish(), history)
    }

    private func conclude(_ report: HistoryReport, _ history: JournalHistory?) throws {
        if json {
            var value = report.json
            if let history, var object = value.objectValue {
                object["journal"] = history.json
                value = .object(object)
            }
            print(value.text(.indented))
        } else {
            print((history?.text ?? "") + report.text, terminator: "")
        }
        guard report.conclusion == .holds else { throw ExitCode(Int32(report.conclusion.rawValue)) }
    }
}
