internal import ArgumentParser
internal import CommandConsole
internal import SceneSoak
internal import StrictJSON

struct SoakCompareVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two soaks, and show what changed by more than chance; needs no daemon.",
        discussion: """
            Example: scenectl soak compare last-friday this-friday

            A change is told from noise by resampling the intervals of both soaks many times (a bootstrap); less than 2 % counts \
            as no change. If the soaks differ in rate, mix, seed or machine, it warns first.

            Exit status: 0 nothing got worse, 1 something did, 2 usage or a file that is not a soak.
            """
    )

    @Argument(help: "The earlier soak: the folder given by --out, or its soak.json.")
    var before: String

    @Argument(help: "The later soak.")
    var after: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let comparison = SoakComparison(try read(before), try read(after))
        if json {
            print(json: comparison.json)
        } else {
            print(comparison.text(names: (before, after)), as: .page, terminator: "")
        }
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
