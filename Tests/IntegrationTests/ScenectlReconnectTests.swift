import Basics
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

@Suite("scenectl whose connection to the daemon is lost", .timeLimit(.minutes(15)))
struct ScenectlReconnectTests {
    private static func scenectl(_ socket: String, _ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run(
            Command.built("scenectl"),
            arguments,
            input: #"{"aps": {"alert": "x"}}"#,
            environment: ["SCENED_SOCKET": socket]
        )
    }

    /// What is said of an event, or of a set, whose answer is lost.
    private static func said(_ what: String, receipt: String, id: String) -> String {
        "\(what) may or may not have been admitted. If the daemon keeps its state, 'scenectl receipt \(receipt)' tells "
            + "what has become of it, and sending the same again with --event \(id) is safe. "
            + "With --reconnect scenectl does both by itself.\n"
    }

    @Test(arguments: [
        ["openurl", "qcommerce://orders"], ["push", "-"], ["spotlight", "product/p1"], ["tap", "orders"], ["back"],
    ])
    func `what sends an event names it, and what it advises works`(_ words: [String]) async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                let arguments = words + ["--scene", "A", "--event"]
                // A part of the request.
                proxy.cut(after: 30)
                let lost = try await Self.scenectl(proxy.path, arguments + ["mine"])
                #expect(lost.status == .exited(3) && lost.output == "")
                #expect(lost.errors.hasPrefix("scenectl: The connection to the daemon was lost: "), "\(lost.errors)")
                #expect(lost.errors.hasSuffix(Self.said("The event 'mine'", receipt: "mine", id: "mine")))
                let unknown = try await Self.scenectl(daemon.socket, ["receipt", "mine"])
                #expect(unknown.status == .exited(1), "it was not admitted: \(unknown)")
                let sent = try await Self.scenectl(proxy.path, arguments + ["mine"])
                #expect(sent.status == .exited(0) && !sent.output.contains("sent before"), "\(sent)")

                // All of it, and nothing of the reply.
                proxy.cut(after: try #require(proxy.requests.last).utf8.count)
                let other = try await Self.scenectl(proxy.path, arguments + ["next"])
                #expect(other.status == .exited(3) && other.output == "")
                #expect(other.errors.hasSuffix(Self.said("The event 'next'", receipt: "next", id: "next")))
                let known = try await Self.scenectl(daemon.socket, ["receipt", "next"])
                #expect(known.status == .exited(0), "it was admitted: \(known)")
                let again = try await Self.scenectl(daemon.socket, arguments + ["next"])
                #expect(again.status == .exited(0) && again.output.contains("next, sent before"), "\(again)")
            }
        }
    }

    @Test func `an event without an ID is named once the daemon has told one, and a set by its first event`()
        async throws
    {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                var (unnamed, admitted, place) = (0, 0, 30)
                while true {
                    proxy.cut(after: place)
                    let lost = try await Self.scenectl(proxy.path, ["openurl", "qcommerce://orders", "--scene", "A"])
                    if lost.status == .exited(0) { break }
                    if let told = lost.errors.firstMatch(of: #/The event '(auto-[0-9]+)' was admitted\. /#) {
                        let known = try await Self.scenectl(daemon.socket, ["receipt", "\(told.1)"])
                        #expect(known.status == .exited(0), "\(known)")
                        admitted += 1
                    } else {
                        #expect(lost.errors.contains("and has no ID to ask by: "), "\(lost.errors)")
                        unnamed += 1
                    }
                    place += 60
                }
                #expect(unnamed > 2 && admitted > 0, "\(unnamed), \(admitted)")

                proxy.cut(after: 30)
                let set = ["openurl", "qcommerce://orders", "qcommerce://home", "--event", "mail"]
                let lost = try await Self.scenectl(proxy.path, set)
                #expect(lost.errors.hasSuffix(Self.said("The set 'mail'", receipt: "mail/1", id: "mail")))
                proxy.cut(after: 30)
                let told = try await Self.scenectl(proxy.path, set + ["--json"])
                let error = try JSONValue(parsing: told.errors)
                #expect(error["error"] == "scenectl.ConnectionLost" && error["status"] == 3)
                #expect(error["parameters"]?["event"] == "mail" && error["parameters"]?["admitted"] == nil)
            }
        }
    }

    /// Sends an event by scenectl to a daemon that holds it, and ends that daemon.
    /// - Returns: What scenectl says in the end.
    private static func sent(
        patience: String,
        to arguments: [String],
        in directory: TemporaryDirectory,
        endedBy signal: Int32
    ) async throws -> Task<Program.Outcome, any Error> {
        var sent: Task<Program.Outcome, any Error>?
        var holding: SceneClient?
        _ = try await LiveDaemon.ending(arguments, directory: directory) { daemon in
            let client = try await daemon.client()
            holding = client
            _ = try await client.connect(scene: "A")
            _ = try await client.call("io.scened.Control.Hold", ["point": "admitted"])
            let words = ["openurl", "bank://help", "--scene", "A", "--reconnect", patience]
            sent = Task { [socket = daemon.socket] in try await Self.scenectl(socket, words) }
            try await daemon.record { $0["kind"] == "event.admitted" }
            daemon.signal(signal)
        }
        await holding?.close()
        return try #require(sent)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a script goes on over a restart, and its event is admitted once`(_ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--app", "bank", "--state", "\(directory.path)/state"]
        // Nobody listens yet.
        async let list = Self.scenectl("\(directory.path)/io.scened", ["list", "--reconnect", "10m"])
        let sent = try await Self.sent(patience: "10m", to: arguments, in: directory, endedBy: signal)
        let ending = try await LiveDaemon.ending(arguments, directory: directory) { daemon in
            let outcome = try await sent.value
            #expect(outcome.status == .exited(0) && outcome.output.contains("applied"), "\(outcome)")
            let admitted = try await daemon.records().filter { $0["kind"] == "event.admitted" }
            #expect(admitted.count == 1)
            let event = try #require(admitted.first?["event"]?.stringValue)
            #expect(event.hasPrefix("c-") && outcome.output.contains(event), "\(outcome)")
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        let listed = try await list
        #expect(listed.status == .exited(0) && listed.errors == "", "\(listed)")
    }

    @Test func `after its time it names the event, also one to which it gave the ID itself`() async throws {
        let directory = try TemporaryDirectory()
        let sent = try await Self.sent(patience: "1s", to: ["--app", "bank"], in: directory, endedBy: SIGKILL)
        let outcome = try await sent.value
        #expect(outcome.status == .exited(3) && outcome.output == "", "\(outcome)")
        #expect(outcome.errors.hasPrefix("scenectl: No answer came within 1s: no daemon at "), "\(outcome.errors)")
        // Whether it has heard that the event was admitted is chance.
        let found = try #require(
            outcome.errors.firstMatch(of: #/The event '(c-[0-9a-f]{32})' (?:was|may or may not have been) admitted\. /#)
        )
        let advice = "tells what has become of it, and sending the same again with --event \(found.1) is safe.\n"
        #expect(outcome.errors.hasSuffix(advice), "\(outcome.errors)")
    }

    @Test func `without a daemon nothing was sent, and it says only that`() async throws {
        let directory = try TemporaryDirectory()
        for words in [["openurl", "qcommerce://orders"], ["status"], ["watch"], ["quiesce"]] {
            let outcome = try await Self.scenectl("\(directory.path)/none", words + ["--reconnect", "1s"])
            #expect(outcome.status == .exited(3), "\(outcome)")
            #expect(!outcome.errors.contains("admitted"), "\(outcome.errors)")
        }
    }
}
