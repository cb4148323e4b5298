package import ArgumentParser
package import CommandMistakes
internal import Glibc
internal import StrictJSON

/// A program by its root command, and how it ends when its command line is wrong or a command fails.
package struct CommandProgram: Sendable {
    private let root: any AsyncParsableCommand.Type
    private let habits: CommandMistake.Habits

    private let failure: @Sendable (any Error) -> Failure?

    /// - Parameters:
    ///   - root: The command that has all others.
    ///   - habits: Words of other programs, and what they are called here.
    ///   - failure: What an error of the program's own says; `nil` for any other.
    package init(
        _ root: any AsyncParsableCommand.Type,
        habits: CommandMistake.Habits,
        failure: @escaping @Sendable (any Error) -> Failure? = { _ in nil }
    ) {
        self.root = root
        self.habits = habits
        self.failure = failure
    }

    /// Runs the command that a command line names, then ends the process.
    /// - Parameter words: The command line without the program's name.
    package func run(_ words: [String]) async -> Never {
        // The parser answers a request for help with a command that does not exist by the help of all.
        if words.first == "help", let message = mistake(in: words) { leave(usage: message) }
        if let message = fileLikeOptions(in: words) { leave(usage: message) }
        do {
            try await Self.run(root, words)
        } catch {
            leave(error, words)
        }
        Terminal.exit(0)
    }

    private static func run<Root: AsyncParsableCommand>(_ root: Root.Type, _ words: [String]) async throws {
        var command = try await root.asyncParseAsRoot(words)
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    }

    /// Ends the process: with what the parser says, which for help goes to standard output with status 0 and for wrong usage to standard
    /// error with 2, or with the message of a ``CommandError``.
    /// - Parameter words: The command line without the program's name.
    private func leave(_ error: any Error, _ words: [String]) -> Never {
        if let failure = (error as? CommandError).map(Failure.init) ?? failure(error) { failure.leave() }
        let text = root.fullMessage(for: error)
        switch root.exitCode(for: error) {
        case .success:
            if !text.isEmpty { Terminal.print(text, as: .page) }
            Terminal.exit(0)
        case .validationFailure: leave(usage: mistake(in: words) ?? text)
        case let code:
            if !text.isEmpty { Terminal.write(Terminal.harmless(text, as: .page) + "\n") }
            Terminal.exit(code.rawValue)
        }
    }

    /// Ends the process with what is wrong with its command line.
    private func leave(usage: String) -> Never {
        if Failure.isJSON { Failure(usage: usage).leave() }
        Terminal.write(Terminal.harmless(usage, as: .page) + "\n")
        exit(ExitStatus.usage.rawValue)
    }

    /// What to say about a command line that the parser refused, if the words themselves are wrong: what is wrong, what would be right, and
    /// how the command is used; `nil` leaves the parser's message.
    private func mistake(in words: [String]) -> String? {
        guard let tree, let mistake = CommandMistake.find(in: words, of: tree, habits: habits) else { return nil }
        return text(of: mistake)
    }

    /// What to say about a file whose name the parser would take for options; `nil` if there is none.
    private func fileLikeOptions(in words: [String]) -> String? {
        // The tree is made only if it is needed, because that takes longer than most commands.
        guard words.contains(where: { $0.hasPrefix("-") && Files.stamp($0) != nil }), let tree,
            let mistake = CommandMistake.fileLikeOptions(in: words, of: tree, exists: { Files.stamp($0) != nil })
        else { return nil }
        return text(of: mistake)
    }

    /// The commands with their options and arguments.
    private var tree: CommandTree? {
        (try? JSONValue(parsing: root._dumpHelp())).flatMap { try? CommandTree(dump: $0) }
    }

    private func text(of mistake: CommandMistake) -> String {
        let text = mistake.message.prefix(1).uppercased() + mistake.message.dropFirst()
        return """
            Error: \(text)
            Usage: \(usage(of: mistake.command))
              See '\(([root._commandName] + mistake.command).joined(separator: " ")) --help' for more information.
            """
    }

    private func usage(of path: [String]) -> String {
        var command: any ParsableCommand.Type = root
        for name in path {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name }) else { break }
            command = next
        }
        return root.usageString(for: command)
    }
}

extension CommandMistake.Habits {
    /// Options of `xcrun simctl`, `systemctl`, `curl` and of what people guess.
    package static let usualOptions: [String: String] = [
        "--window": "--scene", "--device": "--scene", "--id": "--event", "-s": "--scene", "-w": "--scene",
        "--host": "--socket", "--path": "--socket", "-v": "--version", "-j": "--json", "--output": "--json",
        "--format": "--json", "-f": "--follow", "--unix-socket": "--socket", "-n": "--iterations", "-o": "--out",
        "-u": "--user", "--retry": "--reconnect", "--retry-max-time": "--reconnect",
    ]
}
