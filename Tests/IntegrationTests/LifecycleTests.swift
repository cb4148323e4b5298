import SceneClient
import StrictJSON
import Testing
import Varlink

@Suite("A window's life, on the live daemon", .timeLimit(.minutes(15)))
struct LifecycleTests {
    @Test("a push tapped into a disconnected window brings it back, checked, and is shown there")
    func pushIntoDisconnected() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "anna", facts: ["cart": ["p1"]])
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A"))
            let released = try await client.disconnect(scene: "A")
            #expect(!released.isConnected && released.window == nil && released.coordinators.isEmpty)
            _ = try await client.signOut()
            let payload: JSONObject = ["aps": ["alert": "On sale"], "url": "qcommerce://promo/SUMMER"]
            let receipt = try await client.push(payload: payload, .init(scene: "A", event: "tapped"))
            #expect(receipt.outcome == .applied)
            #expect(receipt.ticket == 2)
            #expect(receipt.window?.trail == ["home", "promo(code: SUMMER)"])
            let restored = try await daemon.record("scene.connected", event: "tapped")
            #expect(restored["restored"] == true)
            #expect(restored["window"]?.objectValue?.trail == ["home"], "the cart is gone before anything shows")
            let admitted = try await daemon.record("event.admitted", event: "tapped")
            #expect(admitted["delivery"] == "cold")
            #expect(try await client.scene("A").activation == .foregroundActive)
        }
    }

    @Test("a window discarded while its event is parked abandons it; the others go on")
    func discardedWhileParked() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] {
                _ = try await client.connect(scene: scene)
                _ = try await client.openURL("qcommerce://cart", .init(scene: scene, event: "cart-\(scene)"))
            }
            let waiting = try await daemon.client()
            async let finished = waiting.openURL(
                "qcommerce://cart",
                .init(scene: "A", event: "cart-A", wait: .finished)
            )
            _ = try await client.discard(scene: "A")
            let receipt = try await finished
            #expect(receipt.outcome == .abandoned && receipt.reason == "sceneDiscarded")
            _ = try await client.signIn(user: "anna")
            try await client.quiesce(timeout: .seconds(120))
            #expect(try await client.receipt(of: "cart-A").outcome == .abandoned)
            #expect(try await client.receipt(of: "cart-B").outcome == .applied)
        }
    }

    @Test("a sign-out while a window is disconnected, and one while it comes back, both end without the cart")
    func signOutAgainstReconnect() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let other = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for first in ["sign-out", "reconnect"] {
                _ = try await client.signIn(user: "anna")
                _ = try await client.openURL("qcommerce://cart", .init(scene: "A"))
                _ = try await client.disconnect(scene: "A")
                if first == "sign-out" {
                    _ = try await other.signOut()
                    _ = try await client.connect(scene: "A")
                } else {
                    let back = try await client.connect(scene: "A")
                    #expect(back.window?.trail == ["home", "cart"])
                    _ = try await other.signOut()
                }
                try await client.quiesce(timeout: .seconds(120))
                #expect(try await client.scene("A").window?.trail == ["home"])
            }
        }
    }

    @Test("a window saved by one run is restored by the next, which says what it left out")
    func restart() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "anna")
            _ = try await client.openURL("qcommerce://order/o7", .init(scene: "A"))
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A"))
            let saved = try #require(
                try await client.call("io.scened.Scenes.Get", ["scene": "A"])["scene"]?["window"]?.objectValue
            )
            try await client.reset()
            let restored = try await client.connect(scene: "A", restoring: saved)
            #expect(restored.isConnected)
            #expect(restored.window?.trail == ["home", "product(id: p1)"])
            #expect(restored.window?.tabs[1].stack.map(\.id) == ["orders"], "nobody is signed in now")
            let swept = try await daemon.record("scene.swept", scene: "A")
            #expect(swept["removed"]?.arrayValue?.count == 1)

            let connection = try await daemon.connect()
            var wrong: [JSONObject] = [saved, saved, saved]
            wrong[0]["tabs"] = []
            wrong[1]["selectedTab"] = "nowhere"
            wrong[2]["tabs"] = [["id": "home", "stack": []]]
            for window in wrong {
                let call: JSONObject = ["scene": "B", "window": .object(window)]
                let refusal = try await connection.refusal("io.scened.Scenes.Connect", call)
                #expect(refusal?.name == "io.scened.Scenes.Malformed", "\(String(describing: refusal))")
            }
            var short = saved
            short["modals"] = nil
            let call: JSONObject = ["scene": "B", "window": .object(short)]
            let refusal = try await connection.refusal("io.scened.Scenes.Connect", call)
            #expect(refusal?.name == "org.varlink.service.InvalidParameter")
            #expect(try await client.scenes().map(\.id) == ["A"])
        }
    }

    static let refusals: [(String, JSONObject, VarlinkError)] = [
        (
            "SetActivation", ["scene": "A", "activation": "background"],
            VarlinkError(
                "io.scened.Scenes.IllegalActivation",
                ["scene": "A", "from": "foregroundActive", "to": "background"]
            )
        ),
        (
            "SetActivation", ["scene": "D", "activation": "background"],
            VarlinkError(
                "io.scened.Scenes.IllegalActivation",
                ["scene": "D", "from": "disconnected", "to": "background"]
            )
        ),
        (
            "Disconnect", ["scene": "D"],
            VarlinkError(
                "io.scened.Scenes.IllegalActivation",
                ["scene": "D", "from": "disconnected", "to": "disconnected"]
            )
        ),
        (
            "SetActivation", ["scene": "A", "activation": "asleep"],
            .invalidParameter(
                "activation",
                reason: "expected one of unattached, foregroundActive, foregroundInactive, background, found \"asleep\""
            )
        ),
        (
            "SetActivation", ["scene": "Z", "activation": "background"],
            VarlinkError("io.scened.Scenes.UnknownScene", ["scene": "Z"])
        ),
        ("Disconnect", ["scene": "Z"], VarlinkError("io.scened.Scenes.UnknownScene", ["scene": "Z"])),
        ("Discard", ["scene": "Z"], VarlinkError("io.scened.Scenes.UnknownScene", ["scene": "Z"])),
        ("Get", ["scene": "Z"], VarlinkError("io.scened.Scenes.UnknownScene", ["scene": "Z"])),
        ("Connect", ["scene": "A"], VarlinkError("io.scened.Scenes.SceneExists", ["scene": "A"])),
        (
            "Connect", ["scene": "D", "configuration": "wide"],
            VarlinkError("io.scened.Scenes.UnknownConfiguration", ["configuration": "wide"])
        ),
    ]

    @Test("every refusal says what is wrong, and leaves the daemon as it was")
    func refuses() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "D")
            _ = try await client.disconnect(scene: "D")
            let connection = try await daemon.connect()
            let before = try await daemon.records().count
            let scenes = try await client.scenes()
            for (method, parameters, error) in Self.refusals {
                #expect(try await connection.refusal("io.scened.Scenes.\(method)", parameters) == error, "\(method)")
            }
            #expect(try await client.scenes() == scenes)
            #expect(try await daemon.records().count == before)
            try await daemon.expectService()
        }
    }
}
