package import ArgumentParser

/// What a daemon's program can do besides being the daemon. A further product brings it, so that a program links it only if it says so.
public struct DaemonSubcommand: Sendable {
    /// The command.
    package let command: any ParsableCommand.Type
    /// Runs it and ends the process.
    /// - Parameters:
    ///   - root: The program's root command.
    ///   - words: The command line without the program's name.
    package let run: @Sendable (_ root: any AsyncParsableCommand.Type, _ words: [String]) async -> Never

    /// A command that ends the process by itself.
    package init(
        _ command: any ParsableCommand.Type,
        run: @escaping @Sendable (_ root: any AsyncParsableCommand.Type, _ words: [String]) async -> Never
    ) {
        self.command = command
        self.run = run
    }
}
