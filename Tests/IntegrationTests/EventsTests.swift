import SceneClient
import StrictJSON
import Subprocess
import Testing
import Varlink

@Suite("io.scened.Events on the live daemon", .eitherDaemon, .timeLimit(.minutes(15)))
struct EventsTests {
    /// One call for each kind of event, and where it leads.
    static let doors: [(method: String, parameters: JSONObject, outcome: String, trail: [String])] = [
        ("OpenURL", ["url": "qcommerce://product/p7"], "applied", ["home", "product"]),
        (
            "OpenURL", ["url": "https://shop.example/promo/SUMMER", "sourceApplication": "com.apple.MobileSMS"],
            "applied", ["home", "promo"]
        ), ("OpenURL", ["url": "qcommerce://deeplink?target=product&id=p1"], "applied", ["home", "product"]),
        (
            "ContinueActivity",
            ["activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": "https://shop.example/category/tea"],
            "applied", ["home", "category"]
        ),
        (
            "ContinueActivity",
            [
                "activityType": "com.example.shop.view", "title": "A product", "handoff": true,
                "userInfo": ["destination": "product", "parameters": ["id": "p9"]], "persistentIdentifier": "p9",
            ], "applied", ["home", "product"]
        ),
        (
            "ContinueActivity",
            [
                "activityType": "com.apple.corespotlightitem",
                "userInfo": ["kCSSearchableItemActivityIdentifier": "product/p1004"],
            ], "applied", ["home", "product"]
        ),
        (
            "Push", ["payload": ["aps": ["alert": "On sale"], "url": "https://shop.example/p/p3"]], "applied",
            ["home", "product"]
        ),
        (
            "Push",
            ["payload": ["aps": ["alert": "On sale"], "route": "promo", "parameters": ["code": "SPRING"]]],
            "applied", ["home", "promo"]
        ),
        (
            "Push",
            [
                "payload": ["aps": ["alert": "On its way", "category": "ORDER"], "url": "qcommerce://orders"],
                "interaction": "action", "action": "TRACK",
            ], "applied", ["orders"]
        ),
        (
            "Push",
            [
                "payload": ["aps": ["alert": "On its way", "category": "ORDER"], "url": "qcommerce://orders"],
                "action": "CANCEL",
            ], "delivered", ["home"]
        ),
        (
            "Push",
            ["payload": ["aps": ["alert": "On sale"], "url": "qcommerce://orders"], "interaction": "present"],
            "delivered", ["home"]
        ),
        (
            "Push",
            [
                "payload": ["aps": ["alert": "On its way", "category": "ORDER"], "url": "qcommerce://orders"],
                "interaction": "dismiss",
            ],
            "delivered", ["home"]
        ),
        (
            "Push", ["payload": ["aps": ["content-available": 1], "url": "qcommerce://orders"]], "delivered", ["home"]
        ),
        (
            "Push", ["payload": ["aps": ["alert": "On sale"], "url": "qcommerce://nowhere"]], "rejected", ["home"]
        ),
        (
            "Push",
            [
                "payload": [
                    "aps": ["alert": "x"], "url": "qcommerce://account",
                    "Simulator Target Bundle": "com.example.shop",
                ]
            ], "applied", ["account"]
        ),
        (
            "TapWidget", ["kind": "deals", "family": "systemSmall", "url": "qcommerce://category/tea"], "applied",
            ["home", "category"]
        ),
        (
            "TapWidget", ["kind": "order-status", "userInfo": ["order": "o7"]], "gated", ["home", "login"]
        ), ("PerformShortcut", ["type": "com.example.shop.orders"], "applied", ["orders"]),
        (
            "PerformShortcut",
            ["type": "com.example.shop.cart", "userInfo": ["from": "icon"], "targetContentIdentifier": "cart"],
            "gated", ["home", "login"]
        ),
    ]

    @Test("every kind of event leads to its destination, and the receipt shows it", arguments: doors)
    func door(method: String, parameters: JSONObject, outcome: String, trail: [String]) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            var parameters = parameters
            parameters["scene"] = "A"
            parameters["event"] = "e"
            let receipt = try await client.send(method, parameters)
            #expect(receipt["event"] == "e")
            #expect(receipt["scene"] == "A")
            #expect(receipt["ticket"] == 1)
            #expect(receipt["outcome"] == .string(outcome))
            #expect(receipt["duplicate"] == false)
            #expect(receipt["revision"] == 0)
            #expect(receipt["precondition"] == (outcome == "gated" ? "signedIn" : nil))
            #expect((receipt["reason"] == nil) == (outcome != "rejected"))
            #expect(receipt["window"]?.objectValue?.trail.suffix(trail.count) == trail[...])
            let scene = try await client.call("io.scened.Scenes.Get", ["scene": "A"])["scene"]
            #expect(scene?["window"] == receipt["window"])
            #expect(try await client.call("io.scened.Events.Get", ["event": "e"])["receipt"] == .object(receipt))
        }
    }

    @Test("a condition that fails ends the event in its window, with the condition's name")
    func condition() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.commit(set: ["unavailable": ["p5"]])
            let receipt = try await client.openURL("qcommerce://product/p5")
            #expect(receipt.outcome == .rejected)
            #expect(receipt.reason?.contains("inStock") == true)
            #expect(receipt.revision == 1)
            #expect(try await client.openURL("qcommerce://product/p6").outcome == .applied)
        }
    }

    @Test("the same event again only returns the first receipt")
    func duplicates() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let event: JSONObject = ["url": "qcommerce://product/p1", "event": "once"]
            var first = try await client.send("OpenURL", event)
            let newest = try #require(try await daemon.records().last?["index"]?.integerValue)
            for wait in ["admitted", "settled", "finished"] {
                var again = event
                again["wait"] = .string(wait)
                // From another connection of the same user: event IDs belong to the user.
                let receipt = try await daemon.connect().send("OpenURL", again)
                first["duplicate"] = true
                #expect(receipt == first)
            }
            #expect(try await daemon.records().last?["index"]?.integerValue == newest, "nothing was done")
        }
    }

    @Test(
        "an ID belongs to one event",
        arguments: [
            ("OpenURL", ["url": "qcommerce://product/p2"]),
            ("OpenURL", ["url": "qcommerce://product/p1", "scene": "B"]),
            ("OpenURL", ["url": "qcommerce://product/p1", "sourceApplication": "com.example.mail"]),
            ("TapWidget", ["kind": "deals", "url": "qcommerce://product/p1"]),
        ] as [(String, JSONObject)]
    )
    func mismatch(method: String, parameters: JSONObject) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "B"])
            _ = try await client.send("OpenURL", ["url": "qcommerce://product/p1", "scene": "A", "event": "mine"])
            var other = parameters
            if other["scene"] == nil { other["scene"] = "A" }
            other["event"] = "mine"
            let refusal = try await client.refusal("io.scened.Events.\(method)", other)
            #expect(refusal == VarlinkError("io.scened.Events.EventMismatch", ["event": "mine"]))
        }
    }

    @Test("the reply comes at the stage that the client asked for")
    func waits() async throws {
        // Long transitions, so that an event that was only admitted cannot have ended.
        try await LiveDaemon.run(["--transition", "60000"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let admitted = try await client.openURL(
                "qcommerce://product/p1",
                .init(scene: "A", event: "e", wait: .admitted)
            )
            #expect(admitted.outcome == .admitted)
            #expect(admitted.ticket == 1)
            #expect(admitted.window == nil)
            #expect(try await client.receipt(of: "e").outcome == .admitted)
        }
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let gated = try await client.openURL("qcommerce://cart", .init(scene: "A", event: "e", wait: .settled))
            #expect(gated.outcome == .gated)
            let waiting = try await daemon.client()
            async let finished = waiting.openURL("qcommerce://cart", .init(scene: "A", event: "e", wait: .finished))
            _ = try await client.signIn(user: "anna")
            let receipt = try await finished
            #expect(receipt.outcome == .applied)
            #expect(receipt.isDuplicate)
            #expect(receipt.window?.trail == ["home", "cart"])
        }
    }

    @Test("an event sent oneway is not answered, and is handled in the order sent")
    func oneway() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            for number in 1...20 {
                // Every second one is an error, which is not answered either.
                let url = number.isMultiple(of: 2) ? "qcommerce://nowhere" : "qcommerce://product/p\(number)"
                try await client.oneway(
                    "io.scened.Events.OpenURL",
                    ["url": .string(url), "scene": "A", "event": .string("n\(number)"), "wait": "finished"]
                )
            }
            let last = try await client.send("OpenURL", ["url": "qcommerce://home", "scene": "A"])
            #expect(last["ticket"] == 11)
            let tickets = try await daemon.records(scene: "A").filter { $0["kind"] == "dispatch.ended" }
                .compactMap { $0["event"]?.stringValue }
            #expect(tickets.prefix(10) == (1...10).map { "n\($0 * 2 - 1)" }[...])
            let refusal = try await client.refusal("io.scened.Events.Get", ["event": "n2"])
            #expect(refusal?.name == "io.scened.Events.UnknownEvent")
        }
    }

    @Test("a full mailbox refuses, and drops nothing it has")
    func queueFull() async throws {
        try await LiveDaemon.run(["--mailbox", "2", "--transition", "60000"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            func send(_ number: Int, to scene: String = "A") async throws -> ClientReceipt {
                try await client.openURL(
                    "qcommerce://product/p\(number)",
                    .init(scene: scene, event: "\(scene)\(number)", wait: .admitted)
                )
            }
            _ = try await send(1)
            try await daemon.record("navigation.step", scene: "A")
            _ = try await send(2)
            _ = try await send(3)
            await #expect(
                throws: SceneClientError.refused(
                    name: "io.scened.Events.QueueFull",
                    parameters: ["scene": "A", "limit": 2]
                )
            ) { try await send(4) }
            // A repeated event is not refused, and another window need not wait.
            #expect(try await send(3).isDuplicate)
            #expect(try await send(1, to: "B").ticket == 1)
            #expect(try await client.scene("A").admitted == 3)
            #expect(try await client.scene("A").settled == 0)
            await #expect(throws: SceneClientError.self) { try await client.receipt(of: "A4") }

            // Stopping completes transitions at once and handles the events that wait.
            let stream = try await daemon.connect().callMore("io.scened.Records.Read", ["scene": "A"])
            var ended: [JSONValue] = []
            var hasBegun = false
            for try await page in stream {
                if !hasBegun { daemon.stop() }
                hasBegun = true
                for record in page["records"]?.arrayValue ?? [] where record["kind"] == "dispatch.ended" {
                    ended.append(["event": record["event"] ?? .null, "outcome": record["outcome"] ?? .null])
                }
            }
            #expect(ended == (1...3).map { ["event": .string("A\($0)"), "outcome": "applied"] })
        }
    }

    @Test("if the app allows no more windows and none can take the event, there is no eligible scene")
    func noEligibleScene() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            func opened() async throws -> String? {
                try await client.call("io.scened.Routing.Explain", ["url": "qcommerce://home"])["opened"]?.stringValue
            }
            for _ in 1...63 { _ = try await client.connect(configuration: "detail") }
            #expect(try await opened()?.hasPrefix("goes to home") ?? false)
            _ = try await client.connect(configuration: "detail")
            #expect(try await opened()?.hasPrefix("is refused as NoEligibleScene: ") ?? false)
            await #expect(
                throws: SceneClientError.refused(
                    name: "io.scened.Events.NoEligibleScene",
                    parameters: ["contentIdentifier": "qcommerce://home"]
                )
            ) { try await client.openURL("qcommerce://home") }
            await #expect(
                throws: SceneClientError.refused(
                    name: "io.scened.Events.NoEligibleScene",
                    parameters: ["contentIdentifier": nil]
                )
            ) { try await client.performShortcut(type: "com.example.shop.orders") }
            await #expect(
                throws: SceneClientError.refused(
                    name: "io.scened.Events.NoEligibleScene",
                    parameters: ["contentIdentifier": "orders/o1"]
                )
            ) {
                try await client.performShortcut(
                    type: "com.example.shop.orders",
                    targetContentIdentifier: "orders/o1"
                )
            }
        }
    }
}
