internal import ArgumentParser
internal import StrictJSON

struct Sample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Prints a sample event, to be piped into its verb; needs no daemon.",
        discussion: """
            Examples:
              scenectl sample push | scenectl push -
              scenectl sample handoff | scenectl adapter try --event -

            Samples, and the verb that takes each:
            \(SampleEvent.all.map { "  \($0.name.padded(to: 18)) \($0.kind.verb.padded(to: 9)) \($0.about)" }.joined(separator: "\n"))
            """
    )

    @Argument(help: "Which one; all names stand below.")
    var kind: String

    func run() async throws {
        guard let sample = SampleEvent.named(kind) else {
            let names = SampleEvent.all.map(\.name).joined(separator: ", ")
            throw CommandError.usage("No sample '\(kind)': one of \(names) would be right.")
        }
        print(try JSONValue(parsing: sample.text).text(.indented))
    }
}
