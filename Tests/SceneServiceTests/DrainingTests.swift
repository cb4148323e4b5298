import NIOCore
import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// What each method answers while the host stops, through a socket.
@Suite("While the host is draining", .timeLimit(.minutes(15)))
struct DrainingTests {
    enum Answer: Hashable, Sendable {
        /// `Draining`, as the method's interface declares it.
        case refused
        /// Looking is still allowed, and so is finishing what has begun.
        case answered
        /// Another error, because of what draining has done or because the call means nothing here.
        case other(String)
        /// Once everything is finished: the server's own draining ends what still waits.
        case atTheEnd
    }

    private static let link: JSONObject = ["url": "qcommerce://home", "scene": "A"]

    /// One line per method of the interfaces.
    static let methods: [(method: String, parameters: JSONObject, answer: Answer)] = [
        ("Adapters.Register", ["name": "mine", "kinds": ["url"]], .refused),
        ("Adapters.Answer", ["registration": "none", "request": 1, "declined": "x"], .other("UnknownRegistration")),
        ("Adapters.List", [:], .answered), ("Adapters.Try", ["event": ["url": "qcommerce://home"]], .answered),
        ("Control.Hold", ["point": "planned"], .refused), ("Control.Await", ["hold": "h1"], .other("UnknownHold")),
        ("Control.Release", ["hold": "h1"], .other("UnknownHold")), ("Control.Quiesce", [:], .atTheEnd),
        ("Control.Advance", ["milliseconds": 1], .other("RealClock")), ("Control.Reset", [:], .refused),
        ("Manager.GetManifest", [:], .answered), ("Events.OpenURL", link, .refused),
        ("Events.OpenURLs", ["urls": ["qcommerce://cart", "qcommerce://orders"]], .refused),
        (
            "Events.ContinueActivity", ["activityType": "com.example.shop.view", "userInfo": ["destination": "cart"]],
            .refused
        ),
        ("Events.Push", ["payload": ["aps": ["alert": "x"], "url": "qcommerce://home"]], .refused),
        ("Events.TapWidget", ["kind": "deals", "url": "qcommerce://home"], .refused),
        ("Events.PerformShortcut", ["type": "com.example.shop.cart"], .refused),
        ("Events.SendIntent", ["name": "checkoutTapped", "scene": "A"], .refused),
        ("Events.Gesture", ["gesture": "back", "scene": "A"], .refused),
        ("Events.FinishFlow", ["flow": "auth", "result": "cancelled", "scene": "A"], .refused),
        ("Events.Get", ["event": "queued"], .other("UnknownEvent")), ("Manager.GetStatus", [:], .answered),
        ("Manager.GetMetrics", [:], .answered), ("Manager.Reload", [:], .refused), ("Manager.Drain", [:], .atTheEnd),
        ("Recording.Read", [:], .answered), ("Records.Read", [:], .answered), ("Records.Check", [:], .answered),
        ("Routing.Resolve", ["url": "qcommerce://home"], .answered),
        ("Routing.Explain", ["url": "qcommerce://home"], .answered), ("Routing.Routes", [:], .answered),
        ("Routing.Print", ["destination": ["id": "home", "parameters": [:]]], .answered),
        ("Routing.MatchAssociation", ["url": "https://shop.example/"], .answered),
        ("Scenes.Connect", [:], .refused),
        ("Scenes.SetActivation", ["scene": "A", "activation": "foregroundInactive"], .refused),
        ("Scenes.Disconnect", ["scene": "A"], .refused), ("Scenes.Discard", ["scene": "A"], .refused),
        ("Scenes.Get", ["scene": "A"], .answered), ("Scenes.List", [:], .answered), ("Session.Get", [:], .answered),
        ("Session.SignIn", ["user": "anna"], .refused), ("Session.SignOut", [:], .refused),
        ("Session.MarkStale", [:], .refused), ("Session.Commit", ["set": ["market": "de"]], .refused),
    ]

    @Test("every method has its line, and an interface declares Draining exactly if a method of it is refused so")
    func complete() throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        let interfaces = try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: .forTests())
            .map(\.interface)
        let all = interfaces.flatMap { interface in interface.methodNames.map { "\(interface.name).\($0)" } }
        #expect(Set(all) == Set(Self.methods.map { "io.scened.\($0.method)" }))
        let declaring = interfaces.filter { $0.members.contains { $0.name == "Draining" } }.map(\.name)
        let refusing = Self.methods.filter { $0.answer == .refused }.map { line in
            "io.scened.\(line.method.prefix { $0 != "." })"
        }
        #expect(Set(declaring) == Set(refusing))
    }

    @Test(
        "an interface declares StorageFailed exactly if a method of it changes what is kept, or tells what became of an event"
    )
    func storage() throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        let interfaces = try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: .forTests())
            .map(\.interface)
        let declaring = interfaces.filter { $0.members.contains { $0.name == "StorageFailed" } }.map(\.name)
        let changing = Self.methods.map { "io.scened.\($0.method)" }.filter(MethodRoles.changesState)
        #expect(Set(declaring) == Set(changing.map { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) }))
        // What a stopping host refuses changes something, but for what is not kept.
        let refused = Self.methods.filter { $0.answer == .refused }.map { "io.scened.\($0.method)" }
        let notKept: Set = ["io.scened.Adapters.Register", "io.scened.Control.Hold"]
        #expect(Set(refused).subtracting(notKept) == Set(changing).subtracting(["io.scened.Control.Advance"]))
    }

    @Test("each method is refused, answered, or answered when everything is finished")
    func answers() async throws {
        // The one scene's executor stands still, so draining lasts until this test lets it go on.
        let gate = GatedExecutor()
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: SerialJobQueue(), scene: { _ in gate })
        )
        try host.connect(scene: "A")
        let queued = try host.admit(
            Submission(try .url("https://shop.example/product/p1"), scene: "A", eventID: "queued")
        )
        let server = try VarlinkServer(host)
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        try await server.listen(path: path)
        async let drained: Void = host.drain(within: .seconds(86_400))
        let client = try await VarlinkClient.connect(path: path)
        // Draining begins in another task: from the first refusal on it has.
        while try await Self.outcome(of: "Session.SignOut", [:], client) != .refused {}
        let scenes = try await client.call("io.scened.Scenes.List")
        let session = try await client.call("io.scened.Session.Get")

        for line in Self.methods where line.answer != .atTheEnd {
            #expect(try await Self.outcome(of: line.method, line.parameters, client) == line.answer, "\(line.method)")
        }
        #expect(try await client.call("io.scened.Scenes.List") == scenes, "refused, so nothing was done")
        #expect(try await client.call("io.scened.Session.Get") == session)
        // Written in one piece, so that the second has begun when the first is answered.
        var waiting: [RawConnection] = []
        for line in Self.methods where line.answer == .atTheEnd {
            let raw = try RawConnection(path: path)
            try await raw.write(#"{"method":"io.scened.Session.Get"}␀{"method":"io.scened.\#(line.method)"}␀"#)
            _ = try await raw.read(messages: 1)
            waiting.append(raw)
        }
        gate.open()
        await drained
        #expect(await host.receipt(of: queued).outcome == .applied, "what was admitted is finished")
        await server.shutDown(within: .seconds(20))
        for raw in waiting {
            let answer = try await raw.readToEnd()
            #expect(answer == #"{"parameters":{}}␀"#)
        }
    }

    /// The result of a call.
    private static func outcome(
        of method: String,
        _ parameters: JSONObject,
        _ client: VarlinkClient
    ) async throws -> Answer {
        let interface = "io.scened.\(method.prefix { $0 != "." })"
        do {
            if method == "Adapters.Register" {
                for try await _ in client.callMore("io.scened.\(method)", parameters) { break }
            } else {
                _ = try await client.call("io.scened.\(method)", parameters)
            }
            return .answered
        } catch let error as VarlinkError {
            guard error != VarlinkError("\(interface).Draining") else { return .refused }
            return .other(String(error.name.dropFirst(interface.count + 1)))
        }
    }
}
