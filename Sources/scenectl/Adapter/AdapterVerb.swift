internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

struct AdapterVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapter",
        abstract: "Try, test and create adapters, which turn events into requests.",
        subcommands: [Try.self, Test.self, New.self, List.self]
    )

    struct Try: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "try",
            abstract: "Show what would become of an event, without touching a window.",
            discussion: """
                Examples:
                  scenectl sample handoff | scenectl adapter try --event - --explain
                  scenectl adapter try --event payload.apns --adapter push-url --app my.yaml

                Exit status: 0 an adapter takes the event and it leads somewhere, 1 not.
                """
        )

        @Option(
            help: ArgumentHelp(
                "The file with the event or an .apns payload, or - for standard input.",
                valueName: "file"
            ),
            completion: .file()
        )
        var event: String

        @Option(help: ArgumentHelp("Ask only this adapter.", valueName: "name"), completion: .adapters)
        var adapter: String?

        @Flag(help: "Also show which adapters declined first, and why.")
        var explain = false

        @OptionGroup var patience: PatienceOptions
        @OptionGroup var options: TrialOptions

        func run() async throws {
            let event = try EventInput.event(file: event)
            let trials = try await options.trials()
            let patience = Patience(limit: patience.timeout, what: "the adapters to answer") { [] }
            let trial = try await patience.wait { try await trials.trial(of: event, adapter: adapter) }
            if options.daemon.json {
                print(json: .object(trial))
            } else {
                for line in TrialText.lines(trial, explain: explain) { print(line) }
            }
            guard trial["decision"] != "refused" else { throw ExitCode(1) }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the daemon's adapters in the order in which they are asked."
        )

        @OptionGroup var daemon: LastingDaemonOptions

        func run() async throws {
            let reply = try await daemon.connect().call("io.scened.Adapters.List")
            guard !daemon.json else { return print(json: .object(reply)) }
            for adapter in reply["adapters"]?.arrayValue ?? [] {
                let kinds = (adapter["kinds"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
                let priority = adapter["priority"]?.integerValue ?? 0
                var words = [
                    Terminal.styled((adapter["name"]?.stringValue ?? "").padded(to: 24), .bold),
                    "\(adapter["origin"]?.stringValue ?? "")".padded(to: 8), "\(priority)".padded(to: 5), kinds,
                ]
                if let limit = adapter["timeoutMilliseconds"]?.integerValue { words.append("within \(limit) ms") }
                print(words.joined(separator: " "))
            }
        }
    }
}
