internal import ArgumentParser
internal import Locking
internal import SceneClient
internal import StrictJSON
internal import Subprocess

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Stops windows at a point on purpose, until you let go.",
        discussion: """
            In the foreground it prints what it catches and lets go at the end of standard input (Return, Ctrl-D, Ctrl-C). \
            With a command it holds while that runs, and exits with its status:

            scenectl hold planned --scene A -- sh -c 'scenectl openurl --scene A --wait admitted qcommerce://cart; …'

            Points: admitted (its turn has come), resolved (the engine has answered), planned (the plan stands), transition \
            (an op has begun), settled (it has ended and is recorded).
            """
    )

    @Argument(help: "The point: admitted, resolved, planned, transition or settled.")
    var point: String

    @Option(help: ArgumentHelp("Only in this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("Only this event.", valueName: "id"))
    var event: String?

    @Option(help: "Only first attempts (dispatch), resumes (resume) or sweeps after a commit (sweep).")
    var kind: String?

    @OptionGroup var daemon: DaemonOptions

    @Argument(parsing: .postTerminator, help: "A command to run while it holds, after --.")
    var command: [String] = []

    private static let points = HoldPoint.allCases.map(\.rawValue)
    private static let kinds = DispatchKind.allCases.map(\.rawValue)

    func validate() throws {
        guard Self.points.contains(point) else {
            let points = Self.points.joined(separator: ", ")
            throw ValidationError("'\(point)' is no point: one of \(points) would be right.")
        }
        if let kind, !Self.kinds.contains(kind) {
            throw ValidationError("--kind \(kind): one of \(Self.kinds.joined(separator: ", ")) would be right.")
        }
    }

    func run() async throws {
        // The hold lives as long as this connection: if this program dies, it is released.
        let client = try await daemon.connect()
        var parameters: JSONObject = ["point": .string(point)]
        parameters["scene"] = scene.map(JSONValue.string)
        parameters["event"] = event.map(JSONValue.string)
        parameters["kind"] = kind.map(JSONValue.string)
        let reply = try await client.call("io.scened.Control.Hold", parameters)
        let hold = reply["hold"]?.stringValue ?? ""
        guard command.isEmpty else { return try await runCommand(under: hold, client) }

        print(daemon.json ? JSONValue.object(reply).text() : "holding as \(hold); Return lets go")
        Terminal.flush()
        let watcher = try await daemon.connect()
        let json = daemon.json
        let watching = Task { await Self.printCatches(of: hold, watcher, json: json) }
        // Blocks this program's main task, which has nothing else to do.
        _ = readLine()
        watching.cancel()
        _ = try await client.call("io.scened.Control.Release", ["hold": .string(hold)])
    }

    private func runCommand(under hold: String, _ client: SceneClient) async throws {
        let outcome = try await Subprocess.run(
            .name(command[0]),
            arguments: Arguments(Array(command.dropFirst())),
            environment: .inherit.updating(["SCENED_HOLD": hold]),
            input: .currentStandardInput,
            output: .currentStandardOutput,
            error: .currentStandardError
        )
        // The command may have released it already.
        _ = try? await client.call("io.scened.Control.Release", ["hold": .string(hold)])
        guard !outcome.terminationStatus.isSuccess else { return }
        if case .exited(let status) = outcome.terminationStatus { throw ExitCode(status) }
        throw CommandError.failed("\(command[0]) ended with \(outcome.terminationStatus).")
    }

    private static func printCatches(of hold: String, _ client: SceneClient, json: Bool) async {
        while !Task.isCancelled,
            let caught = try? await client.call("io.scened.Control.Await", ["hold": .string(hold)])
        {
            print(json ? JSONValue.object(caught).text() : line(caught))
            Terminal.flush()
        }
    }

    private static func line(_ caught: JSONObject) -> String {
        let scene = caught["scene"]?.stringValue ?? ""
        let what = caught["event"]?.stringValue.map { event in
            "\(event)\(caught["ticket"]?.integerValue.map { " #\($0)" } ?? "")"
        }
        return "caught \(what ?? "a sweep") in \(scene) at \(caught["point"]?.stringValue ?? "")"
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Lets go what a hold caught, and removes the hold."
    )

    @Argument(help: "The hold, as 'scenectl hold' says it.")
    var hold: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        _ = try await daemon.connect().call("io.scened.Control.Release", ["hold": .string(hold)])
        if daemon.json { print("{}") }
    }
}

struct Quiesce: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiesce",
        abstract: "Waits until nothing is going on; what waits for a sign-in is quiet."
    )

    @Option(help: ArgumentHelp("Only this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("How long to wait. Default: for ever.", valueName: "milliseconds"))
    var timeout: Int?

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        try await daemon.connect().quiesce(scene: scene, timeout: timeout.map { .milliseconds($0) })
        if daemon.json { print("{}") }
    }
}

struct Advance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Moves a virtual clock on, and waits until every window is idle, held or asleep.",
        discussion: """
            Needs a daemon started with --clock virtual. Prints the time since its start, in milliseconds.

            Example: scenectl advance 350
            """
    )

    @Argument(help: "How far, in milliseconds.")
    var milliseconds: Int

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if milliseconds < 0 {
            throw ValidationError("\(milliseconds): time does not go back; 0 or more would be right.")
        }
    }

    func run() async throws {
        let now = try await daemon.connect().advance(by: .milliseconds(milliseconds)).milliseconds
        print(daemon.json ? JSONValue.object(["now": .integer(now)]).text() : "\(now) ms")
    }
}

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Begins anew: no windows, nobody signed in, tickets and IDs as at the start.",
        discussion: "What was admitted is abandoned and whoever follows the old history is told that it has ended."
    )

    @Option(help: ArgumentHelp("Makes the new host's ID the same for the same seed.", valueName: "number"))
    var seed: Int?

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let host = try await daemon.connect().reset(seed: seed)
        print(daemon.json ? JSONValue.object(["host": .string(host)]).text() : "began anew as host \(host)")
    }
}
