internal import ArgumentParser
internal import Basics
internal import SceneClient
internal import StrictJSON
internal import Subprocess

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold windows at a point of their work, until you release them.",
        discussion: """
            Without a command it prints what it catches, and releases it on Return, Ctrl-D or Ctrl-C. With a command it holds \
            while the command runs, and exits with the command's status:

            scenectl hold planned --scene A -- sh -c 'scenectl openurl --scene A --wait admitted qcommerce://cart; …'

            Points: admitted (an event's turn has come), resolved (the routing engine has answered), planned (the ops are \
            planned), transition (an op has begun), settled (the attempt has ended and is recorded).
            """
    )

    @Argument(help: "admitted, resolved, planned, transition or settled.")
    var point: String

    @Option(help: ArgumentHelp("Only in this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("Only this event.", valueName: "id"))
    var event: String?

    @Option(help: "Only first attempts (dispatch), resumes (resume) or sweeps after a commit (sweep).")
    var kind: String?

    @OptionGroup var daemon: DaemonOptions

    @Argument(parsing: .postTerminator, help: "A command to run meanwhile, after --.")
    var command: [String] = []

    private static let points = HoldPoint.allCases.map(\.rawValue)
    private static let kinds = DispatchKind.allCases.map(\.rawValue)

    func validate() throws {
        guard Self.points.contains(point) else {
            let points = Self.points.joined(separator: ", ")
            throw ValidationError("'\(point)': expected one of \(points).")
        }
        if let kind, !Self.kinds.contains(kind) {
            throw ValidationError("--kind \(kind): expected one of \(Self.kinds.joined(separator: ", ")).")
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

        if daemon.json {
            print(json: .object(reply), .compact)
        } else {
            print("holding as \(hold); press Return to release")
        }
        Terminal.flush()
        let watcher = try await daemon.connect()
        let json = daemon.json
        let watching = Task { await Self.printCatches(of: hold, watcher, json: json) }
        // Blocks the main task, which has nothing else to do.
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
            if json { print(json: .object(caught), .compact) } else { print(line(caught)) }
            Terminal.flush()
        }
    }

    private static func line(_ caught: JSONObject) -> String {
        let scene = caught["scene"]?.stringValue ?? "the app"
        let what = caught["event"]?.stringValue.map { event in
            "\(event)\(caught["ticket"]?.integerValue.map { " #\($0)" } ?? "")"
        }
        return "caught \(what ?? "a sweep") in \(scene) at \(caught["point"]?.stringValue ?? "")"
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Remove a hold and release what it caught."
    )

    @Argument(help: "The hold's ID, as 'scenectl hold' printed it.")
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
        abstract: "Wait until nothing is going on; an event that waits behind a gate does not count."
    )

    @Option(help: ArgumentHelp("Only this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("How long to wait. Default: no limit.", valueName: "milliseconds"))
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
        abstract: "Advance a virtual clock, and wait until every window is idle, held or waiting for a later time.",
        discussion: """
            Needs a daemon started with --clock virtual. Prints the clock's time in milliseconds.

            Example: scenectl advance 350
            """
    )

    @Argument(help: "By how many milliseconds.")
    var milliseconds: Int

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if milliseconds < 0 {
            throw ValidationError("\(milliseconds): expected 0 or more; a clock cannot go back.")
        }
    }

    func run() async throws {
        let now = try await daemon.connect().advance(by: .milliseconds(milliseconds)).milliseconds
        if daemon.json { print(json: ["now": .integer(now)], .compact) } else { print("\(now) ms") }
    }
}

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Start over: no windows, nobody signed in, tickets and IDs as at the start.",
        discussion:
            "Events that wait are abandoned, and clients that follow the old history are told that it has ended."
    )

    @Option(
        help: ArgumentHelp(
            "The seed of what is random in the new host. The host's ID is always a new one.",
            valueName: "number"
        )
    )
    var seed: Int?

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let host = try await daemon.connect().reset(seed: seed)
        if daemon.json { print(json: ["host": .string(host)], .compact) } else { print("started over as host \(host)") }
    }
}
