import Foundation
import Glibc
import SceneHistory
import StrictJSON
import Subprocess
import SystemPackage
import TestFixtures
import Testing
import Varlink

@Suite("Adapters in other processes and the live daemon", .timeLimit(.minutes(15)))
struct AdapterTests {
    // MARK: - Python

    /// Runs Python adapters while `body` runs, then ends them.
    private static func withPython(
        _ daemon: LiveDaemon,
        _ adapters: [(name: String, priority: Int, timeout: Int, behaviour: String)],
        _ body: @Sendable () async throws -> Void
    ) async throws {
        guard let (name, priority, timeout, behaviour) = adapters.first else { return try await body() }
        let script = PythonEnvironment.scripts.appendingPathComponent("adapter.py").path
        let process = try Command(
            [PythonEnvironment.python, script, daemon.socket, name, "\(priority)", "\(timeout)", behaviour]
        )
        defer {
            // Some adapters end by themselves on purpose.
            process.signal(SIGKILL)
            process.end()
        }
        guard process.awaitLine(with: "registered") else { throw DaemonFailure(reason: "\(name) did not register") }
        try await withPython(daemon, Array(adapters.dropFirst()), body)
    }

    @Test(
        "one in Python serves 1,000 events while another crashes, a third sleeps and a fourth talks nonsense",
        .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it")
    )
    func python() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            try await Self.withPython(
                daemon,
                [
                    ("crashing", 40, 5_000, "crash:500"), ("sleeping", 30, 50, "sleep"),
                    ("babbling", 20, 5_000, "nonsense"), ("serving", 10, 5_000, "serve"),
                ]
            ) {
                let start = ContinuousClock.now
                for number in 1...1_000 {
                    let receipt = try await client.send(
                        "ContinueActivity",
                        [
                            "activityType": "com.example.python", "userInfo": ["product": .string("p\(number)")],
                            "scene": "A", "event": .string("e\(number)"),
                        ]
                    )
                    #expect(receipt["outcome"] == "applied" && receipt["ticket"] == .integer(number))
                    let leaf = receipt["window"]?["tabs"]?.arrayValue?.first?["stack"]?.arrayValue?.last
                    #expect(leaf?["parameters"]?["id"] == .string("p\(number)"))
                }
                print(
                    "1,000 events through an adapter in Python, three others in its way: \(ContinuousClock.now - start)"
                )
            }
            try await until("the daemon has noticed that they are gone") {
                let listed = try await client.call("io.scened.Adapters.List")["adapters"]?.arrayValue ?? []
                return listed.allSatisfy { $0["origin"] != "process" }
            }
            let lost = try await client.refusal(
                "io.scened.Events.ContinueActivity",
                ["activityType": "com.example.python", "scene": "nowhere"]
            )
            #expect(lost?.name == "io.scened.Events.NoAdapter", "nobody is there to ask")
            try await Self.expectOrder(daemon)
            let skipped = try await daemon.records().filter { $0["kind"] == "adapter.skipped" }
            let reasons = Dictionary(grouping: skipped) { $0["adapter"]?.stringValue ?? "" }
                .mapValues { Set($0.compactMap { $0["reason"]?.stringValue }) }
            #expect(reasons["crashing"] == ["it has gone"])
            #expect(reasons["sleeping"]?.contains("no answer within 50 ms") == true)
            #expect(reasons["sleeping"]?.contains("it did not answer the last question in time") == true)
            #expect(
                reasons["babbling"] == [
                    "its answer makes no sense: expected one of url, destination, handled, declined and refused, found url and declined"
                ]
            )
            #expect(reasons["serving"] == nil)
            #expect(skipped.filter { $0["adapter"] == "crashing" }.count == 1, "an adapter that has gone is not asked")
            #expect(skipped.allSatisfy { $0["event"] != nil && $0["connection"] != nil && $0["call"] != nil })
        }
    }

    /// Expects that every invariant holds, including the order of sending.
    private static func expectOrder(_ daemon: LiveDaemon) async throws {
        _ = try await daemon.connect().call("io.scened.Control.Quiesce", ["timeoutMilliseconds": 120_000])
        var checker = HistoryChecker()
        for record in try await daemon.records() { checker.check(try HistoryRecord(record)) }
        let report = checker.finish()
        #expect(report.conclusion == .holds, "\(report)")
    }

    // MARK: - In Swift: the test decides when to answer

    /// An adapter whose answers the test gives.
    private final class Adapter {
        let registration: String
        private var asked: VarlinkReplies.Iterator
        private let answers: VarlinkClient

        init(_ daemon: LiveDaemon, _ parameters: JSONObject) async throws {
            asked = try await daemon.connect().callMore("io.scened.Adapters.Register", parameters).makeAsyncIterator()
            answers = try await daemon.connect()
            registration = try await asked.next()?["registration"]?.stringValue ?? ""
        }

        func question() async throws -> JSONObject { try await asked.next() ?? [:] }

        func answer(_ question: JSONObject, _ parameters: JSONObject) async throws -> VarlinkError? {
            var parameters = parameters
            parameters["registration"] = .string(registration)
            parameters["request"] = question["request"]
            return try await answers.refusal("io.scened.Adapters.Answer", parameters)
        }
    }

    @Test("a connection waits for its adapter, in the order sent, also after oneway; others are served meanwhile")
    func order() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "slow", "kinds": ["widget"], "priority": 50, "timeoutMilliseconds": 10_000]
            )
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            // Widgets go to the adapter, which does not answer yet; links do not.
            let kinds = ["widget", "url", "widget", "url", "url", "widget"]
            for (number, kind) in kinds.enumerated() {
                let link = JSONValue.string("qcommerce://product/p\(number)")
                var event: JSONObject = ["url": link, "scene": "A", "event": .string("\(number)")]
                if kind == "widget" { event["kind"] = "deals" }
                try await client.oneway("io.scened.Events.\(kind == "url" ? "OpenURL" : "TapWidget")", event)
            }
            let other = try await daemon.connect()
            let first = try await adapter.question()
            #expect(first["kind"] == "widget" && first["event"]?["url"] == "qcommerce://product/p0")
            let overtaking = try await other.send("OpenURL", ["url": "qcommerce://orders", "scene": "A"])
            #expect(overtaking["ticket"] == 1, "only the connection that sent the event waits")

            var question = first
            for _ in 0..<3 {
                #expect(try await adapter.answer(question, ["declined": "no opinion"]) == nil)
                if question["event"]?["url"] != "qcommerce://product/p5" { question = try await adapter.question() }
            }
            let last = try await client.send("OpenURL", ["url": "qcommerce://home", "scene": "A"])
            #expect(last["ticket"] == .integer(kinds.count + 2))
            let admitted = try await daemon.records(scene: "A").filter { $0["kind"] == "event.admitted" }
                .compactMap { $0["event"]?.stringValue }
            #expect(admitted.dropFirst().prefix(kinds.count) == ["0", "1", "2", "3", "4", "5"])
            try await Self.expectOrder(daemon)
        }
    }

    @Test(
        "an adapter is asked about each URL of a set, and the set is admitted when all are answered, or refused whole"
    )
    func sets() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "links", "kinds": ["url"], "priority": 50, "timeoutMilliseconds": 10_000]
            )
            let client = try await daemon.connect()
            let other = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let set: JSONObject = ["urls": ["qcommerce://one", "qcommerce://two"], "scene": "A", "event": "mail"]
            for (second, error) in [
                (["refused": "sold out"], "io.scened.Events.MemberRefused"), (["url": "qcommerce://orders"], nil),
            ] as [(JSONObject, String?)] {
                async let refusal = client.refusal("io.scened.Events.OpenURLs", set)
                let first = try await adapter.question()
                #expect(first["event"]?["url"] == "qcommerce://one")
                #expect(try await adapter.answer(first, ["url": "qcommerce://product/p1"]) == nil)
                let next = try await adapter.question()
                #expect(next["event"]?["url"] == "qcommerce://two")
                #expect(try await daemon.records(scene: "A").allSatisfy { $0["kind"] != "event.admitted" })
                #expect(try await adapter.answer(next, second) == nil)
                #expect(try await refusal?.name == error)
            }
            // Nobody is asked again.
            let again = try await other.call("io.scened.Events.OpenURLs", set)["receipts"]?.arrayValue ?? []
            #expect(again.map { $0["duplicate"] } == [true, true])
            #expect(Set(again.map { $0["ticket"] }) == [1, 2] && again.allSatisfy { $0["outcome"] == "applied" })
            try await Self.expectOrder(daemon)
        }
    }

    @Test("a repeated event does not reach the adapter again, and a different one with its ID is a mismatch")
    func repeats() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "once", "kinds": ["activity"], "priority": 1, "timeoutMilliseconds": 10_000]
            )
            let sender = try await daemon.connect()
            let event: JSONObject = ["activityType": "x", "event": "mine"]
            async let receipt = sender.send("ContinueActivity", event)
            let question = try await adapter.question()
            #expect(try await adapter.answer(question, ["url": "qcommerce://orders"]) == nil)
            #expect(try await receipt["outcome"] == "applied")
            let again = try await sender.send("ContinueActivity", event)
            #expect(again["duplicate"] == true && again["outcome"] == "applied")
            let other = try await sender.refusal(
                "io.scened.Events.ContinueActivity",
                ["activityType": "y", "event": "mine"]
            )
            #expect(other?.name == "io.scened.Events.EventMismatch")
            #expect(
                try await adapter.answer(question, ["url": "qcommerce://home"])?.name
                    == "io.scened.Adapters.UnknownRequest"
            )
        }
    }

    @Test("an adapter of another process may have handled an event, for which there is nothing to navigate then")
    func handles() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "done", "kinds": ["push"], "priority": 50, "timeoutMilliseconds": 10_000]
            )
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A", "background": true])
            async let receipt = client.send(
                "Push",
                ["payload": ["aps": ["alert": "x"], "url": "qcommerce://orders"], "scene": "A"]
            )
            let question = try await adapter.question()
            let wrong = try await adapter.answer(question, ["handled": true, "url": "qcommerce://orders"])
            #expect(wrong != nil, "not both")
            #expect(try await receipt["outcome"] == "applied", "an adapter that makes no sense is passed over")
            async let second = client.send("Push", ["payload": ["aps": ["alert": "x"]], "scene": "A"])
            #expect(try await adapter.answer(adapter.question(), ["handled": true]) == nil)
            #expect(try await second["outcome"] == "delivered")
            let scene = try await client.call("io.scened.Scenes.Get", ["scene": "A"])["scene"]
            #expect(scene?["activation"] == "foregroundActive")
            try await Self.expectOrder(daemon)
        }
    }

    @Test("an adapter of another process may say whom an event is for")
    func namesUser() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "whose", "kinds": ["push"], "priority": 50, "timeoutMilliseconds": 10_000]
            )
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            _ = try await client.call("io.scened.Session.SignIn", ["user": "anna"])
            let push: JSONObject = ["payload": ["aps": ["alert": "x"], "url": "qcommerce://orders"], "scene": "A"]
            for (user, outcome, reason) in [("anna", "applied", nil), ("bert", "rejected", "otherUser")] {
                async let receipt = client.send("Push", push)
                let question = try await adapter.question()
                let nonsense = try await adapter.answer(question, ["declined": "x", "user": .string(user)])
                #expect(nonsense?.name == "io.scened.Adapters.InvalidAnswer")
                // One that makes no sense is passed over, so ask once more.
                _ = try await receipt
                async let second = client.send("Push", push)
                let answer: JSONObject = ["url": "qcommerce://product/p1", "user": .string(user)]
                #expect(try await adapter.answer(adapter.question(), answer) == nil)
                #expect(try await second["outcome"]?.stringValue == outcome)
                #expect(try await second["reason"]?.stringValue == reason)
            }
            try await Self.expectOrder(daemon)
        }
    }

    @Test("records about a scene that does not exist leave the history valid, and an adapter outlives a reset")
    func outlives() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "slow", "kinds": ["activity"], "priority": 1, "timeoutMilliseconds": 10_000]
            )
            let sender = try await daemon.connect()
            let lost: JSONObject = ["activityType": "x", "scene": "nowhere", "event": "mine"]
            async let refused = sender.refusal("io.scened.Events.ContinueActivity", lost)
            let nonsense = try await adapter.question()
            #expect(try await adapter.answer(nonsense, [:])?.name == "io.scened.Adapters.InvalidAnswer")
            #expect(try await refused?.name == "io.scened.Events.NoAdapter")
            #expect(try await daemon.record("adapter.skipped")["scene"] == "nowhere")
            try await Self.expectOrder(daemon)

            async let pending = sender.refusal("io.scened.Events.ContinueActivity", lost)
            let before = try await adapter.question()
            _ = try await daemon.connect().call("io.scened.Control.Reset")
            #expect(try await adapter.answer(before, ["url": "qcommerce://orders"]) == nil)
            #expect(try await pending?.name == "io.scened.Events.Draining", "the event was sent to the previous host")
            async let receipt = sender.send("ContinueActivity", ["activityType": "x"])
            let question = try await adapter.question()
            #expect(try await adapter.answer(question, ["url": "qcommerce://orders"]) == nil)
            #expect(try await receipt["outcome"] == "applied")

            // The sender gave this event no ID, but its records still belong together.
            async let push = sender.send(
                "ContinueActivity",
                ["activityType": "com.example.shop.view", "userInfo": ["destination": "cart"]]
            )
            _ = try await adapter.answer(adapter.question(), [:])
            let event = try #require(try await push["event"]?.stringValue)
            let why = try await Program.run(Command.built("scenectl"), ["why", event, "--socket", daemon.socket])
            #expect(why.output.contains("skipped") && why.output.contains("adapter slow: its answer makes no sense"))
            #expect(why.output.contains("handoff"), "the next adapter took it")
        }
    }

    @Test("an event that one adapter refuses is offered to no other, and warnings reach the sender")
    func refusesAndWarns() async throws {
        try await LiveDaemon.run { daemon in
            let adapter = try await Adapter(
                daemon,
                ["name": "strict", "kinds": ["push"], "priority": 99, "timeoutMilliseconds": 10_000]
            )
            let sender = try await daemon.connect()
            let push: JSONObject = ["payload": ["aps": ["alert": "x", "new": 1], "url": "qcommerce://orders"]]
            async let rejected = sender.send("Push", push)
            let question = try await adapter.question()
            #expect(try await adapter.answer(question, ["refused": "this campaign is over"]) == nil)
            let receipt = try await rejected
            #expect(receipt["outcome"] == "rejected" && receipt["reason"] == "noAdapter", "yet it was delivered")

            async let reply = sender.call("io.scened.Events.Push", push)
            let next = try await adapter.question()
            let answer: JSONObject = [
                "destination": ["id": "orders", "parameters": [:]], "warnings": ["url: passed over"],
            ]
            #expect(try await adapter.answer(next, answer) == nil)
            #expect(try await reply["warnings"] == ["aps.new: unknown key, kept", "url: passed over"])
        }
    }

    @Test("Register, Answer and Try say what is wrong")
    func errors() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            func refusal(_ method: String, _ parameters: JSONObject) async throws -> String? {
                var replies = try await daemon.connect()
                    .callMore("io.scened.Adapters.\(method)", parameters).makeAsyncIterator()
                do {
                    _ = try await replies.next()
                    return nil
                } catch let error as VarlinkError {
                    return "\(error.name.split(separator: ".").last ?? "") \(JSONValue.object(error.parameters).text())"
                }
            }
            let taken = try await Adapter(daemon, ["name": "here", "kinds": ["url"]])
            #expect(!taken.registration.isEmpty)
            let cases: [(String, JSONObject, String)] = [
                (
                    "Register", ["name": "é", "kinds": ["url"]],
                    #"InvalidParameter {"parameter":"name","reason":"\"é\" has a character that no name has, at byte 1; expected 1 to 128 letters, digits and signs of ASCII, without spaces"}"#
                ),
                ("Register", ["name": "n", "kinds": []], #"InvalidParameter {"parameter":"kinds"}"#),
                ("Register", ["name": "n", "kinds": ["fax"]], #"UnknownKind {"kind":"fax"}"#),
                (
                    "Register", ["name": "n", "kinds": ["url"], "timeoutMilliseconds": 0],
                    #"InvalidParameter {"parameter":"timeoutMilliseconds"}"#
                ),
                ("Register", ["name": "here", "kinds": ["url"]], #"NameTaken {"name":"here"}"#),
                ("Register", ["name": "push-url", "kinds": ["url"]], #"NameTaken {"name":"push-url"}"#),
                (
                    "Answer", ["registration": "adapter-9", "request": 1, "declined": "x"],
                    #"UnknownRegistration {"registration":"adapter-9"}"#
                ),
                (
                    "Answer", ["registration": .string(taken.registration), "request": 1, "declined": "x"],
                    #"UnknownRequest {"request":1}"#
                ),
                (
                    "Try", ["event": ["url": "qcommerce://cart"], "adapter": "nobody"],
                    #"UnknownAdapter {"adapter":"nobody"}"#
                ),
                ("Try", ["event": ["url": "qcommerce://cart"], "kind": "fax"], #"UnknownKind {"kind":"fax"}"#),
                (
                    "Try", ["event": ["ulr": "x"]],
                    #"Malformed {"reason":"the event: expected one of the members activityType, aps, kind, payload, type, url, found \"ulr\""}"#
                ),
            ]
            for (method, parameters, description) in cases {
                #expect(try await refusal(method, parameters) == description)
            }
            #expect(
                try await client.refusal("io.scened.Adapters.Register", ["name": "n", "kinds": ["url"]])?.name
                    == "org.varlink.service.ExpectedMore"
            )
        }
    }

    @Test("a trial asks every adapter, says which declined and why, and touches no window")
    func trial() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let adapter = try await Adapter(
                daemon,
                ["name": "outside", "kinds": ["push"], "priority": 99, "timeoutMilliseconds": 10_000]
            )
            let before = try await daemon.records().count
            let event: JSONValue = ["aps": ["alert": "x"], "route": "order", "parameters": ["id": "o1"]]
            async let reply = client.call("io.scened.Adapters.Try", ["event": event])
            let question = try await adapter.question()
            #expect(try await adapter.answer(question, ["declined": "not mine"]) == nil)
            let trial = try await reply["trial"]
            #expect(trial?["adapter"] == "push-route" && trial?["decision"] == "gated")
            #expect(trial?["precondition"] == "signedIn" && trial?["destination"]?["id"] == "order")
            #expect(trial?["extracted"] == ["payload.parameters.id": "o1", "payload.route": "order"])
            #expect(
                trial?["passed"] == [
                    ["adapter": "outside", "reason": "not mine", "skipped": false],
                    ["adapter": "push-url", "reason": "payload.url is absent", "skipped": false],
                ]
            )
            #expect(try await daemon.records().count == before)
        }
    }

    @Test("an adapter's connection that closes ends its registration, and the daemon's end ends the stream")
    func ends() async throws {
        let ending = try await LiveDaemon.ending { daemon in
            let stream = try await daemon.connect()
            var asked = stream.callMore("io.scened.Adapters.Register", ["name": "n", "kinds": ["url"]])
                .makeAsyncIterator()
            #expect(try await asked.next()?["registration"] != nil)
            await stream.close()
            let again = try await daemon.connect()
            var second: VarlinkReplies.Iterator?
            try await until("the daemon has seen the first one's end") {
                var replies = again.callMore("io.scened.Adapters.Register", ["name": "n", "kinds": ["url"]])
                    .makeAsyncIterator()
                guard (try? await replies.next()) != nil else { return false }
                second = replies
                return true
            }
            daemon.stop()
            let last = try await second?.next()
            #expect(last?["registration"] != nil && last?["request"] == nil)
            #expect(try await second?.next() == nil)
        }
        #expect(ending.status == .exited(0))
    }
}
