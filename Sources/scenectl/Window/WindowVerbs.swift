internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

struct Connect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Open a window, or reconnect a disconnected one.",
        discussion: """
            With --restore the window shows what an earlier one showed, as far as the app and the session allow:

            scenectl show A --json > a.json; scenectl reset; scenectl connect A --restore a.json
            """
    )

    @Argument(
        help: "The window's ID: letters, digits, '-', '_' or '.'. Default: the daemon makes one.",
        completion: .windows
    )
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "The scene configuration. Default: the app's first, or that of the disconnected window.",
            valueName: "name"
        ),
        completion: .configurations
    )
    var configuration: String?

    @Option(
        help: ArgumentHelp(
            "The window to restore, as 'show --json' printed it; - for standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var restore: String?

    @Flag(help: "Leave it in the background, as the system does that connects a window nobody looks at.")
    var background = false

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let saved = try restore.map { try SavedWindow.read(file: $0) }
        let opened = try await patience.wait(for: "the window to be open", in: scene, daemon) { client in
            try await client.connect(
                scene: scene,
                configuration: configuration,
                restoring: saved?.window,
                of: saved?.owner,
                inBackground: background
            )
        }
        Printing.scene(opened, json: daemon.json)
    }
}

struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Change a window's activation state, through the states between, as UIKit does.",
        discussion: """
            States: foregroundActive, foregroundInactive, background. Events that wait in the window are handled first.

            Example: scenectl activate A background
            """
    )

    @Argument(help: "The window.", completion: .windows)
    var scene: String

    @Argument(help: "The new state.", completion: .activations)
    var activation = Activation.foregroundActive.rawValue

    @Flag(help: "Take only one step. UIKit has none from foregroundActive to background.")
    var exact = false

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: DaemonOptions

    /// The states that a window can be put into.
    static let states = Activation.allCases.filter { $0 != .unattached }

    /// The state that the argument names.
    private func target() throws -> Activation {
        guard let state = Self.states.first(where: { $0.rawValue == activation }) else {
            let states = Self.states.map(\.rawValue).joined(separator: ", ")
            let meant =
                Self.states.first { $0.rawValue.hasPrefix(activation) }?.rawValue
                ?? Spelling.nearest(to: activation, among: Self.states.map(\.rawValue))
            let hint = meant.map { "; did you mean '\($0)'?" } ?? "."
            throw ValidationError("'\(activation)': expected an activation state: \(states)\(hint)")
        }
        return state
    }

    func validate() throws { _ = try target() }

    func run() async throws {
        let target = try target()
        let what = "window \(scene) to be \(target.rawValue)"
        let changed = try await patience.wait(for: what, in: scene, daemon) { client in
            // The one state between those that are not neighbours.
            let between = Activation.foregroundInactive
            let now = try await client.scene(scene).activation
            if !exact, now != between, target != between, now != target {
                _ = try await client.setActivation(between, of: scene)
            }
            return try await client.setActivation(target, of: scene)
        }
        Printing.scene(changed, json: daemon.json)
    }
}

struct Disconnect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Disconnect a window; the next event, or 'connect', brings it back.",
        discussion: "Example: scenectl disconnect A"
    )

    @Argument(help: "The window.", completion: .windows)
    var scene: String

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let what = "window \(scene) to be disconnected"
        let gone = try await patience.wait(for: what, in: scene, daemon) { try await $0.disconnect(scene: scene) }
        Printing.scene(gone, json: daemon.json)
    }
}

struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "End a window for good, at once, with every event that waits in it.",
        discussion: "Example: scenectl discard A"
    )

    @Argument(help: "The window.", completion: .windows)
    var scene: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let gone = try await daemon.connect().discard(scene: scene)
        Printing.show(gone.reply, daemon.json, "\(Terminal.styled(gone.id, .bold))  discarded")
    }
}

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the windows.")

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let scenes = try await daemon.connect().scenes()
        guard !daemon.json else {
            return print(json: ["scenes": .array(scenes.map { .object($0.reply) })])
        }
        if scenes.isEmpty { return print("No window is open. 'scenectl connect A' opens one.") }
        for scene in scenes { print(Printing.line(scene)) }
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw what windows show.",
        discussion: "Example: scenectl show A"
    )

    @Argument(help: "The windows to draw. Default: all.", completion: .windows)
    var scenes: [String] = []

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        var shown: [ClientScene] = []
        if scenes.isEmpty { shown = try await client.scenes() }
        for scene in scenes { shown.append(try await client.scene(scene)) }
        guard !daemon.json else {
            return print(json: ["scenes": .array(shown.map { .object($0.reply) })])
        }
        if shown.isEmpty { return print("No window is open. 'scenectl connect A' opens one.") }
        for line in WindowDrawing.draw(shown) { print(line) }
    }
}
