import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("io.scened.Control on the live daemon", .timeLimit(.minutes(15)))
struct ControlTests {
    @Test("a sign-out between resolving and showing, in both orders")
    func signOutAgainstLink() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            _ = try await client.signIn(user: "anna")

            let lever = try await daemon.connect()
            let hold = try await lever.hold("planned", "A", kind: "dispatch")
            async let cart = daemon.client().openURL("https://shop.example/cart", .init(scene: "A", event: "cart"))
            let caught = try await hold.caught()
            #expect(caught["event"] == "cart")
            #expect(caught["ticket"] == 1)
            #expect(caught["point"] == "planned")
            // The other window is not held.
            #expect(try await client.openURL("qcommerce://product/p1", .init(scene: "B")).outcome == .applied)
            _ = try await client.signOut(scene: "B")
            try await hold.release()
            #expect(try await cart.outcome == .gated)
            #expect(try await client.scene("A").window?.modals.first?.flow == "auth")

            // The other order: the link first, then the sign-out sweeps it.
            _ = try await client.signIn(user: "anna")
            _ = try await lever.call("io.scened.Control.Quiesce", ["timeoutMilliseconds": 120_000])
            #expect(try await client.receipt(of: "cart").outcome == .applied)
            _ = try await client.signOut(scene: "B")
            _ = try await lever.call("io.scened.Control.Quiesce", ["timeoutMilliseconds": 120_000])
            #expect(try await client.scene("A").window?.tabs.first?.stack.map(\.id) == ["home"])
        }
    }

    @Test("a hold ends with its connection, and what it caught goes on")
    func droppedWithConnection() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let lever = try await daemon.connect()
            let hold = try await lever.hold("admitted", "A")
            async let receipt = daemon.client().openURL("qcommerce://product/p1", .init(scene: "A"))
            try await hold.caught()
            await lever.close()
            #expect(try await receipt.outcome == .applied)
            let error = await #expect(throws: VarlinkError.self) {
                try await daemon.connect().call("io.scened.Control.Release", ["hold": hold.id])
            }
            #expect(error?.name == "io.scened.Control.UnknownHold")
        }
    }

    @Test("any client may release a hold, and a client that waits for it is told")
    func releasedByOther() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let lever = try await daemon.connect()
            let hold = try await lever.hold("settled")
            let other = try await daemon.connect()
            async let waiting = #expect(throws: VarlinkError.self) {
                try await hold.caught()
            }
            _ = try await other.call("io.scened.Control.Release", ["hold": hold.id])
            #expect(await waiting?.name == "io.scened.Control.UnknownHold")
        }
    }

    static let errors: [(String, JSONObject, String)] = [
        ("Hold", ["point": "planned", "scene": "Z"], "io.scened.Control.UnknownScene"),
        ("Hold", ["point": "somewhere"], "org.varlink.service.InvalidParameter"),
        ("Await", ["hold": "h99"], "io.scened.Control.UnknownHold"),
        ("Await", ["hold": "h99", "timeoutMilliseconds": -1], "org.varlink.service.InvalidParameter"),
        ("Release", ["hold": "h99"], "io.scened.Control.UnknownHold"),
        ("Quiesce", ["scene": "Z"], "io.scened.Control.UnknownScene"),
        ("Quiesce", ["timeoutMilliseconds": 9_223_372_036_854_775_807], "org.varlink.service.InvalidParameter"),
    ]

    @Test("says what is wrong, and the daemon is as before", arguments: errors)
    func refuses(method: String, parameters: JSONObject, name: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let error = await #expect(throws: VarlinkError.self) {
                try await client.call("io.scened.Control.\(method)", parameters)
            }
            #expect(error?.name == name)
            try await daemon.expectService()
        }
    }

    @Test("waiting times out: for a catch that does not come, and for quiet while something is held")
    func timesOut() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let lever = try await daemon.connect()
            let hold = try await lever.hold("admitted", "A")
            for call in ["Await", "Quiesce"] {
                if call == "Quiesce" {
                    _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A", wait: .admitted))
                    try await hold.caught()
                }
                var parameters: JSONObject = ["timeoutMilliseconds": 1]
                if call == "Await" { parameters["hold"] = hold.id }
                let error = await #expect(throws: VarlinkError.self) {
                    try await lever.call("io.scened.Control.\(call)", parameters)
                }
                #expect(error?.name == "io.scened.Control.TimedOut")
            }
        }
    }
}
