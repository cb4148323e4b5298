internal import ArgumentParser
internal import Glibc
internal import Locking
internal import Logging
internal import SceneRuntime
internal import Systemd

struct Scened: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scened",
        abstract: "Hosts headless iOS-style windows and takes events for them over a Unix socket.",
        discussion: """
            Without --app it runs the built-in shop ('scenectl app print' shows it). It listens on the sockets that \
            systemd passes, else on --socket. SIGTERM and SIGINT stop it once what was admitted is done; a second \
            signal stops it at once. SIGHUP reads the manifest again.

            A flag goes before a variable (SCENED_MAILBOX), that before the file /etc/scened/scened.yaml, that before \
            the default; see scened.yaml(5). Exit status: 1 it failed, 78 the configuration cannot be used.
            """,
        version: DaemonVersion.current
    )

    @Option(
        help: ArgumentHelp(
            "The socket to listen on, unless systemd passes one. Default: /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened.",
            valueName: "path"
        )
    )
    var socket: String?

    @Option(help: ArgumentHelp("The app's manifest, YAML or JSON. Default: the built-in shop.", valueName: "file"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The version the app pretends to have, for destinations that depend on it, such as 2.3.1.",
            valueName: "version"
        )
    )
    var appVersion: String?

    @Option(
        help: ArgumentHelp(
            "Where to log: to the journal, as text to standard error, or whichever standard error is (auto, the default).",
            valueName: "auto|journal|text"
        )
    )
    var log: String?

    @Option(
        help: ArgumentHelp(
            "The least level to log: trace, debug, info (the default), notice, warning, error or critical.",
            valueName: "level"
        )
    )
    var logLevel: String?

    @Option(help: ArgumentHelp("How many event loops share the work. Default: one per core.", valueName: "count"))
    var eventLoops: String?

    @Option(
        help: ArgumentHelp(
            "How long a push, a presentation or a dismissal takes. Default: 0.",
            valueName: "milliseconds"
        )
    )
    var transition: String?

    @Option(help: ArgumentHelp("How many events may wait in one scene. Default: 1024.", valueName: "count"))
    var mailbox: String?

    @Option(
        help: ArgumentHelp(
            "The clock of transitions and expiries: real, or virtual, which stands still until 'scenectl advance'.",
            valueName: "clock"
        )
    )
    var clock: String?

    @Option(
        help: ArgumentHelp(
            "Any setting of scened.yaml(5), such as limits.connections=100. May be repeated.",
            valueName: "key=value"
        )
    )
    var set: [String] = []

    @Option(
        help: ArgumentHelp(
            "The configuration file. Default: SCENED_CONFIG, else /etc/scened/scened.yaml if it is there.",
            valueName: "file"
        )
    )
    var config: String?

    @Flag(help: "Say whether the configuration would do and what would be in force, and start nothing.")
    var checkConfig = false

    @Flag(help: "Print a configuration file with every setting, to start from.")
    var printConfig = false

    @Flag(help: ArgumentHelp("Print scened.yaml(5).", visibility: .private))
    var printManual = false

    mutating func validate() throws {
        for assignment in set where !assignment.contains("=") {
            throw ValidationError("--set \(assignment): key=value would be right.")
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
        do {
            let signals = await StopSignals()
            let daemon = try await Daemon.start(configuration, log: logging)
            try await daemon.run(until: signals)
            logging.finish()
        } catch {
            logging.logger.tell(.cannotStart, ["error": "\(error)"])
            logging.finish()
            throw ExitCode.failure
        }
    }

    /// To a person as lines, to the journal as an entry that can be found; systemd does not start it again.
    private func refuse(_ problems: SettingProblems) -> ExitCode {
        if !checkConfig, standardErrorIsJournal(), let log = try? DaemonLog.start(.journal, level: .info) {
            log.logger.tell(.configurationInvalid, ["problems": "\(problems)"])
            log.finish()
        } else {
            let text = problems.lines.map { "scened: \($0)\n" }.joined()
            _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        return ExitCode(EX_CONFIG)
    }

    private var reader: SettingsReader {
        let named: [(SettingKey, String, String?)] = [
            (.socket, "--socket", socket), (.app, "--app", app), (.appVersion, "--app-version", appVersion),
            (.log, "--log", log), (.logLevel, "--log-level", logLevel), (.eventLoops, "--event-loops", eventLoops),
            (.transition, "--transition", transition), (.clock, "--clock", clock), (.mailbox, "--mailbox", mailbox),
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

/// Where the daemon's log goes.
enum LogDestination: String, CaseIterable, Sendable {
    case auto, journal, text
}

/// How records of scenes are logged.
enum LoggedRecords: String, CaseIterable, Sendable {
    case brief, whole
}

/// A message for standard error instead of a stack of types.
struct ExitError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
