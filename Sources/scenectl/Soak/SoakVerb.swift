internal import ArgumentParser

struct SoakVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Loads a daemon for seconds or days, watches it, and says whether anything was lost, slow or wrong.",
        subcommands: [SoakRunVerb.self, SoakReportVerb.self, SoakCompareVerb.self],
        defaultSubcommand: SoakRunVerb.self
    )
}
