internal import ArgumentParser
internal import CommandConsole
internal import SceneEntryPoints
internal import SceneRouting
internal import StrictJSON

struct Sample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Print a sample event, to pipe into its subcommand; needs no daemon.",
        discussion: """
            Examples:
              scenectl sample push | scenectl push -
              scenectl sample handoff | scenectl adapter try --event -

            Samples, and the subcommand that takes each:
            \(SampleEvent.all.map { "  \($0.name.padded(to: 18)) \($0.kind.verb.padded(to: 9)) \($0.about)" }.joined(separator: "\n"))
            """
    )

    @Argument(help: "The sample's name.", completion: .list(SampleEvent.all.map(\.name)))
    var kind: String

    @Flag(help: "Print JSON, as without it.")
    var json = false

    func run() async throws {
        guard let sample = SampleEvent.named(kind) else {
            let names = SampleEvent.all.map(\.name)
            let meant = Spelling.nearest(to: kind, among: names).map { " Did you mean '\($0)'?" } ?? ""
            throw CommandError.usage("No sample '\(kind)'.\(meant) The samples are \(names.joined(separator: ", ")).")
        }
        print(json: try JSONValue(parsing: sample.text))
    }
}
