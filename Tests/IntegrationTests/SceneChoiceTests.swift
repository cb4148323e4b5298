import SceneClient
import StrictJSON
import TestFixtures
import Testing

@Suite("Which window takes an event, on the live daemon", .timeLimit(.minutes(15)))
struct SceneChoiceTests {
    private func view(_ product: String, on client: SceneClient, as identifier: String? = nil) async throws -> String? {
        try await client.continueActivity(
            type: "com.example.shop.view",
            userInfo: ["destination": "product", "parameters": ["id": .string(product)]],
            targetContentIdentifier: identifier
        ).scene
    }

    @Test("without a window one is opened, with the configuration that prefers the content")
    func opensOne() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let first = try #require(try await view("p1", on: client, as: "product/p1"))
            #expect(try await client.scene(first).configuration == "detail")
            // That window can activate only for products.
            let second = try await client.openURL("qcommerce://orders")
            #expect(second.scene != first)
            #expect(try await client.scene(try #require(second.scene)).configuration == "default")
            #expect(try await client.scenes().count == 2)
        }
    }

    @Test("the receipt, the record and 'why' say which window took it, and why that one")
    func says() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            var told: [(event: String, choice: SceneChoice, words: String)] = []
            func open(_ choice: SceneChoice, _ words: String, to scene: String? = nil) async throws -> String {
                let event = "\(choice)"
                let receipt = try await client.openURL("qcommerce://home", .init(scene: scene, event: event))
                #expect(receipt.choice?.known == choice, "\(receipt.reply)")
                told.append((event, choice, words))
                return try #require(receipt.scene)
            }
            let first = try await open(.new, "a new window")
            _ = try await open(.named, "the window named", to: first)
            _ = try await open(.active, "the active window")
            _ = try await client.setActivation(.foregroundInactive, of: first)
            _ = try await client.setActivation(.background, of: first)
            _ = try await open(.recent, "the window active most recently")
            _ = try await client.discard(scene: first)
            _ = try await client.connect(scene: "quiet", inBackground: true)
            #expect(try await open(.oldest, "the oldest window") == "quiet")
            _ = try await client.connect(scene: "detail", configuration: "detail")
            #expect(try await view("p1", on: client, as: "product/p1") == "detail")
            let records = try await daemon.records().filter { $0["kind"] == "event.admitted" }
            #expect(records.last?["choice"] == "preferred")
            for (event, choice, words) in told {
                #expect(records.first { $0["event"] == .string(event) }?["choice"] == .string(choice.rawValue))
                let why = try await Program.run(Command.built("scenectl"), ["why", event, "--socket", daemon.socket])
                #expect(why.output.contains(words), "\(why.output) \(why.errors)")
            }
        }
    }

    @Test("a window that prefers the content comes before those that can show it")
    func prefers() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "detail", configuration: "detail")
            _ = try await client.connect(scene: "A")
            #expect(try await view("p1", on: client, as: "product/p1") == "detail")
            #expect(try await view("p1", on: client, as: "order/o1") == "A")
            #expect(try await view("p1", on: client) == "A")
            #expect(
                try await client.push(
                    payload: [
                        "aps": ["alert": "x", "target-content-id": "product/p2"], "url": "qcommerce://product/p2",
                    ]
                ).scene == "detail"
            )
            #expect(
                try await client.performShortcut(
                    type: "com.example.shop.orders",
                    targetContentIdentifier: "product/p3"
                ).scene == "detail"
            )
            #expect(try await client.tapWidget(kind: "deals", url: "qcommerce://home").scene == "A")
            #expect(try await client.openURL("qcommerce://product/p4").scene == "A", "the whole URL is no product/…")
        }
    }

    /// Events without an identifier of their own, and the web page or URL that counts as theirs.
    static let addresses: [(method: String, parameters: JSONObject)] = [
        ("OpenURL", ["url": "ferry://pier/p1"]), ("OpenURL", ["url": "https://ferry.example/pier/p1"]),
        ("TapWidget", ["kind": "crossings", "url": "ferry://pier/p1"]),
        (
            "ContinueActivity",
            ["activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": "https://ferry.example/pier/p1"]
        ),
        (
            "ContinueActivity",
            [
                "activityType": "com.example.ferry.view", "userInfo": ["url": "ferry://tickets"],
                "webpageURL": "https://ferry.example/pier/p1",
            ]
        ),
        ("OpenURLs", ["urls": ["ferry://pier/p1", "ferry://pier/p2"]]),
    ]

    @Test("a URL is its own content identifier, whole, and an activity without one has its web page's")
    func addresses() async throws {
        try await FerryDoor.run { daemon, client in
            _ = try await client.connect(scene: "pier", configuration: "pier")
            // Of two that can take it, the one in front is another.
            _ = try await client.openURL("ferry://piers", .init(scene: "A"))
            func send(_ method: String, _ parameters: JSONObject) async throws -> JSONValue? {
                let reply = try await client.call("io.scened.Events.\(method)", parameters)
                return reply["receipt"] ?? reply["receipts"]?[0]
            }
            for (method, parameters) in Self.addresses {
                let receipt = try await send(method, parameters)
                #expect(receipt?["scene"] == "pier" && receipt?["choice"] == "preferred", "\(method) \(parameters)")
                _ = try await client.openURL("ferry://piers", .init(scene: "A"))
            }
            // What else would lead there has an identifier of its own, or none.
            let others: [(String, JSONObject)] = [
                ("OpenURL", ["url": "ferry://piers"]), ("OpenURLs", ["urls": ["ferry://pier/p1", "ferry://piers"]]),
                (
                    "ContinueActivity",
                    [
                        "activityType": "NSUserActivityTypeBrowsingWeb",
                        "webpageURL": "https://ferry.example/pier/p1", "targetContentIdentifier": "elsewhere",
                    ]
                ),
                ("Push", ["payload": ["aps": ["alert": "!"], "url": "ferry://pier/p1"]]),
            ]
            for (method, parameters) in others {
                let receipt = try await send(method, parameters)
                #expect(receipt?["scene"] == "A", "\(method) \(parameters): \(String(describing: receipt))")
            }
        }
    }

    @Test("of several the most recently active takes it")
    func mostRecent() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B", "C"] { _ = try await client.connect(scene: scene) }
            #expect(try await client.openURL("qcommerce://home").scene == "C")
            for scene in ["B", "A", "C", "A"] {
                _ = try await client.openURL("qcommerce://product/p1", .init(scene: scene))
                #expect(try await client.openURL("qcommerce://orders").scene == scene)
            }
            // A presented push activates no window.
            _ = try await client.push(
                payload: ["aps": ["alert": "x"]],
                interaction: "present",
                .init(scene: "B")
            )
            #expect(try await client.openURL("qcommerce://home").scene == "A")
        }
    }
}
