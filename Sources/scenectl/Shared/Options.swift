internal import ArgumentParser
internal import CommandConsole
internal import Glibc
internal import SceneClient
internal import SceneVocabulary

/// Which daemon, and how to print: options that every subcommand has.
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

    func connect() async throws -> SceneClient {
        try await SceneClient(path: try path())
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
