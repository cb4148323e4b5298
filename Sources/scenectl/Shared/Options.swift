public import ArgumentParser
internal import Glibc
public import SceneClient
internal import SocketPlace

/// Which daemon, and how to print: what every verb takes.
struct DaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket. Default: SCENED_SOCKET, else /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened.",
            valueName: "path"
        )
    )
    var socket: String?

    @Flag(help: "Print JSON, as the daemon says it.")
    var json = false

    func connect() async throws -> SceneClient {
        try await SceneClient(path: try path())
    }

    /// The socket's path, as named or as usual.
    func path() throws -> String {
        if let path = socket ?? Self.variable("SCENED_SOCKET") { return path }
        guard let path = UsualSocketPath.ofThisUser else {
            throw CommandError.usage(
                "XDG_RUNTIME_DIR is not set, so there is no usual place for the socket. Name it with --socket or SCENED_SOCKET."
            )
        }
        return path
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}

/// Where an event goes and how long to wait: what every event takes.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The window it is meant for. Default: the daemon chooses, as iOS would.", valueName: "id")
    )
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "Your ID for the event. The same again does nothing and prints the first's receipt.",
            valueName: "id"
        )
    )
    var event: String?

    @Option(help: "When to return: admitted (at once), settled (first attempt ended), finished (not gated any more).")
    var wait: ReceiptStage = .settled

    var delivery: SceneClient.Delivery { SceneClient.Delivery(scene: scene, event: event, wait: wait) }
}

/// What takes place in one window and must name it.
struct WindowDeliveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The window in which it happens. Default: the only one open.", valueName: "id"))
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "Your ID for the event. The same again does nothing and prints the first's receipt.",
            valueName: "id"
        )
    )
    var event: String?

    @Option(help: "When to return: admitted (at once), settled (first attempt ended), finished (not gated any more).")
    var wait: ReceiptStage = .settled

    /// The delivery, to the only window where none is named.
    func delivery(_ client: SceneClient) async throws -> SceneClient.Delivery {
        SceneClient.Delivery(scene: try await window(client), event: event, wait: wait)
    }

    private func window(_ client: SceneClient) async throws -> String {
        if let scene { return scene }
        let open = try await client.scenes().map(\.id)
        guard let only = open.first else {
            throw CommandError.usage("No window is open. 'scenectl connect A' opens one.")
        }
        guard open.count == 1 else {
            throw CommandError.usage(
                "Name the window with --scene: \(open.prefix(8).joined(separator: ", ")) are open."
            )
        }
        return only
    }
}

extension ReceiptStage: ExpressibleByArgument {}
