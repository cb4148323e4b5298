internal import ArgumentParser
internal import Glibc
internal import Basics
internal import CommandMistakes
internal import Logging
internal import SceneRouting
internal import SceneRuntime
internal import SceneState
internal import StrictJSON
internal import Systemd

/// The command line of the daemon of an app.
struct DaemonCommand<App: DaemonApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: CommandName.own,
            abstract: "Hosts headless iOS-style windows and takes events for them over a Unix socket.",
            discussion: """
                \(isPlain ? "Without --app it runs the built-in shop ('scenectl app print' shows it)." : "It is the daemon of the app '\(App.self)', with its code in Swift; --app names another manifest for the same code, a variant of the app. What does not fit the code is an error.") It listens on the sockets that \
                systemd passes, else on --socket. SIGTERM and SIGINT stop it when all admitted events are done; a second \
                signal stops it at once. SIGHUP reloads the manifest.

                A flag overrides an environment variable (SCENED_MAILBOX), which overrides the file \
                /etc/scened/scened.yaml, which overrides the default; see scened.yaml(5). Exit status: 0 when it \
                has stopped in order, 1 for a failure, 74 if what has happened could not be written to the state any more, 78 for a \
                configuration, a manifest or a state that cannot be used; a second signal ends it by itself.
                """,
            version: DaemonProgram.Owner(App.self)?.versionLine ?? DaemonVersion.current,
            subcommands: App.subcommands.map(\.command)
        )
    }

    private static var isPlain: Bool { App.self is any PlainDaemon.Type }

    @Option(help: SettingsText.help(.socket, "path"))
    var socket: String?

    @Option(help: SettingsText.help(.app, "file"))
    var app: String?

    @Option(help: SettingsText.help(.appVersion, "version"))
    var appVersion: String?

    @Option(help: SettingsText.help(.state, "folder"))
    var state: String?

    @Option(help: SettingsText.help(.durability, "group|strict|relaxed"))
    var durability: String?

    @Option(help: SettingsText.help(.investigate, "folder"))
    var investigate: String?

    @Option(help: SettingsText.help(.log, "auto|journal|text"))
    var log: String?

    @Option(help: SettingsText.help(.logLevel, "level"))
    var logLevel: String?

    @Option(help: SettingsText.help(.eventLoops, "count"))
    var eventLoops: String?

    @Option(help: SettingsText.help(.transition, "milliseconds"))
    var transition: String?

    @Option(help: SettingsText.help(.mailbox, "count"))
    var mailbox: String?

    @Option(help: SettingsText.help(.clock, "clock"))
    var clock: String?

    @Option(help: SettingsText.help(.start, "date"))
    var start: String?

    @Option(
        help: ArgumentHelp(
            "Any setting of scened.yaml(5), such as limits.connections=100. May be repeated.",
            valueName: "key=value"
        )
    )
    var set: [String] = []

    @Option(
        help: ArgumentHelp(
            "The configuration file. Default: SCENED_CONFIG, else /etc/scened/scened.yaml if it exists.",
            valueName: "file"
        )
    )
    var config: String?

    @Flag(help: "Check the configuration, print all settings, and exit.")
    var checkConfig = false

    @Flag(help: "Print a configuration file with every setting, to start from, and exit.")
    var printConfig = false

    @Flag(help: ArgumentHelp("Print scened.yaml(5).", visibility: .private))
    var printManual = false

    mutating func validate() throws {
        for assignment in set where !assignment.contains("=") {
            throw ValidationError("--set \(assignment): expected key=value.")
        }
    }

    mutating func run() async throws {
        if printConfig { return print(SettingsText.sample, terminator: "") }
        if printManual { return print(SettingsText.manual(version: DaemonVersion.current), terminator: "") }
        let settings: Settings
        let configuration: DaemonConfiguration
        do throws(SettingProblems) {
            settings = try await reader.read()
            configuration = try DaemonConfiguration(settings)
        } catch {
            throw refuse(error)
        }
        if checkConfig {
            for warning in settings.warnings { print("warning: \(warning)") }
            return print(SettingsText.table(settings))
        }
        try await serve(configuration, settings)
    }

    private func serve(_ configuration: DaemonConfiguration, _ settings: Settings) async throws {
        let logging: DaemonLog
        do {
            logging = try DaemonLog.start(
                settings.text(.log).flatMap(LogDestination.init) ?? .auto,
                level: settings.text(.logLevel).flatMap { Logger.Level(rawValue: $0) } ?? .info,
                records: settings.text(.logRecords).flatMap(LoggedRecords.init) ?? .brief,
                queue: settings.integer(.logQueue) ?? RecordJournaling.usualLimit
            )
        } catch {
            throw ExitError(message: "cannot log: \(error)")
        }
        var hasServed = false
        do {
            let signals = await StopSignals()
            let daemon = try await Daemon.start(DaemonProgram(App.self), configuration, log: logging)
            hasServed = true
            try await daemon.run(until: signals)
            logging.finish()
        } catch let error as DescriptorBudget.Shortage {
            logging.logger.log(.configurationInvalid, ["problems": "\(error)"])
            logging.finish()
            throw ExitCode(EX_CONFIG)
        } catch let error as StateError {
            // What cannot be written in the end was told by the one who writes.
            if !hasServed { logging.logger.log(.stateUnusable, ["problem": "\(error)"]) }
            logging.finish()
            throw ExitCode(hasServed ? error.exitStatus : EX_CONFIG)
        } catch {
            logging.logger.log(.cannotStart, ["error": "\(error)"])
            logging.finish()
            // The next start would find the same: a manifest that cannot be used, a path that is too long.
            let isOfConfiguration = !hasServed && (error is ManifestProblems || error is ExitError)
            throw isOfConfiguration ? ExitCode(EX_CONFIG) : ExitCode.failure
        }
    }

    /// Reports the problems: to the journal as one entry, or to standard error as lines. With this exit status systemd does not
    /// start the daemon again (`RestartPreventExitStatus=`).
    private func refuse(_ problems: SettingProblems) -> ExitCode {
        if !checkConfig, standardErrorIsJournal(), let log = try? DaemonLog.start(.journal, level: .info) {
            log.logger.log(.configurationInvalid, ["problems": "\(problems)"])
            log.finish()
        } else {
            let text = problems.lines.map { "\(CommandName.own): \($0)\n" }.joined()
            _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        return ExitCode(EX_CONFIG)
    }

    private var reader: SettingsReader {
        let named: [(SettingKey, String, String?)] = [
            (.socket, "--socket", socket), (.app, "--app", app), (.appVersion, "--app-version", appVersion),
            (.state, "--state", state), (.durability, "--durability", durability),
            (.investigate, "--investigate", investigate),
            (.log, "--log", log), (.logLevel, "--log-level", logLevel), (.eventLoops, "--event-loops", eventLoops),
            (.transition, "--transition", transition), (.clock, "--clock", clock), (.start, "--start", start),
            (.mailbox, "--mailbox", mailbox),
        ]
        let flags = named.compactMap { key, name, text in
            text.map { SettingsReader.Flag(name: name, key: key.rawValue, text: $0) }
        }
        let others = set.map { assignment in
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return SettingsReader.Flag(name: "--set", key: String(parts[0]), text: String(parts.last ?? ""))
        }
        return SettingsReader(flags: flags + others, environment: Variables.all, file: config)
    }
}

/// The command line of a program whose first word is a subcommand: the options of the daemon are none of a subcommand's, which may have its
/// own by the same names.
private struct SubcommandsOnly<App: DaemonApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: CommandName.own, subcommands: App.subcommands.map(\.command))
    }
}

/// The process: the daemon, or a subcommand of its program, which needs nothing of the daemon's.
enum DaemonProcess<App: DaemonApp> {
    /// Runs what the process's arguments name, then ends the process.
    ///
    /// It begins on the main thread, as the main function of a type would: the daemon's first hop to another needs descriptors.
    @MainActor
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        if let subcommand = App.subcommands.first(where: { $0.command._commandName == words.first }) {
            await subcommand.run(SubcommandsOnly<App>.self, words)
        }
        begin()
        await run()
    }

    /// Sets up what must be there before the first hop to another thread, for which Dispatch needs descriptors. It ends the process
    /// if it may open too few.
    private static func begin() {
        limitArenas(to: 2)
        // A limit on how large files may get (LimitFSIZE=) is an error of the write that meets it, and not the daemon's end.
        signal(SIGXFSZ, SIG_IGN)
        do {
            try DescriptorBudget.begin()
        } catch {
            let text = "\(CommandName.own): \(error)\n"
            _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            exit(EX_CONFIG)
        }
        #if compiler(<6.4)
            EventLoopTaskExecutor.install()
        #endif
    }

    /// Runs the daemon of the process's arguments until it stops, then ends the process.
    private static func run() async {
        do {
            var command = try DaemonCommand<App>.parseAsRoot()
            if var daemon = command as? DaemonCommand<App> { try await daemon.run() } else { try command.run() }
        } catch {
            let isUsage = DaemonCommand<App>.exitCode(for: error) == .validationFailure
            guard isUsage, let message = mistake(in: Array(CommandLine.arguments.dropFirst())) else {
                DaemonCommand<App>.exit(withError: error)
            }
            _ = Array(message.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            exit(EX_USAGE)
        }
    }

    /// What is wrong with the words of a command line that the parser refused; `nil` leaves the parser's message.
    private static func mistake(in words: [String]) -> String? {
        let habits = CommandMistake.Habits(
            options: [
                "--manifest": "--app", "-c": "--config", "--port": "--socket", "--listen": "--socket",
                "-v": "--version",
            ]
        )
        guard let dump = try? JSONValue(parsing: DaemonCommand<App>._dumpHelp()),
            let tree = try? CommandTree(dump: dump),
            let mistake = CommandMistake.find(in: words, of: tree, habits: habits)
        else { return nil }
        return
            "Error: \(mistake.message.prefix(1).uppercased())\(mistake.message.dropFirst())\nUsage: \(DaemonCommand<App>.usageString())\n  See '\(CommandName.own) --help' for more information.\n"
    }
}
