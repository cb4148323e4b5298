internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct Connect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Opens a window.",
        discussion: "Example: scenectl connect A"
    )

    @Argument(help: "The window's ID: letters, digits, '-', '_' or '.'. Default: the daemon makes one.")
    var scene: String?

    @Option(help: ArgumentHelp("The scene configuration. Default: the app's first.", valueName: "name"))
    var configuration: String?

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let scene = try await daemon.connect().connect(scene: scene, configuration: configuration)
        Printing.scene(scene, json: daemon.json)
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
