public import ArgumentParser
internal import Glibc
public import SceneClient
internal import SceneVocabulary

/// Which daemon, and how to print: options that every subcommand has.
struct DaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket. Default: SCENED_SOCKET, else /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened.",
            valueName: "path"
        )
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

/// The event's ID and how long to wait: options of everything that is an event.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Your ID for the event. Sending it again does nothing and prints the first receipt.",
            valueName: "id"
        )
    )
    var event: String?

    @Option(
        help: "When to return: admitted (at once), settled (first attempt ended), finished (no longer gated)."
    )
    var wait: ReceiptStage = .settled
}

/// Options of an event from outside, which need not name a window.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The window to send it to. Default: the daemon chooses, as iOS would.", valueName: "id")
    )
    var scene: String?

    @OptionGroup var event: EventOptions

    var delivery: SceneClient.Delivery { SceneClient.Delivery(scene: scene, event: event.event, wait: event.wait) }
}

/// Options of an event inside a window, which has to name it.
struct WindowDeliveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The window in which it happens. Default: the only one open.", valueName: "id"))
    var scene: String?

    @OptionGroup var event: EventOptions

    /// The delivery, to the only open window if none is named.
    func delivery(_ client: SceneClient) async throws -> SceneClient.Delivery {
        SceneClient.Delivery(scene: try await window(client), event: event.event, wait: event.wait)
    }

    private func window(_ client: SceneClient) async throws -> String {
        if let scene { return scene }
        let open = try await client.scenes().map(\.id)
        guard let only = open.first else {
            throw CommandError.usage("No window is open. 'scenectl connect A' opens one.")
        }
        guard open.count == 1 else {
            throw CommandError.usage(
                "Several windows are open; choose one with --scene: \(open.prefix(8).joined(separator: ", "))."
            )
        }
        return only
    }
}

extension ReceiptStage: ExpressibleByArgument {}
