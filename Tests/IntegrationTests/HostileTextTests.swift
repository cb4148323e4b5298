import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// No text and no list in a call may cost the daemon more than in proportion to its length, whatever the method and the
/// parameter. The interfaces say which there are.
@Suite("Hostile texts to the live daemon", .serialized, .timeLimit(.minutes(15)))
struct HostileTextTests {
    private func cost(_ daemon: LiveDaemon, _ method: String, _ parameters: JSONObject, more: Bool) async throws
        -> Duration
    {
        let call: JSONObject = ["method": .string(method), "parameters": .object(parameters), "more": .bool(more)]
        let raw = try RawConnection(path: daemon.socket)
        let bytes = Array(JSONValue.object(call).text().utf8) + [0]
        let before = try LinearCost.time(ofProcess: daemon.processID)
        try await raw.write(bytes: bytes)
        #expect(try await !raw.read(messages: 1).isEmpty, "\(method) is not answered")
        return try LinearCost.time(ofProcess: daemon.processID) - before
    }

    private func run(_ body: (LiveDaemon) async throws -> Void) async throws {
        try await LiveDaemon.run(["--log-level", "critical"]) { daemon in
            _ = try await daemon.connect().call("io.scened.Scenes.Connect", ["scene": "a"])
            try await body(daemon)
            try await daemon.expectService()
        }
    }

    @Test("a text costs time in proportion to its length, in every parameter of every method")
    func texts() async throws {
        try await run { daemon in
            let (texts, keys, _) = try await CallPart.all(daemon)
            #expect(texts.count > 70 && keys.count > 5)
            for part in texts + keys {
                for hostile in HostileText.all {
                    let excess = try await LinearCost.excess(from: 5_000) { size in
                        try await cost(
                            daemon,
                            part.method,
                            part.parameters(.string(hostile.text(size))),
                            more: part.needsMore
                        )
                    }
                    if let excess { Issue.record("\(part.testDescription), \(hostile): \(excess)") }
                }
            }
        }
    }

    @Test(
        "a text as a method's or an interface's name, or as a member of the message, costs time in proportion to its length"
    )
    func names() async throws {
        try await run { daemon in
            for hostile in HostileText.all {
                for method in ["", "io.scened.", "io.scened.Scenes."] {
                    let excess = try await LinearCost.excess(from: 5_000) { size in
                        try await cost(daemon, method + hostile.text(size), [:], more: false)
                    }
                    if let excess { Issue.record("the method \(method)…, \(hostile): \(excess)") }
                }
            }
        }
    }

    @Test("a list costs time in proportion to its length, in every parameter of every method")
    func lists() async throws {
        try await run { daemon in
            let (_, _, lists) = try await CallPart.all(daemon)
            #expect(lists.count > 15)
            for part in lists {
                let excess = try await LinearCost.excess(from: 500) { size in
                    try await cost(daemon, part.method, part.parameters(.integer(size)), more: part.needsMore)
                }
                if let excess { Issue.record("\(part.testDescription): \(excess)") }
            }
        }
    }

    @Test("a window to restore, a filter of records and facts cost time in proportion to their length")
    func largeCalls() async throws {
        try await run { daemon in
            func expectLinear(_ method: String, _ name: String, _ parameters: (Int) -> JSONObject) async throws {
                let excess = try await LinearCost.excess(from: 750) { size in
                    let time = try await cost(daemon, "io.scened.\(method)", parameters(size), more: false)
                    // Connecting opens at most 64 windows.
                    for scene in try await daemon.client().scenes() where scene.id != "a" {
                        _ = try await daemon.connect().call("io.scened.Scenes.Discard", ["scene": .string(scene.id)])
                    }
                    return time
                }
                if let excess { Issue.record("\(method), \(name): \(excess)") }
            }
            func screen(_ id: String, _ parameters: JSONObject = [:]) -> JSONValue {
                .object(["id": .string(id), "parameters": .object(parameters)])
            }
            func stack(_ id: String, _ screens: [JSONValue]) -> JSONValue {
                .object(["id": .string(id), "stack": .array([screen("home")] + screens)])
            }
            func window(_ tabs: [JSONValue], _ modals: [JSONValue] = []) -> JSONObject {
                let window: JSONObject = [
                    "tabs": .array(tabs), "selectedTab": "home", "modals": .array(modals), "transitioning": false,
                ]
                return ["window": .object(window)]
            }
            func texts(_ count: Int, _ text: (Int) -> String) -> [JSONValue] { (0..<count).map { .string(text($0)) } }

            try await expectLinear("Scenes.Connect", "products") { size in
                window([stack("home", (0..<size).map { screen("product", ["id": .string("p\($0)")]) })])
            }
            try await expectLinear("Scenes.Connect", "what needs a user") { size in
                window([stack("home", (0..<size).map { screen("order", ["id": .string("o\($0)")]) })])
            }
            try await expectLinear("Scenes.Connect", "unknown screens") { size in
                window([stack("home", (0..<size).map { screen("x\($0)") })])
            }
            try await expectLinear("Scenes.Connect", "unknown tabs") { size in
                window([stack("home", [])] + (0..<size).map { stack("t\($0)", []) })
            }
            try await expectLinear("Scenes.Connect", "modals") { size in
                let modal: JSONValue = .object(["style": "sheet", "stack": .array([screen("login")])])
                return window([stack("home", [])], Array(repeating: modal, count: size))
            }
            try await expectLinear("Records.Read", "kinds") { ["kinds": .array(texts(10 * $0) { _ in "gate" })] }
            try await expectLinear("Session.Commit", "unknown facts") { size in
                ["set": .object(JSONObject((0..<size).map { ("f\($0)", JSONValue.integer(1)) }))]
            }
            try await expectLinear("Session.Commit", "a long fact") { size in
                ["set": .object(["cart": .array(texts(size) { "p\($0)" })])]
            }
            try await expectLinear("Session.Commit", "facts to reset") { ["remove": .array(texts($0) { "f\($0)" })] }
        }
    }

    /// Ways in which a long text gets further than a check of its beginning.
    private static let beginnings = [
        "", "https://shop.example/product/", "qcommerce://product/", "https://nowhere.example/",
    ]

    /// Texts that reach what is behind the interfaces: the formats of events, adapters, routes, facts.
    private static let depths: [(method: String, parameters: @Sendable (JSONValue) -> JSONObject)] = [
        ("Events.Push", { ["payload": ["aps": ["alert": "x"], "url": $0]] }),
        ("Events.Push", { ["payload": ["aps": ["alert": "x"], "Simulator Target Bundle": $0]] }),
        ("Events.Push", { ["payload": ["aps": ["alert": "x"]], "interaction": "action", "action": $0] }),
        ("Events.Push", { ["payload": [$0.stringValue ?? "": 1]] }),
        ("Events.Push", { ["payload": ["aps": [$0.stringValue ?? "": 1, "event": $0, "content-available": $0]]] }),
        ("Events.ContinueActivity", { ["activityType": "com.example.shop.view", "userInfo": ["destination": $0]] }),
        (
            "Events.ContinueActivity",
            {
                [
                    "activityType": "com.example.shop.view",
                    "userInfo": ["destination": "product", "parameters": ["id": $0]],
                ]
            }
        ),
        ("Events.ContinueActivity", { ["activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": $0] }),
        ("Events.ContinueActivity", { ["activityType": "a", "userInfo": ["$date": $0, "a": ["$date": $0]]] }),
        ("Events.TapWidget", { ["kind": "order-status", "userInfo": ["order": $0]] }),
        ("Events.TapWidget", { ["kind": "deals", "url": $0] }),
        ("Events.SendIntent", { ["scene": "a", "name": "productSelected", "parameters": ["id": $0]] }),
        (
            "Events.SendIntent",
            { ["scene": "a", "name": "productSelected", "parameters": [$0.stringValue ?? "": "a"]] }
        ),
        ("Events.FinishFlow", { ["scene": "a", "flow": "auth", "result": $0] }),
        ("Events.FinishFlow", { ["scene": "a", "flow": "auth", "result": "completed", "user": $0] }),
        ("Events.FinishFlow", { ["scene": "a", "flow": "auth", "result": "completed", "facts": ["market": $0]] }),
        ("Session.Commit", { ["set": ["cart": $0]] }), ("Session.Commit", { ["set": ["market": $0]] }),
        ("Routing.Resolve", { ["destination": ["id": "product", "parameters": ["id": $0]]] }),
        ("Routing.Resolve", { ["url": "qcommerce://home", "facts": ["cart": $0]] }),
        (
            "Scenes.Connect",
            { text in
                let tabs = (0..<2_000).map { number -> JSONValue in
                    ["id": .string("\(number)"), "stack": [["id": "home", "parameters": [:]]]]
                }
                return ["window": ["tabs": .array(tabs), "selectedTab": text, "modals": [], "transitioning": false]]
            }
        ),
        (
            "Scenes.Connect",
            { text in
                let tab: JSONValue = ["id": "home", "stack": [["id": "home", "parameters": [:]]]]
                let modal: JSONValue = ["style": text, "stack": []]
                return ["window": ["tabs": [tab], "selectedTab": "home", "modals": [modal], "transitioning": false]]
            }
        ),
    ]

    @Test("an error repeats at most 128 bytes of a text, however long, in every parameter of every method")
    func echoes() async throws {
        // One letter each, of one byte and of seven: people see a single character in any number of the others.
        let units = ["a", "\u{1F469}\u{200D}"]
        try await run { daemon in
            let (texts, keys, _) = try await CallPart.all(daemon)
            let calls =
                (texts + keys).map { (method: $0.method, parameters: $0.parameters, more: $0.needsMore) }
                + Self.depths.map { (method: "io.scened.\($0.method)", parameters: $0.parameters, more: false) }
            var refusals = 0
            for call in calls {
                for unit in units {
                    for (beginning, length) in Self.beginnings.map({ ($0, 8_000) }) + [
                        ("", 300_000), ("https://nowhere.example/", 300_000),
                    ] {
                        let text = beginning + String(repeating: unit, count: length / unit.utf8.count)
                        let message: JSONObject = [
                            "method": .string(call.method), "parameters": .object(call.parameters(.string(text))),
                            "more": .bool(call.more),
                        ]
                        let raw = try RawConnection(path: daemon.socket)
                        try await raw.write(bytes: Array(JSONValue.object(message).text().utf8) + [0])
                        let reply = try await raw.read(messages: 1)
                        guard reply.hasPrefix(#"{"error":"#) else { continue }
                        refusals += 1
                        let place = "\(call.method), \(beginning)…, \(length): \(reply.prefix(300))"
                        #expect(reply.utf8.count <= 4_096, "\(reply.utf8.count) bytes, \(place)")
                        // By bytes: many of the longer units are one character.
                        let many = String(repeating: unit, count: 128 / unit.utf8.count + 1)
                        #expect(!reply.utf8.contains(many.utf8), "\(place)")
                    }
                }
            }
            #expect(refusals > 500)
        }
    }

    @Test("what is a name is refused with its place if it is none, whatever the method")
    func notNames() async throws {
        let names: Set<String> = [
            "scene", "event", "flow", "hold", "id", "kinds", "name", "registration", "remove", "selectedTab", "tab",
        ]
        try await run { daemon in
            let (texts, keys, _) = try await CallPart.all(daemon)
            let client = try await daemon.connect()
            let parts =
                texts.filter { names.contains($0.field) && !$0.path.hasSuffix("[a]") }
                + keys.filter { !["event", "payload", "userInfo"].contains($0.field) }
            #expect(parts.count > 50)
            for part in parts where !part.needsMore {
                for text in ["", "é", "a b", "\u{1B}[2J", String(repeating: "a", count: 129)] {
                    let error = try await client.refusal(part.method, part.parameters(.string(text)))
                    #expect(error?.name == "org.varlink.service.InvalidParameter", "\(part.testDescription) \(text)")
                    #expect(
                        error?.parameters["reason"]?.stringValue?.contains("expected 1 to 128") == true,
                        "\(part.testDescription)"
                    )
                }
            }
        }
    }

    @Test("'é' in two encodings is two values")
    func bytes() async throws {
        try await run { daemon in
            let client = try await daemon.connect()
            for (url, isSame) in [("a:\u{E9}", true), ("a:e\u{301}", false)] {
                let parameters: JSONObject = [
                    "activityType": .string(url), "announced": true, "scene": "a", "event": "once",
                ]
                let error = try await client.refusal("io.scened.Events.ContinueActivity", parameters)
                #expect(error?.name == (isSame ? nil : "io.scened.Events.EventMismatch"))
            }
            for (text, revision) in [("\u{E9}", 1), ("\u{E9}", 1), ("e\u{301}", 2)] {
                let reply = try await client.call("io.scened.Session.Commit", ["set": ["order": .string(text)]])
                #expect(reply["session"]?["revision"] == .integer(revision))
            }
        }
    }
}
