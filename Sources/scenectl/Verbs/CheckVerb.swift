internal import ArgumentParser
internal import SceneHistory
internal import StrictJSON

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judges a history by the twelve invariants; needs no daemon.",
        discussion: """
            Example: scenectl records --json | scenectl check -

            Exit status: 0 every invariant holds, 1 one is violated, 4 one cannot be decided from these records.
            """
    )

    @Argument(help: "The history, one record a line as 'records --json' prints it, or - for standard input.")
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        var reader = HistoryReader()
        var checker = HistoryChecker()
        try Input.read(file: file) { chunk in reader.read(chunk) { checker.check($0) } }
        reader.finish { checker.check($0) }
        let report = checker.finish()
        print(json ? report.json.text(.indented) : report.text, terminator: json ? "\n" : "")
        guard report.conclusion == .holds else { throw ExitCode(Int32(report.conclusion.rawValue)) }
    }
}
