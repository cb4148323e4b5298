import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// The subcommands for records, windows and time, against a live daemon.
@Suite("scenectl's subcommands for records, windows and time", .timeLimit(.minutes(15)))
struct ScenectlVerbsTests {
    private static func scenectl(
        _ daemon: LiveDaemon,
        _ arguments: [String],
        input: String = "",
        environment: [String: String?] = [:]
    ) async throws -> Program.Outcome {
        try await Program.run(
            Command.built("scenectl"),
            arguments + ["--socket", daemon.socket],
            input: input,
            environment: environment
        )
    }

    /// Runs a subcommand that has to succeed, and returns its output.
    @discardableResult
    private static func done(_ daemon: LiveDaemon, _ arguments: String...) async throws -> String {
        let outcome = try await scenectl(daemon, arguments)
        #expect(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        #expect(outcome.errors == "")
        return outcome.output
    }

    /// Expects that a subcommand fails with a status, prints nothing, and has these words in its message.
    private static func expect(
        _ daemon: LiveDaemon,
        _ arguments: [String],
        fails status: Int32,
        saying words: [String]
    ) async throws {
        let outcome = try await scenectl(daemon, arguments)
        #expect(outcome.status == .exited(status), "\(arguments): \(outcome.output)\(outcome.errors)")
        #expect(outcome.output == "")
        for word in words { #expect(outcome.errors.contains(word), "\(arguments): \(outcome.errors)") }
    }

    // MARK: - Watching

    @Test("watch prints new records of the given kinds, windows and events")
    func watch() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            _ = try await client.openURL("qcommerce://orders", .init(scene: "A", event: "before"))
            let watch = try Command([
                Command.built("scenectl"), "watch", "--json", "--scene", "A", "--kind", "dispatch.ended", "--kind",
                "gate",
                "--socket", daemon.socket,
            ])
            // It begins at some moment after its start, so events are sent until it prints the first.
            let poking = Task {
                while !Task.isCancelled {
                    for scene in ["A", "B"] {
                        _ = try await daemon.client().openURL("qcommerce://home", .init(scene: scene))
                    }
                }
            }
            let first = try watch.value()
            poking.cancel()
            _ = await poking.result
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A", event: "last"))
            var shown = [first]
            while shown.last?["event"] != "last" || shown.last?["kind"] != "dispatch.ended" {
                shown.append(try watch.value())
            }
            #expect(shown.allSatisfy { $0["scene"] == "A" })
            #expect(shown.allSatisfy { ["dispatch.ended", "gate.parked"].contains($0["kind"]?.stringValue) })
            #expect(shown.suffix(2).map { $0["kind"] } == ["gate.parked", "dispatch.ended"])
            #expect(!shown.contains { $0["event"] == "before" })
            watch.signal(SIGINT)
            watch.end()

            let one = try Command([
                Command.built("scenectl"), "watch", "--event", "none", "--socket", daemon.socket,
            ])
            one.signal(SIGINT)
            #expect(one.end() == 128 + SIGINT)
            try await Self.expect(
                daemon,
                ["watch", "--kind", "gate.praked"],
                fails: 1,
                saying: ["'gate.praked'", "Did you mean 'gate.parked'?"]
            )
        }
    }

    @Test("records prints the given kinds, and refuses those that do not exist")
    func kinds() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().openURL("qcommerce://cart", .init(event: "mine"))
            let output = try await Self.done(daemon, "records", "--json", "--kind", "gate", "--kind", "dispatch.began")
            let kinds = try output.split(separator: "\n").map { try JSONValue(parsing: String($0))["kind"] }
            #expect(kinds == ["dispatch.began", "gate.parked"])
            let none = try await Self.scenectl(daemon, ["records", "--kind", "violation"])
            #expect(none.status == .exited(0) && none.output == "")
            #expect(none.errors.contains("No record matches --kind violation"))
            for verb in [["records"], ["records", "--follow"]] {
                try await Self.expect(
                    daemon,
                    verb + ["--kind", "gate", "--kind", "dispach"],
                    fails: 1,
                    saying: ["'dispach'", "Did you mean 'dispatch'?", "record.schema.json"]
                )
            }
        }
    }

    @Test("why explains each of several events of one ID by itself")
    func whyOfSeveral() async throws {
        // The second and the third are new events, because the daemon has forgotten the one before.
        try await LiveDaemon.run(["--set", "retainedEvents=1"]) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            for (event, scene) in [("mine", "A"), ("other", "A"), ("mine", "B"), ("other", "B"), ("mine", "A")] {
                _ = try await client.openURL("qcommerce://orders", .init(scene: scene, event: event))
                // Only what has ended is forgotten.
                try await client.quiesce(timeout: .seconds(120))
            }
            let lines = try await Self.done(daemon, "why", "mine").split(separator: "\n")
            let heads = lines.indices.filter { lines[$0].hasPrefix("event mine in ") }
            #expect(
                heads.map { String(lines[$0].split(separator: ",")[0]) }
                    == ["A #1", "B #1", "A #3"].map { "event mine in \($0)" }
            )
            for (head, next) in zip(heads, heads.dropFirst() + [lines.endIndex]) {
                let words = lines[(head + 1)..<next].compactMap { $0.split(separator: " ").dropFirst(2).first }
                #expect(
                    words.first == "admitted" && ["applied", "unchanged"].contains(words.last),
                    "\(lines[head...])"
                )
                #expect(words.count { $0 == "admitted" } == 1)
            }
        }
    }

    @Test("why names the events of a set that is asked for itself")
    func whyOfASet() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURLs(["qcommerce://orders", "qcommerce://cart"], .init(scene: "A", event: "mail"))
            try await Self.expect(
                daemon,
                ["why", "mail"],
                fails: 1,
                saying: ["'mail' is a set of 2 URLs, each an event of its own. Try: scenectl why mail/1"]
            )
            try await Self.expect(daemon, ["why", "male"], fails: 1, saying: ["No records of an event 'male'"])
            #expect(try await Self.done(daemon, "why", "mail/1").contains("of 2 that were delivered together"))
        }
    }

    @Test("why explains an event, from its admission to its outcome")
    func why() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("https://shop.example/cart", .init(scene: "A", event: "mine"))
            let gated = try await Self.done(daemon, "why", "mine")
            let way = ["admitted", "route", "wants", "turn", "resolved", "planned", "step", "parked", "gated"]
            let words = gated.split(separator: "\n").compactMap { line in
                line.split(separator: " ").map(String.init).dropFirst(2).first
            }
            #expect(way.allSatisfy { word in gated.contains(word) }, "\(gated)")
            #expect(words.first == "admitted")
            #expect(gated.contains("/cart") && gated.contains("signedIn") && gated.contains("auth"))
            #expect(gated.contains("shows home › auth[login]"), "\(gated)")
            _ = try await client.signIn(user: "anna", scene: "A")
            try await client.quiesce(timeout: .seconds(120))
            let applied = try await Self.done(daemon, "why", "mine")
            #expect(applied.hasPrefix(gated), "the earlier lines stay the same")
            for word in ["resumed", "anna is signed in", "attempt 2", "applied"] {
                #expect(applied.contains(word), "\(applied)")
            }
            let json = try JSONValue(parsing: try await Self.done(daemon, "why", "mine", "--json"))
            #expect(json.arrayValue?.compactMap(\.objectValue) == (try await daemon.records(event: "mine")))
            try await Self.expect(daemon, ["why", "nobody"], fails: 1, saying: ["'nobody'", "no longer retained"])
            try await Self.expect(daemon, ["why"], fails: 2, saying: ["<event>"])
        }
    }

    // MARK: - Colours

    @Test("colours are for a terminal, unless the environment forbids them")
    func colours() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().openURL("qcommerce://cart", .init(event: "mine"))
            for verb in ["records", "why mine"] {
                let line = "\(Command.built("scenectl")) \(verb) --socket \(daemon.socket)"
                func output(_ environment: [String: String?], onTerminal: Bool) async throws -> String {
                    let words = onTerminal ? Command.onTerminal(line) : ["sh", "-c", line]
                    let outcome = try await Program.run(
                        words[0],
                        Array(words.dropFirst()),
                        environment: environment
                    )
                    #expect(outcome.status == .exited(0), "\(outcome.errors)")
                    #expect(outcome.output.contains("gate"))
                    return outcome.output
                }
                let colourful: [String: String?] = ["TERM": "xterm-256color", "NO_COLOR": nil]
                #expect(try await output(colourful, onTerminal: true).contains("\u{1B}["))
                #expect(try await !output(colourful, onTerminal: false).contains("\u{1B}"), "a pipe is no terminal")
                for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
                    var environment = colourful
                    environment[name] = value
                    #expect(try await !output(environment, onTerminal: true).contains("\u{1B}"), "\(name)=\(value)")
                }
                var empty = colourful
                empty["NO_COLOR"] = ""
                #expect(
                    try await output(empty, onTerminal: true).contains("\u{1B}["),
                    "an empty NO_COLOR objects to nothing"
                )
            }
        }
    }

    // MARK: - Windows

    @Test("activate goes from any state to any other, through the states between, or says why not")
    func activate() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for state in ["background", "foregroundActive", "foregroundInactive", "background", "foregroundInactive"] {
                #expect(try await Self.done(daemon, "activate", "A", state).contains(state))
                #expect(try await client.scene("A").activation.description == state)
            }
            try await Self.done(daemon, "activate", "A")
            let json = try JSONValue(
                parsing: try await Self.done(daemon, "activate", "A", "foregroundInactive", "--json")
            )
            #expect(json["activation"] == "foregroundInactive")
            try await Self.done(daemon, "activate", "A", "foregroundActive", "--exact")
            try await Self.expect(
                daemon,
                ["activate", "A", "background", "--exact"],
                fails: 1,
                saying: ["'A'", "from foregroundActive to background"]
            )
            #expect(try await client.scene("A").activation == .foregroundActive, "refused, so nothing was done")
            try await Self.expect(
                daemon,
                ["activate", "A", "asleep"],
                fails: 2,
                saying: ["'asleep'", "foregroundInactive"]
            )
            try await Self.expect(daemon, ["activate", "Z"], fails: 1, saying: ["No window 'Z'", "scenectl list"])
        }
    }

    @Test("disconnect keeps a window that can come back, discard ends it for good")
    func leaving() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A"))
            #expect(try await Self.done(daemon, "disconnect", "A").contains("disconnected"))
            #expect(try await Self.done(daemon, "show", "A").contains("A (disconnected)"))
            try await Self.expect(daemon, ["disconnect", "A"], fails: 1, saying: ["'A'", "disconnected"])
            try await Self.expect(daemon, ["activate", "A", "background"], fails: 1, saying: ["'A'", "disconnected"])
            try await Self.done(daemon, "connect", "A")
            #expect(try await client.scene("A").window?.trail == ["home", "product(id: p1)"])
            let json = try JSONValue(parsing: try await Self.done(daemon, "disconnect", "A", "--json"))
            #expect(json["connected"] == false)

            #expect(try await Self.done(daemon, "discard", "A") == "A  discarded\n")
            #expect(try await Self.done(daemon, "list").contains("No window is open"))
            for verb in ["discard", "disconnect", "show"] {
                try await Self.expect(daemon, [verb, "A"], fails: 1, saying: ["No window 'A'", "scenectl list"])
            }
            try await Self.expect(daemon, ["discard"], fails: 2, saying: ["<scene>"])
        }
    }

    @Test("connect --restore shows what show --json printed, and names a file that holds no window")
    func restore() async throws {
        let directory = try TemporaryDirectory()
        func write(_ text: String, _ name: String) throws -> String {
            let file = "\(directory.path)/\(name)"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return file
        }
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for (scene, link) in [("A", "product/p1"), ("B", "category/tea")] {
                _ = try await client.connect(scene: scene)
                _ = try await client.openURL("qcommerce://\(link)", .init(scene: scene))
            }
            let shown = try await Self.done(daemon, "show", "A", "--json")
            let file = try write(shown, "a.json")
            let both = try write(try await Self.done(daemon, "show", "--json"), "both.json")
            let window = try JSONValue(parsing: shown)["scenes"]?[0]?["window"] ?? .null
            try await Self.done(daemon, "reset")
            #expect(try await Self.done(daemon, "connect", "A", "--restore", file).contains("product"))
            #expect(try await client.scene("A").window?.trail == ["home", "product(id: p1)"])
            try await Self.done(daemon, "connect", "C", "--restore", try write(window.text(), "window.json"))
            #expect(try await client.scene("C").window?.trail == ["home", "product(id: p1)"])
            let piped = try await Self.scenectl(daemon, ["connect", "D", "--restore", "-"], input: shown)
            #expect(piped.status == .exited(0), "\(piped.errors)")

            let right = "scenectl show A --json"
            let wrong: [(String, [String])] = [
                (try write("{}", "empty.json"), ["empty.json", "no window", right]),
                (try write(#"{"windows": [], "tab": 1}"#, "other.json"), ["other.json", "'windows'", "'tab'", right]),
                (both, ["both.json", "2 scenes", right]),
                (try write(#"{"scenes": [{"id": "A"}]}"#, "gone.json"), ["gone.json", "disconnected", right]),
                (try write("[1]", "list.json"), ["list.json", "JSON object", "array"]),
                (try write("{", "broken.json"), ["broken.json:1:2:"]),
                ("/nonexistent/file", ["/nonexistent/file", "No such file"]),
            ]
            for (file, words) in wrong {
                try await Self.expect(daemon, ["connect", "E", "--restore", file], fails: 2, saying: words)
            }
            let bad = try write(#"{"tabs": 5}"#, "bad.json")
            try await Self.expect(daemon, ["connect", "E", "--restore", bad], fails: 1, saying: ["window.tabs"])
            #expect(try await client.scenes().map(\.id) == ["A", "C", "D"], "refused, so nothing was opened")
        }
    }

    @Test("show labels the tree below a window")
    func tree() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A"))
            let lines = try await Self.done(daemon, "show", "A").split(separator: "\n").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "│ "))
            }
            let label = try #require(lines.firstIndex(of: "coordinators:"))
            #expect(lines[label + 1] == "root")
            #expect(lines[(label + 2)...].contains("└ auth"), "\(lines)")
        }
    }

    // MARK: - Time

    @Test("advance advances a virtual clock and prints its time")
    func advance() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "350"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A", event: "mine", wait: .admitted))
            #expect(try await Self.done(daemon, "advance", "349") == "349 ms\n")
            #expect(try await client.receipt(of: "mine").outcome == .admitted)
            #expect(try await Self.done(daemon, "advance", "1", "--json").hasPrefix("{\"now\":350,\"date\":\""))
            #expect(try await client.receipt(of: "mine").outcome == .applied)
            try await Self.expect(daemon, ["advance", "--", "-1"], fails: 2, saying: ["0 or more"])
            try await Self.expect(daemon, ["advance", "soon"], fails: 2, saying: ["soon"])
        }
        try await LiveDaemon.run { daemon in
            try await Self.expect(daemon, ["advance", "1"], fails: 1, saying: ["--clock virtual"])
        }
    }

    @Test("reset starts over under an ID that no host had, whatever the seed")
    func reset() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            var hosts: [String] = []
            for _ in 0..<2 {
                _ = try await client.openURL("qcommerce://cart")
                _ = try await client.signIn(user: "anna")
                let said = try JSONValue(parsing: try await Self.done(daemon, "reset", "--seed", "7", "--json"))
                hosts.append(said["host"]?.stringValue ?? "")
                #expect(try await client.scenes().isEmpty)
                #expect(try await client.session().revision == 0)
            }
            #expect(hosts[0] != hosts[1] && !hosts[0].isEmpty)
            let other = try await Self.done(daemon, "reset")
            #expect(other.hasPrefix("started over as host ") && !other.contains(hosts[0]))
            let before = try await client.call("io.scened.Manager.GetStatus")["host"]
            try await Self.expect(daemon, ["reset", "--seed", "seven"], fails: 2, saying: ["seven"])
            #expect(try await client.call("io.scened.Manager.GetStatus")["host"] == before)
        }
    }

    @Test("8,000 scenes are all listed, page by page")
    func manyScenes() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/app.yaml"
        try """
        name: many
        version: "1"
        tabs: { home: home }
        destinations: { home: { tab: home } }
        policies: { maximumScenes: 8000 }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.client()
            for _ in 0..<8_000 { _ = try await client.connect() }
            let listed = try await Self.done(daemon, "list", "--json")
            let scenes = try JSONValue(parsing: Array(listed.utf8))
            #expect((scenes.arrayValue ?? scenes["scenes"]?.arrayValue)?.count == 8_000)
        }
    }
}
