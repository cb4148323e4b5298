internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Makes a script of what a daemon has been asked, so that a bug becomes a test.",
        discussion: """
            Examples:
              scenectl record > bug.jsonl          everything since the daemon started, as far as it is retained
              scenectl record --follow bug.jsonl   goes on until Return

            Each event stands with what became of it, and at the end what every window shows and who is signed in: 'scenectl \
            play bug.jsonl' on a fresh daemon does it again and says what is different.
            """
    )

    @Argument(help: "The file to write; standard output unless told.")
    var file: String?

    @Flag(name: .shortAndLong, help: "Go on until Return, or the end of standard input.")
    var follow = false

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        if follow {
            Terminal.write("recording; Return ends\n")
            // Blocks this program's main task, which has nothing else to do; the daemon keeps what comes.
            _ = readLine()
        }
        let client = try await daemon.connect()
        let recorder = try await ScriptRecorder.read(client)
        if recorder.missing > 0 {
            Terminal.complain(
                "warning: the first \(recorder.missing) calls are no longer retained; the script begins later."
            )
        }
        var steps = recorder.steps()
        guard !steps.isEmpty else { throw CommandError.failed("The daemon has been asked nothing that it retains.") }
        steps += try await ending(client, at: max(recorder.end, steps.last?.at ?? 0))
        let text = steps.map { JSONValue.object($0.json).text() + "\n" }.joined()
        guard let file else { return print(text, terminator: "") }
        try Files.write(text, to: file, replacing: true)
    }

    /// What has to be so at the end.
    private func ending(_ client: SceneClient, at time: Int) async throws -> [ScriptStep] {
        var steps: [ScriptStep] = []
        for scene in try await client.scenes() {
            var expected: JSONObject = [
                "activation": .string(scene.activation.description), "connected": .bool(scene.isConnected),
            ]
            expected["window"] = scene.reply["window"]
            expected["parked"] = .array(
                scene.parked.map {
                    ["precondition": .string($0.precondition), "destination": ["id": .string($0.destination.id)]]
                }
            )
            steps.append(
                ScriptStep(
                    at: time,
                    call: "Scenes.Get",
                    parameters: ["scene": .string(scene.id)],
                    isQuiet: steps.isEmpty,
                    expect: ["scene": .object(expected)]
                )
            )
        }
        let session = try await client.session()
        steps.append(
            ScriptStep(
                at: time,
                call: "Session.Get",
                expect: [
                    "session": ["user": session.user.map(JSONValue.string) ?? .null, "facts": .object(session.facts)]
                ]
            )
        )
        return steps
    }
}
