import SceneClient
import StrictJSON
import Testing
import Varlink

@Suite("io.scened.Scenes on the live daemon", .timeLimit(.minutes(15)))
struct ScenesTests {
    @Test("a window opens at its first tab's root and is listed in the order opened")
    func connect() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let first = try await client.connect(scene: "Z", configuration: "detail")
            #expect(first.id == "Z")
            #expect(first.configuration == "detail")
            #expect(first.activation == .foregroundActive)
            #expect(first.isConnected)
            #expect(first.admitted == 0 && first.settled == 0 && first.revision == 0)
            #expect(first.parked.isEmpty)
            #expect(first.window?.tabs.map(\.id) == ["home", "orders", "account"])
            #expect(first.window?.selectedTab == "home")
            #expect(first.window?.trail == ["home"])
            #expect(first.window?.isTransitioning == false)
            let made = try await client.connect()
            #expect(made.configuration == "default")
            let other = try await daemon.client()
            #expect(try await other.scenes().map(\.id) == ["Z", made.id])
            #expect(try await other.scene(made.id) == made)
        }
    }

    @Test("windows that cannot be opened are refused by name")
    func refusals() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            func refusal(_ parameters: JSONObject) async throws -> VarlinkError? {
                try await client.refusal("io.scened.Scenes.Connect", parameters)
            }
            #expect(try await refusal(["scene": "A"]) == nil)
            #expect(try await refusal(["scene": "A"]) == VarlinkError("io.scened.Scenes.SceneExists", ["scene": "A"]))
            #expect(
                try await refusal(["configuration": "wide"])
                    == VarlinkError("io.scened.Scenes.UnknownConfiguration", ["configuration": "wide"])
            )
            for scene in ["", String(repeating: "s", count: 65), "a/b", "ä", "a\nb"] {
                let error = try await refusal(["scene": .string(scene)])
                #expect(error?.name == "org.varlink.service.InvalidParameter")
                #expect(error?.parameters["parameter"] == "scene")
                #expect(error?.parameters["reason"]?.stringValue?.contains("expected 1 to") == true)
            }
            #expect(try await refusal(["scene": .string(String(repeating: "s", count: 64))]) == nil)
            for _ in 3...64 { #expect(try await refusal([:]) == nil) }
            #expect(try await refusal([:]) == VarlinkError("io.scened.Scenes.TooManyScenes", ["limit": 64]))
            #expect(try await daemon.client().scenes().count == 64)
        }
    }

    @Test("a list with more shows all windows, then each that changed")
    func following() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            var lists = try await daemon.connect().callMore("io.scened.Scenes.List").makeAsyncIterator()
            func next() async throws -> [JSONValue] { try #require(await lists.next()?["scenes"]?.arrayValue) }
            #expect(try await next().map { $0["id"] } == ["A", "B"])

            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "B"))
            // Changes may come in several steps; the last one shows the final window.
            var latest: JSONValue?
            while latest?["settled"] != 1 {
                let changed = try await next()
                #expect(changed.map { $0["id"] } == ["B"])
                latest = changed.last
            }
            #expect(latest?["window"]?.objectValue?.trail == ["home", "product"])

            _ = try await client.connect(scene: "C")
            // What else has changed in B may come before it.
            var changed = try await next()
            while changed.map({ $0["id"] }) == ["B"] { changed = try await next() }
            #expect(changed.last?["id"] == "C")
            _ = try await client.discard(scene: "C")
            // The record of its end may come before it has left the list.
            var reply = try await lists.next()
            while reply?["discarded"] == nil { reply = try await lists.next() }
            #expect(reply?["discarded"] == ["C"])
        }
    }
}
