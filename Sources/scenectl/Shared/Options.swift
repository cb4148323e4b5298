internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import CommandMistakes
internal import Glibc
internal import SceneClient
internal import SceneVocabulary

/// Which daemon, and how to print: options that every subcommand has that asks one.
struct DaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket. Default: SCENED_SOCKET, else /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened.",
            valueName: "path"
        ),
        completion: .file()
    )
    var socket: String?

    @Flag(help: "Print the daemon's reply as JSON.")
    var json = false

    /// A connection.
    /// - Parameter reconnecting: How it goes on when it is lost; `nil` makes that an error.
    func connect(reconnecting: Reconnecting? = nil) async throws -> SceneClient {
        try await SceneClient(path: try path(), reconnecting: reconnecting)
    }

    /// The socket's path, as given or by default.
    func path() throws -> String {
        if let path = socket ?? Self.variable("SCENED_SOCKET") { return path }
        guard let path = UsualSocketPath.ofThisUser else {
            throw CommandError.usage(
                "XDG_RUNTIME_DIR is not set, so there is no default socket. Give one with --socket or SCENED_SOCKET."
            )
        }
        return path
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}

/// The same for what can be made again when the connection is lost: what delivers an event, only reads, or waits for quiet.
struct LastingDaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "If there is no daemon, or the connection to it is lost, connect again and repeat, for at most this time: 30s, 5m. Default: not at all.",
            valueName: "patience"
        ),
        transform: Self.patience
    )
    var reconnect: Duration?

    @OptionGroup var once: DaemonOptions

    /// Reads a time with its unit. Less than a second is over before a daemon has started, and more than a day is none to wait for.
    private static func patience(_ text: String) throws -> Duration {
        guard let time = Duration.reading(text), time >= .seconds(1), time <= .seconds(86_400) else {
            throw ValidationError("expected \(CommandMistake.expectedPatience).")
        }
        return time
    }

    var json: Bool { once.json }

    /// How the connection goes on when it is lost; `nil` makes that an error.
    /// - Parameter eventID: Makes the ID of an event that has none.
    func reconnecting(eventID: @escaping @Sendable () -> String = Reconnecting.randomID) -> Reconnecting? {
        reconnect.map { Reconnecting(for: $0, eventID: eventID) }
    }

    func connect() async throws -> SceneClient { try await once.connect(reconnecting: reconnecting()) }
}
