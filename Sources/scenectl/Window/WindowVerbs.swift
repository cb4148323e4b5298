internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct Connect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Opens a window, or brings a disconnected one back.",
        discussion: """
            With --restore it shows again what an earlier run showed, as far as the app and the session allow:

            scenectl show A --json > a.json; scenectl reset; scenectl connect A --restore a.json
            """
    )

    @Argument(help: "The window's ID: letters, digits, '-', '_' or '.'. Default: the daemon makes one.")
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "The scene configuration. Default: the app's first, or the one a disconnected window had.",
            valueName: "name"
        )
    )
    var configuration: String?

    @Option(
        help: ArgumentHelp(
            "A window to restore: what 'show --json' or a scene's JSON says, or - for standard input.",
            valueName: "file"
        )
    )
    var restore: String?

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let saved = try restore.map { try SavedWindow.read(file: $0) }
        let scene = try await daemon.connect()
            .connect(scene: scene, configuration: configuration, restoring: saved)
        Printing.scene(scene, json: daemon.json)
    }
}

struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Changes how active a window is, as UIKit does, by the states on the way.",
        discussion: """
            States: foregroundActive, foregroundInactive, background. What waits in the window is done first.

            Example: scenectl activate A background
            """
    )

    @Argument(help: "The window.")
    var scene: String

    @Argument(help: "The state to go to.")
    var activation = Activation.foregroundActive.rawValue

    @Flag(help: "Only that one step: UIKit has none from foregroundActive to background.")
    var exact = false

    @OptionGroup var daemon: DaemonOptions

    private static let states = Activation.allCases.filter { $0 != .unattached }

    /// The state that the argument names.
    private func target() throws -> Activation {
        guard let state = Self.states.first(where: { $0.rawValue == activation }) else {
            let states = Self.states.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(activation)' is no activation: one of \(states) would be right.")
        }
        return state
    }

    func validate() throws { _ = try target() }

    func run() async throws {
        let client = try await daemon.connect()
        // Every way between two states that are not neighbours leads through this one.
        let between = Activation.foregroundInactive
        let target = try target()
        let now = try await client.scene(scene).activation
        if !exact, now != between, target != between, now != target {
            _ = try await client.setActivation(between, of: scene)
        }
        Printing.scene(try await client.setActivation(target, of: scene), json: daemon.json)
    }
}

struct Disconnect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Releases a window; the next event, or 'connect', brings it back.",
        discussion: "Example: scenectl disconnect A"
    )

    @Argument(help: "The window.")
    var scene: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        Printing.scene(try await daemon.connect().disconnect(scene: scene), json: daemon.json)
    }
}

struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Ends a window for good, at once, with all that waits in it.",
        discussion: "Example: scenectl discard A"
    )

    @Argument(help: "The window.")
    var scene: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        Printing.scene(try await daemon.connect().discard(scene: scene), json: daemon.json)
    }
}

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the windows.")

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let scenes = try await daemon.connect().scenes()
        guard !daemon.json else {
            return print(JSONValue.object(["scenes": .array(scenes.map { .object($0.reply) })]).text(.indented))
        }
        if scenes.isEmpty { return print("No window is open. 'scenectl connect A' opens one.") }
        for scene in scenes { print(Printing.line(scene)) }
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draws windows.",
        discussion: "Example: scenectl show A"
    )

    @Argument(help: "The windows to draw. Default: all.")
    var scenes: [String] = []

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        var shown: [ClientScene] = []
        if scenes.isEmpty { shown = try await client.scenes() }
        for scene in scenes { shown.append(try await client.scene(scene)) }
        guard !daemon.json else {
            return print(JSONValue.object(["scenes": .array(shown.map { .object($0.reply) })]).text(.indented))
        }
        if shown.isEmpty { return print("No window is open. 'scenectl connect A' opens one.") }
        print(WindowDrawing.draw(shown))
    }
}
