internal import ArgumentParser
internal import Basics
internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold windows at a point of their work, until you release them.",
        discussion: """
            Without a command it prints what it catches, and releases it on Return, Ctrl-D or Ctrl-C. With a command it holds \
            while the command runs, and exits with the command's status. If that is 0 and nothing came to be held, so that the race \
            was not tested, you are told, and with --must-catch it exits with 5. --timeout ends the command and the hold:

            scenectl hold planned --scene A -- sh -c 'scenectl openurl --scene A --wait admitted qcommerce://cart; …'

            Points: admitted (an event's turn has come), resolved (the routing engine has answered), planned (the ops are \
            planned), transition (an op has begun), settled (the attempt has ended and is recorded).
            """
    )

    @Argument(help: "admitted, resolved, planned, transition or settled.", completion: .holdPoints)
    var point: String

    @Option(help: ArgumentHelp("Only in this window.", valueName: "id"), completion: .windows)
    var scene: String?

    @Option(help: ArgumentHelp("Only this event.", valueName: "id"), completion: .events)
    var event: String?

    @Option(
        help: "Only first attempts (dispatch), resumes (resume) or sweeps after a commit (sweep).",
        completion: .dispatchKinds
    )
    var kind: String?

    @Option(
        help: ArgumentHelp(
            "What the hold is called, for 'scenectl release'. Default: a name of the daemon's.",
            valueName: "id"
        )
    )
    var name: String?

    @Flag(help: "Exit with 5 if the command has ended well and nothing came to be held.")
    var mustCatch = false

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: DaemonOptions

    @Argument(parsing: .postTerminator, help: "A command to run meanwhile, after --.")
    var command: [String] = []

    private static let points = HoldPoint.allCases.map(\.rawValue)
    private static let kinds = DispatchKind.allCases.map(\.rawValue)

    func validate() throws {
        guard Self.points.contains(point) else {
            let points = Self.points.joined(separator: ", ")
            throw ValidationError(
                "'\(point)': expected one of \(points)\(Spelling.hint(for: point, among: Self.points))"
            )
        }
        if mustCatch, command.isEmpty {
            throw ValidationError("--must-catch: expected together with a command after --, at whose end it is judged.")
        }
        if kind == DispatchKind.sweep.rawValue, event != nil {
            throw ValidationError("--event: a sweep has no event; leave out --event, or hold a dispatch or a resume.")
        }
        if let kind, !Self.kinds.contains(kind) {
            throw ValidationError(
                "--kind \(kind): expected one of \(Self.kinds.joined(separator: ", "))\(Spelling.hint(for: kind, among: Self.kinds))"
            )
        }
    }

    func run() async throws {
        // The hold lives as long as this connection: if this program dies, it is released.
        let client = try await daemon.connect()
        var parameters: JSONObject = ["point": .string(point)]
        parameters["scene"] = scene.map(JSONValue.string)
        parameters["event"] = event.map(JSONValue.string)
        parameters["kind"] = kind.map(JSONValue.string)
        parameters["hold"] = name.map(JSONValue.string)
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
        defer { watching.cancel() }
        try await Patience(limit: patience.timeout, what: "Return; \(hold) is released") { [] }.wait {
            await Self.untilReturn()
        }
        _ = try await client.call("io.scened.Control.Release", ["hold": .string(hold)])
    }

    /// Waits for a line or the end of standard input.
    private static func untilReturn() async {
        let (lines, continuation) = AsyncStream<Void>.makeStream()
        // It blocks its thread and cannot be cancelled, so nobody waits for it; it ends with the process.
        Task.detached {
            _ = readLine()
            continuation.finish()
        }
        for await _ in lines {}
    }

    private func runCommand(under hold: String, _ client: SceneClient) async throws {
        let host = try await client.call("io.scened.Manager.GetStatus")["host"]
        let patience = Patience(limit: patience.timeout, what: "'\(command[0])' to end; \(hold) is released") { [] }
        let wrapped = WrappedCommand(words: command, variables: ["SCENED_HOLD": hold])
        let status = try await patience.wait { try await wrapped.run() }
        let hasCaught = status == 0 ? try await Self.hasCaught(hold, of: host, client) : true
        // The command may have released it already.
        _ = try? await client.call("io.scened.Control.Release", ["hold": .string(hold)])
        guard status == 0 else { throw ExitCode(status) }
        guard !hasCaught else { return }
        let message = "nothing came to be held at \(point), so the race was not tested."
        guard mustCatch else { return Terminal.complain(message) }
        throw CommandError(message: message, status: .unexpected)
    }

    /// Whether a hold has caught something; also if the command has released it, so that nobody can tell. A reset ends every hold, so
    /// what came afterwards was not held.
    private static func hasCaught(_ hold: String, of host: JSONValue?, _ client: SceneClient) async throws -> Bool {
        do throws(SceneClientError) {
            // What the command has sent last may still be on its way.
            _ = try await client.call(
                "io.scened.Control.Await",
                ["hold": .string(hold), "timeoutMilliseconds": 1_000]
            )
            return true
        } catch {
            switch error.refusal {
            // What the command has asked for itself is told once only, and is still held.
            case .timedOut: return try await client.resting()?.contains { $0.hold == hold } ?? true
            case .unknownHold: return try await client.call("io.scened.Manager.GetStatus")["host"] == host
            default: throw error
            }
        }
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

    @Option(help: ArgumentHelp("Only this window.", valueName: "id"), completion: .windows)
    var scene: String?

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let what = "\(scene.map { "window \($0)" } ?? "every window") to be quiet"
        try await patience.wait(for: what, in: scene, daemon.once, reconnecting: daemon.reconnecting()) { client in
            try await client.quiesce(scene: scene)
        }
        if daemon.json { print("{}") }
    }
}

struct Advance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Advance a virtual clock, and wait until every window is idle, held or waiting for a later time.",
        discussion: """
            Needs a daemon started with --clock virtual. Prints the clock's time in milliseconds, and with --to its date.

            Examples:
              scenectl advance 350
              scenectl advance --to 2026-11-27T09:00Z       to a date in UTC
              scenectl advance --to 90m                     to a time since the start or the last reset
            """
    )

    @Argument(help: "By how many milliseconds.")
    var milliseconds: Int?

    @Option(
        help: ArgumentHelp(
            "To which date in UTC (2026-11-27, 2026-11-27T09:00Z), or to which time since the start (350ms, 90m).",
            valueName: "date|time"
        )
    )
    var to: String?

    @OptionGroup var daemon: DaemonOptions

    /// The parameters of the call.
    private func parameters() throws -> JSONObject {
        switch (milliseconds, to) {
        case (let milliseconds?, nil):
            guard milliseconds >= 0 else {
                throw ValidationError("\(milliseconds): expected 0 or more; a clock cannot go back.")
            }
            return ["milliseconds": .integer(milliseconds)]
        case (nil, let to?):
            if Instant.seconds(to) != nil { return ["date": .string(to)] }
            guard let time = Duration.reading(to) else {
                throw ValidationError(
                    "--to \(to): expected \(Instant.expectation), or a time since the start with its unit, such as 350ms or 90m."
                )
            }
            return ["time": .integer(time.milliseconds)]
        case (nil, nil), (_?, _?):
            throw ValidationError("Give either how many milliseconds to advance by, or --to.")
        }
    }

    func validate() throws { _ = try parameters() }

    func run() async throws {
        let (now, date) = try await daemon.connect().advance(parameters())
        guard daemon.json else {
            let suffix = to == nil ? "" : date.map { "  \($0)" } ?? ""
            return print("\(now.milliseconds) ms\(suffix)")
        }
        var reply: JSONObject = ["now": .integer(now.milliseconds)]
        reply["date"] = date.map(JSONValue.string)
        print(json: .object(reply), .compact)
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

    @Option(
        help: ArgumentHelp(
            "The date with which the virtual clock begins, in UTC, such as 2026-11-27T08:00Z. Default: that of 'scened --start', else now.",
            valueName: "date"
        )
    )
    var start: String?

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if let start, Instant.seconds(start) == nil {
            throw ValidationError("--start \(start): expected \(Instant.expectation).")
        }
    }

    func run() async throws {
        let host = try await daemon.connect().reset(seed: seed, start: start)
        if daemon.json { print(json: ["host": .string(host)], .compact) } else { print("started over as host \(host)") }
    }
}
