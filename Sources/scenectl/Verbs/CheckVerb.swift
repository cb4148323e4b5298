internal import ArgumentParser
internal import SceneHistory
internal import StrictJSON

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judges a history by the twelve invariants; needs no daemon.",
        discussion: """
            Example: scenectl records --json | scenectl check -

            Each invariant holds, is violated, or is unknown: where records are missing, where they end while something is \
            going on, or where more is open at once than the budget allows. Memory is bounded by the budget, not by the \
            number of records.

            Exit status: 0 every invariant holds, 1 one is violated, 2 usage, 4 none is violated and one is unknown.
            """
    )

    @Argument(help: "The history, one record a line as 'records --json' prints it, or - for standard input.")
    var file: String

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
    }

    func run() async throws {
        var reader = HistoryReader()
        var checker = HistoryChecker(limit: budget)
        try Input.read(file: file) { chunk in reader.read(chunk) { checker.check($0) } }
        reader.finish { checker.check($0) }
        let report = checker.finish()
        print(json ? report.json.text(.indented) : report.text, terminator: json ? "\n" : "")
        guard report.conclusion == .holds else { throw ExitCode(Int32(report.conclusion.rawValue)) }
    }
}
