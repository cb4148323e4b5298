import Basics
import NIOCore
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import Testing
import Varlink

/// Replies about events, adapters and recordings, each checked against its interface.
@Suite("Replies conform to their interface", .timeLimit(.minutes(15)))
struct ReplyTests {
    private func withClient(_ body: (VarlinkClient, VarlinkClient) async throws -> Void) async throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        let incidents = Guarded<[String]>([])
        let server = try VarlinkServer(host) { options in
            options.checksReplies = true
            options.report = { incident in incidents.withLock { $0.append("\(incident)") } }
        }
        var clients: [VarlinkClient] = []
        let path = "/tmp/scened-replies-\(UInt64.random(in: 0...UInt64.max))"
        try await server.listen(path: path)
        for _ in 0..<2 { clients.append(try await VarlinkClient.connect(path: path)) }
        do {
            try await body(clients[0], clients[1])
        } catch {
            Issue.record("\(error)")
        }
        #expect(incidents.withLock { $0 } == [])
        await server.shutDown(within: .zero)
        await host.drain()
    }

    @Test("replies about trials, whatever their result")
    func trials() async throws {
        let events: [JSONObject] = [
            ["aps": ["alert": "x", "new": 1], "url": "qcommerce://product/p1"], ["aps": ["content-available": 1]],
            ["aps": ["alert": "x"], "url": "qcommerce://checkout"],
            ["aps": ["alert": "x"], "url": "qcommerce://nowhere"],
            ["aps": ["alert": "x"]], ["activityType": "x"], ["type": "com.example.shop.cart"],
            ["kind": "order-status", "userInfo": ["order": "o7"]], ["url": "https://shop.example/help/x"],
            ["url": "https://elsewhere.example/"], ["kind": "order-status", "userInfo": ["order": "7"]],
            ["activityType": "x", "failure": "gone"],
        ]
        try await withClient { client, _ in
            var decisions: Set<String> = []
            for event in events {
                let trial = try await client.call("io.scened.Adapters.Try", ["event": .object(event)])["trial"]
                decisions.insert(trial?["decision"]?.stringValue ?? "")
            }
            #expect(decisions == ["delivered", "proceed", "gated", "refused"])
        }
    }

    @Test("replies about events with warnings, adapters and recordings")
    func others() async throws {
        try await withClient { client, adapter in
            let push: JSONObject = ["payload": ["aps": ["alert": "x", "new": 1], "url": "qcommerce://orders"]]
            #expect(try await client.call("io.scened.Events.Push", push)["warnings"] == ["aps.new: unknown key, kept"])
            var asked = adapter.callMore(
                "io.scened.Adapters.Register",
                ["name": "n", "kinds": ["push"], "priority": 99, "timeoutMilliseconds": 10_000]
            ).makeAsyncIterator()
            let registration = try #require(try await asked.next()?["registration"])
            let list = try await client.call("io.scened.Adapters.List")["adapters"]?.arrayValue ?? []
            #expect(list.first?["name"] == "n" && list.last?["origin"] == "always")
            try await client.oneway("io.scened.Events.Push", push)
            let question = try #require(try await asked.next())
            // The connection that sent the event is held, so the answer has to come by another: that of a third client.
            #expect(question["kind"] == "push" && registration == question["registration"])
        }
    }

    @Test("replies about what was recorded")
    func recordings() async throws {
        try await withClient { client, _ in
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            try await client.oneway("io.scened.Events.OpenURL", ["url": "qcommerce://orders", "scene": "A"])
            do {
                _ = try await client.call("io.scened.Events.OpenURL", ["url": "nowhere"])
            } catch is VarlinkError {}
            _ = try await client.call("io.scened.Scenes.List")
            let inputs = try await client.call("io.scened.Recording.Read")["inputs"]?.arrayValue ?? []
            #expect(inputs.map { $0["call"] } == [1, 2, 3])
            #expect(inputs.map { $0["error"]?.stringValue } == [nil, nil, "io.scened.Events.Malformed"])
        }
    }
}
