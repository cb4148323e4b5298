internal import ArgumentParser
internal import SceneSoak
internal import StrictJSON

struct SoakCompareVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Sets two soaks side by side and says what changed by more than chance; needs no daemon.",
        discussion: """
            Example: scenectl soak compare last-friday this-friday

            What differs is told from noise by drawing the intervals of both again many times; less than 2 % is no change. \
            Where the soaks were not alike (another rate, mix, seed or machine), it says so first.

            Exit status: 0 nothing got worse, 1 something did, 2 usage or a file that is no soak.
            """
    )

    @Argument(help: "The soak before: the folder that '--out' named, or its soak.json.")
    var before: String

    @Argument(help: "The soak after.")
    var after: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let comparison = SoakComparison(try read(before), try read(after))
        print(
            json ? comparison.json.text(.indented) : comparison.text(names: (before, after)),
            terminator: json ? "\n" : ""
        )
        if comparison.isWorse { throw ExitCode(1) }
    }

    private func read(_ path: String) throws(CommandError) -> SoakRun {
        do throws(SoakFolder.Failure) {
            return try SoakReport.read(path)
        } catch {
            throw .usage("\(error).")
        }
    }
}
