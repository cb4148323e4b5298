internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneSoak
internal import SceneVocabulary
internal import StrictJSON

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Write the calls that a daemon was sent as a script, so that a bug becomes a test.",
        discussion: """
            Examples:
              scenectl record > bug.jsonl          everything that the daemon retains since its start
              scenectl record --follow bug.jsonl   … and what follows until you press Return

            The script expects of each event the outcome that it had, and at the end what every window shows and who is signed \
            in. 'scenectl play bug.jsonl' on a fresh daemon repeats it and shows what differs. Holds are made and released where they \
            were, and what they caught is waited for. What the app's manifest calls secret is left out: a placeholder stands for it, \
            and 'play' asks for its value. Of a daemon with a virtual clock the script keeps the date at which the clock began. Of the \
            manifest it keeps the digest, by which 'play' says that a daemon runs another.
            """
    )

    @Argument(help: "The file to write. Default: standard output.", completion: .file())
    var file: String?

    @Flag(name: .shortAndLong, help: "Record until Return or the end of standard input.")
    var follow = false

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        try Files.check("FILE", file, keeps: [])
        if follow {
            Terminal.write("recording; press Return to end\n")
            // Blocks the main task, which has nothing else to do; the daemon remembers the calls.
            _ = readLine()
        }
        let text = try await Self.script(of: daemon.connect())
        guard let file else { return print(text, as: .json, terminator: "") }
        try Files.write(text, to: file, replacing: true)
    }

    /// The calls that a daemon retains, as the text of a script.
    static func script(of client: SceneClient) async throws -> String {
        try await steps(of: client).map { JSONValue.object($0.json).text() + "\n" }.joined()
    }

    /// The calls that a daemon retains, and what it shows after them, as steps.
    static func steps(of client: SceneClient) async throws -> [ScriptStep] {
        let recorder = try await ScriptRecorder.read(client)
        if recorder.missing > 0 {
            Terminal.complain(
                "warning: the first \(recorder.missing) calls are no longer retained; the script begins after them."
            )
        }
        if recorder.reloads > 0 {
            Terminal.complain(
                "warning: the app's manifest was reloaded \(Wording.counted(recorder.reloads, "time")), which no step does: played by "
                    + "one manifest, some of it comes otherwise."
            )
        }
        let steps = recorder.steps()
        guard !steps.isEmpty else { throw CommandError.failed("The daemon retains no call that could be recorded.") }
        return steps + (try await ending(client, at: max(recorder.end, steps.last?.at ?? 0), isQuiet: !recorder.isHeld))
    }

    /// Steps that check the windows and the session at the end.
    /// - Parameter isQuiet: Whether everything is to be done first; what is held never is.
    static func ending(_ client: SceneClient, at time: Int, isQuiet: Bool) async throws -> [ScriptStep] {
        let windows = try await client.scenes().map { scene in
            var expected: JSONObject = [
                "activation": .string(scene.activation.description), "connected": .bool(scene.isConnected),
            ]
            if scene.isLocked { expected["locked"] = true }
            expected["window"] = scene.window.map { .string("\(WindowText($0))") }
            expected["parked"] = .array(
                scene.parked.map {
                    ["precondition": .string($0.precondition), "destination": ["id": .string($0.destination.id)]]
                }
            )
            return (scene.id, expected)
        }
        let session = try await client.session()
        return ending(
            windows,
            ["user": session.user.map(JSONValue.string) ?? .null, "facts": .object(session.facts)],
            at: time,
            isQuiet: isQuiet
        )
    }

    /// Steps that check windows, by their names, and the session.
    static func ending(
        _ windows: [(id: String, expected: JSONObject)],
        _ session: JSONObject,
        at time: Int,
        isQuiet: Bool = true
    ) -> [ScriptStep] {
        windows.enumerated().map { index, window in
            ScriptStep(
                at: time,
                call: "Scenes.Get",
                parameters: ["scene": .string(window.id)],
                isQuiet: isQuiet && index == 0,
                expect: ["scene": .object(window.expected)]
            )
        } + [ScriptStep(at: time, call: "Session.Get", expect: ["session": .object(session)])]
    }
}
