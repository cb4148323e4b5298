internal import ArgumentParser
internal import CommandConsole
internal import Glibc
internal import SceneClient
internal import SceneHistory
internal import SceneRouting
internal import StrictJSON

struct WithDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "with-daemon",
        abstract: "Run a command with a daemon of its own, and stop the daemon afterwards.",
        discussion: """
            The daemon has a private socket, which the command finds as SCENED_SOCKET; so do scenectl and the packages for Swift and \
            Python. It is ready before the command begins, has nothing of the machine's configuration, and ends however scenectl \
            ends.

            Examples:
              scenectl with-daemon --app bank -- scenectl openurl bank://help
              scenectl with-daemon --clock virtual --check --artifacts failed -- pytest tests
              scenectl with-daemon --scened .build/debug/shop-under-test -- sh -c 'scenectl connect A; scenectl show'

            The exit status is the command's, or 128 and the number of the signal that ended it. --check makes 0 to 1 if the records \
            violate an invariant; what they do not tell fails nothing. It judges what was recorded since the last reset. \
            'scenectl --help' says what 124 to 127 mean.

            Signals that are sent to scenectl go to the command. Any setting of the daemon can be given with --set.
            """
    )

    @OptionGroup(title: "The daemon") var settings: DaemonSettings

    @Flag(help: "Ask the daemon at the end whether its records keep the invariants, and fail if not.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "If the command or the check fails, leave the records, the calls as a script and the log in this folder, and say how to look at them.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var artifacts: String?

    @Flag(help: "Tell as JSON why the daemon or the command could not be run.")
    var json = false

    @Argument(parsing: .postTerminator, help: "The command, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("Expected a command after --: scenectl with-daemon -- pytest tests")
        }
    }

    func run() async throws {
        let folder = artifacts.map { RunArtifacts(folder: $0, settings: settings) }
        try folder?.removeOld()
        let status: Int32
        do {
            status = try await PrivateDaemon.run(
                executable: settings.program.scened,
                arguments: settings.words
            ) { try await run(with: $0, folder) }
        } catch let error as PrivateDaemonError {
            throw Self.failure(error)
        }
        guard status == 0 else { throw ExitCode(status) }
    }

    private func run(with daemon: PrivateDaemon, _ folder: RunArtifacts?) async throws -> Int32 {
        if let seed = settings.seed { _ = try await daemon.client().reset(seed: seed) }
        let command = WrappedCommand(words: command, variables: ["SCENED_SOCKET": daemon.socket])
        let (ended, status) = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await daemon.untilEnded()
                if !Task.isCancelled {
                    Terminal.complain("The daemon has ended. '\(command.words[0])' goes on without it.")
                }
            }
            let status = try await command.run()
            let hasEnded = daemon.hasEnded
            group.cancelAll()
            return (hasEnded, status)
        }
        if ended {
            // Why it has ended comes last.
            await folder?.keep { try $0.write(log: daemon) }
            return status
        }
        let isViolated = check ? try await Self.isViolated(daemon) : false
        if status != 0 || isViolated { await folder?.keep { try await $0.write(daemon) } }
        return status == 0 && isViolated ? ExitStatus.refused.rawValue : status
    }

    /// Whether the records violate an invariant, which is told.
    private static func isViolated(_ daemon: PrivateDaemon) async throws -> Bool {
        let report = try await Check.verdict(of: daemon.client())
        guard report.conclusion == .violated else { return false }
        Terminal.complain(report.lines.joined(separator: "\n"), as: .page)
        return true
    }

    /// How it is told that a private daemon could not be started, or has ended.
    static func failure(_ error: PrivateDaemonError) -> CommandError {
        let text = "\(error)"
        let status: ExitStatus =
            switch error {
            case .ended, .notStopped: .daemonEnded
            case .noProgram, .noFolder, .notStarted, .notReady: .notStarted
            }
        return CommandError(
            message: text.prefix(1).uppercased() + text.dropFirst() + (text.contains("\n") ? "" : "."),
            status: status,
            form: .page
        )
    }
}

/// What a private daemon runs. The options are called as those of the daemon, which says what is wrong with a value.
struct DaemonSettings: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app's manifest, or an example by its name. Default: the built-in shop.",
            valueName: "file"
        ),
        completion: .apps
    )
    var app: String?

    @Option(
        help: ArgumentHelp("What time is for the windows: real, or virtual.", valueName: "clock"),
        completion: .list(["real", "virtual"])
    )
    var clock: String?

    @Option(
        help: ArgumentHelp("The date with which a virtual clock begins, such as 2026-11-27T08:00Z.", valueName: "date")
    )
    var start: String?

    @Option(help: ArgumentHelp("How long a transition takes.", valueName: "milliseconds"))
    var transition: String?

    @Option(
        help: ArgumentHelp("Any setting of scened.yaml(5), such as mailbox=4. May be repeated.", valueName: "key=value")
    )
    var set: [String] = []

    @Option(help: ArgumentHelp("The seed of what is random in the daemon.", valueName: "number"))
    var seed: Int?

    @OptionGroup var program: ProgramOption

    func validate() throws {
        for assignment in set where !assignment.contains("=") {
            throw ValidationError("--set \(assignment): expected key=value.")
        }
    }

    /// The daemon's arguments.
    var words: [String] {
        let named = [("--app", app), ("--clock", clock), ("--start", start), ("--transition", transition)]
        return named.flatMap { name, value in value.map { [name, $0] } ?? [] } + set.flatMap { ["--set", $0] }
    }

    /// The options with which another daemon is the same.
    var commandLine: [String] {
        words + (seed.map { ["--seed", "\($0)"] } ?? []) + (program.scened.map { ["--scened", $0] } ?? [])
    }
}
