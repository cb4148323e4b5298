import Basics
import NIOCore
import NIOPosix
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import Testing
import Varlink

@Suite("Lists come in pages, and every answer can be given", .timeLimit(.minutes(15)))
struct ListTests {
    @Test(
        "the pages of any size together are the list, in its order, without what was discarded",
        arguments: [1, 7, 1_000]
    )
    func pages(limit: Int) async throws {
        try await withService { host, client in
            let count = limit == 1 ? 30 : 600
            for number in 0..<count { try host.connect(scene: "s\(number)") }
            for number in stride(from: 0, to: count, by: 3) { try await host.discard(scene: "s\(number)") }
            var listed: [String] = []
            var next = 0
            while true {
                let reply = try await client.ask("Scenes.List", ["after": .integer(next), "limit": .integer(limit)])
                let scenes = reply["scenes"]?.arrayValue ?? []
                listed += scenes.compactMap { $0["id"]?.stringValue }
                #expect(scenes.count <= limit && reply.size < 512 << 10)
                guard let last = reply["next"]?.integerValue, last > next else { break }
                next = last
            }
            #expect(listed == (0..<count).filter { !$0.isMultiple(of: 3) }.map { "s\($0)" })
        }
    }

    @Test("a follower of the list gets all scenes in pages, and then each that changes, however many at once")
    func following() async throws {
        try await withService { host, client in
            for number in 0..<1_000 { try host.connect(scene: "s\(number)") }
            try await client.send(#"{"method":"io.scened.Scenes.List","more":true}"#)
            var listed: [String] = []
            func read() async throws -> (scenes: [JSONValue], discarded: [String]) {
                let reply = try #require(try await client.receive()["parameters"]?.objectValue)
                #expect(reply.size < 512 << 10)
                let discarded = reply["discarded"]?.arrayValue ?? []
                return (reply["scenes"]?.arrayValue ?? [], discarded.compactMap(\.stringValue))
            }
            while listed.count < 1_000 { listed += try await read().scenes.compactMap { $0["id"]?.stringValue } }
            #expect(listed == (0..<1_000).map { "s\($0)" })
            for number in 0..<500 { try await host.setActivation(.foregroundInactive, of: "s\(number)") }
            for number in 500..<1_000 { try await host.discard(scene: "s\(number)") }
            var inactive: Set<String> = []
            var discarded: Set<String> = []
            while inactive.count < 500 || discarded.count < 500 {
                let (scenes, gone) = try await read()
                for scene in scenes where scene["activation"] == "foregroundInactive" {
                    inactive.insert(scene["id"]?.stringValue ?? "")
                }
                discarded.formUnion(gone)
            }
            #expect(inactive.count == 500 && discarded.count == 500)
        }
    }

    @Test("facts are refused beyond each of their limits, which the error names, and whatever is accepted can be read")
    func facts() async throws {
        try await withService { host, client in
            func refusal(_ set: JSONObject) async throws -> String? {
                try await client.ask("Session.Commit", ["set": .object(set)])["reason"]?.stringValue
            }
            // Six bytes in JSON each; they count as that.
            func text(_ count: Int) -> JSONValue { .string(String(repeating: "\u{1}", count: count)) }
            #expect(try await refusal(["order": text(10_921)])?.contains("one fact may take 65536") == true)
            #expect(
                try await refusal(["cart": .array(Array(repeating: "x", count: 1_001))])?.contains("may have 1000")
                    == true
            )
            let names = ["order", "market", "locale"]
            for name in names { #expect(try await refusal([name: text(10_920)]) == nil) }
            let list = (0..<60).map { JSONValue.string("\($0)" + String(repeating: "y", count: 1_000)) }
            #expect(try await refusal(["cart": .array(list)]) == nil)
            let reason = try #require(try await refusal(["unavailable": .array(list)]))
            #expect(reason.contains("together they may take 262144"))
            #expect(host.session.snapshot.revision == 4, "what was refused was not committed")
            let session = try await client.ask("Session.Get", [:])
            #expect(session["session"]?["facts"]?["order"] == text(10_920))
            #expect(session.size > 200 << 10 && session.size < 257 << 10)
            #expect(try await refusal(["order": ""]) == nil, "what is smaller than before is always allowed")
        }
    }

    @Test("whatever is accepted can be answered, with texts that are as long in JSON as any", arguments: 1...4)
    func answers(seed: UInt64) async throws {
        try await withService { host, client in
            var random = SplitMix(seed: seed)
            func text(_ bytes: Int) -> String {
                String(repeating: ["\u{1}", "\"", "x"][random.below(3)], count: random.below(bytes))
            }
            func screen(_ bytes: Int) -> JSONValue {
                ["id": "login", "parameters": ["\(text(40))": .string(text(bytes))]]
            }
            let bytes = [20_000, 120_000, 300_000][random.below(3)]
            for scene in 1...8 {
                let modals = (0..<(1 + random.below(9))).map { _ -> JSONValue in
                    ["flow": "auth", "style": "sheet", "stack": [screen(bytes)]]
                }
                let window: JSONValue = [
                    "tabs": [["id": "home", "stack": [["id": "home", "parameters": [:]]]]], "selectedTab": "home",
                    "modals": .array(modals),
                ]
                try await client.check("Scenes.Connect", ["scene": .string("s\(scene)"), "window": window])
            }
            for name in ["order", "market", "locale"] {
                try await client.check("Session.Commit", ["set": .object([name: .string(text(70_000))])])
            }
            for number in 0..<40 {
                let call: JSONObject = [
                    "name": "unheardOf", "parameters": ["\(text(99))": .string(text(140_000))],
                    "scene": .string("s\(1 + random.below(8))"), "event": .string("e\(number)"),
                ]
                try await client.check("Events.SendIntent", call)
                let link: JSONObject = ["url": "qcommerce://cart", "scene": .string("s\(1 + random.below(8))")]
                try await client.check("Events.OpenURL", link)
            }
            for number in 0..<40 { try await client.check("Events.Get", ["event": .string("e\(number)")]) }
            for scene in 1...8 { try await client.check("Scenes.Get", ["scene": .string("s\(scene)")]) }
            for method in ["Session.Get", "Manager.GetStatus", "Manager.GetMetrics", "Adapters.List"] {
                try await client.check(method, [:])
            }
            try await client.check("Routing.Explain", ["url": "https://shop.example/cart"])
            for method in ["Scenes.List", "Routing.Routes", "Records.Read", "Recording.Read"] {
                var next = 0
                while true {
                    let reply = try await client.check(method, ["after": .integer(next)])
                    guard let last = reply["next"]?.integerValue, last > next else { break }
                    next = last
                }
            }
        }
    }

    private func withService(_ body: (SceneHost, SocketClient) async throws -> Void) async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.policies.maximumScenes = 10_000
        let host = try SceneHost(id: "test", manifest: manifest)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try VarlinkServer(host, group: group) { options in
            options.checksReplies = true
            // No answer depends on the length of the queue.
            options.limits.outputQueue = 64 << 10
        }
        let (client, descriptor) = try SocketClient.pair()
        try await server.adopt(descriptor: descriptor)
        do {
            try await body(host, client)
        } catch {
            Issue.record("\(error)")
        }
        await server.shutDown(within: .zero)
        await host.drain()
        try await group.shutdownGracefully()
    }
}

extension SocketClient {
    /// Expects an answer that is not too long, even if it refuses the call, and returns its parameters.
    @discardableResult
    func check(
        _ method: String,
        _ parameters: JSONObject,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONObject {
        // What is longer is no call.
        guard parameters.size < 1_000_000 else { return [:] }
        let reply = try await ask(method, parameters)
        #expect(reply.size < 4 << 20, "\(method)", sourceLocation: sourceLocation)
        return reply
    }

    /// The parameters of the reply, or of the error.
    func ask(_ method: String, _ parameters: JSONObject) async throws -> JSONObject {
        try await send(
            JSONValue.object(["method": .string("io.scened.\(method)"), "parameters": .object(parameters)]).text()
        )
        return try await receive()["parameters"]?.objectValue ?? [:]
    }
}

extension JSONObject {
    /// How many bytes it has as JSON.
    var size: Int { JSONValue.object(self).text().utf8.count }
}
