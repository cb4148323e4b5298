public import ArgumentParser
public import Logging
internal import SceneRuntime
internal import Systemd

@main
struct Scened: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scened",
        abstract: "Hosts headless iOS-style windows and takes events for them over a Unix socket.",
        discussion: """
            Without --app it runs the built-in shop ('scenectl app print' shows it). It listens on the sockets that \
            systemd passes, else on --socket. SIGTERM and SIGINT stop it once what was admitted is done; a second \
            signal stops it at once.
            """,
        version: DaemonVersion.current
    )

    @Option(
        help: ArgumentHelp(
            "The socket to listen on, unless systemd passes one. Default: SCENED_SOCKET, else /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened.",
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

    @Option(help: "Where to log: to the journal, as text to standard error, or whichever standard error is.")
    var log: LogDestination = .auto

    @Option(help: "The least level to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .info

    @Option(help: ArgumentHelp("How many event loops share the work. Default: one per core.", valueName: "count"))
    var eventLoops: Int?

    @Option(help: ArgumentHelp("How long a push, a presentation or a dismissal takes.", valueName: "milliseconds"))
    var transition: Int = 0

    @Option(help: ArgumentHelp("How many events may wait in one scene.", valueName: "count"))
    var mailbox: Int = HostSettings().mailboxCapacity

    @Option(
        help: ArgumentHelp(
            "The clock of transitions and expiries: real, or virtual, which stands still until 'scenectl advance'.",
            valueName: "clock"
        )
    )
    var clock: ClockKind = .real

    /// Leaves time to flush replies within the 5 s that stopping may take.
    private static let drainTimeout = Duration.seconds(4)

    mutating func validate() throws {
        if let eventLoops, !(1...256).contains(eventLoops) {
            throw ValidationError("--event-loops \(eventLoops): 1 to 256 would be right.")
        }
        guard (0...60_000).contains(transition) else {
            throw ValidationError("--transition \(transition): 0 to 60000 milliseconds would be right.")
        }
        if let appVersion,
            !appVersion.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ Int($0) != nil })
        {
            throw ValidationError("--app-version \(appVersion): numbers between dots would be right, such as 2.3.1.")
        }
        guard (1...1_000_000).contains(mailbox) else {
            throw ValidationError("--mailbox \(mailbox): 1 to 1000000 would be right.")
        }
    }

    mutating func run() async throws {
        let logging: DaemonLog
        do {
            logging = try DaemonLog.start(log, level: logLevel)
        } catch {
            throw ExitError(message: "cannot log: \(error)")
        }
        do {
            let signals = await StopSignals()
            let daemon = try await Daemon.start(
                DaemonConfiguration(
                    socket: socket,
                    app: app,
                    eventLoops: eventLoops,
                    settings: HostSettings(
                        mailboxCapacity: mailbox,
                        transitionDuration: .milliseconds(transition),
                        drainTimeout: Self.drainTimeout,
                        appVersion: appVersion
                    ),
                    clock: clock
                ),
                logger: logging.logger
            )
            try await daemon.run(until: signals)
            logging.finish()
        } catch {
            logging.logger.critical("\(error)")
            logging.finish()
            throw ExitCode.failure
        }
    }
}

extension ClockKind: ExpressibleByArgument {}

/// Where the daemon's log goes.
enum LogDestination: String, ExpressibleByArgument, CaseIterable {
    case auto, journal, text
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// A message for standard error instead of a stack of types.
struct ExitError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
