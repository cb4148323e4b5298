import Foundation
import SceneClient
import Basics
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("Scripts, recorded and played", .eitherDaemon, .timeLimit(.minutes(15)))
struct ScriptTests {
    private static func scenectl(_ arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments, input: input)
    }

    /// What has to be equal after playing: every window, the user, and each event's outcome.
    private struct Picture: Equatable {
        var windows: [JSONValue] = []
        var session: JSONValue?
        var ends: [String: String] = [:]
    }

    private static func picture(_ daemon: LiveDaemon) async throws -> Picture {
        let client = try await daemon.connect()
        _ = try await client.call("io.scened.Control.Quiesce", ["timeoutMilliseconds": 120_000])
        var picture = Picture()
        for scene in try await client.call("io.scened.Scenes.List")["scenes"]?.arrayValue ?? [] {
            let told = ["id", "configuration", "activation", "connected", "admitted", "window", "coordinators"]
            picture.windows.append(.object(JSONObject(told.compactMap { key in scene[key].map { (key, $0) } })))
        }
        let session = try await client.call("io.scened.Session.Get")["session"]
        picture.session = .object(["user": session?["user"] ?? .null, "facts": session?["facts"] ?? .null])
        for record in try await daemon.records() {
            guard let scene = (record["scene"] ?? record["receiver"])?.stringValue,
                let ticket = record["ticket"]?.integerValue
            else { continue }
            let end: String? =
                switch record["kind"]?.stringValue {
                case "dispatch.ended": "\(record["outcome"]?.text() ?? "") \(record["reason"]?.text() ?? "")"
                case "gate.superseded", "gate.abandoned": record["kind"]?.stringValue
                default: nil
                }
            if let end { picture.ends["\(scene) \(ticket)"] = end }
        }
        return picture
    }

    // MARK: - Sessions to record

    /// Several windows and connections; gates, a sweep, a cold start, refused and repeated events.
    private static func story(_ daemon: LiveDaemon) async throws {
        let one = try await daemon.client()
        let two = try await daemon.client()
        // An event is done a little after its call is answered. Whether that is before the next call is chance, and so is what comes of the next
        // where it is not waited for again.
        func rest() async throws { try await one.quiesce(timeout: .seconds(120)) }
        _ = try await one.connect(scene: "A")
        try await rest()
        _ = try await two.connect(scene: "B", configuration: "detail")
        try await rest()
        _ = try await one.openURL("https://shop.example/cart", .init(scene: "A", event: "cart"))
        try await rest()
        _ = try await two.push(payload: [
            "aps": ["alert": "x", "target-content-id": "product/p5"], "url": "qcommerce://product/p5",
        ])
        try await rest()
        _ = try? await two.openURL("qcommerce://nowhere", .init(scene: "B"))
        try await rest()
        _ = try await one.openURL("https://shop.example/cart", .init(scene: "A", event: "cart"))
        try await rest()
        _ = try await two.signIn(user: "anna", facts: ["cart": ["p1"]], scene: "B")
        try await rest()
        _ = try await one.openURL("https://shop.example/cart", .init(scene: "A", event: "cart", wait: .finished))
        try await rest()
        _ = try await one.openURL("qcommerce://checkout", .init(scene: "A"))
        try await rest()
        _ = try await two.commit(set: ["paymentMethod": "visa"])
        try await rest()
        _ = try await one.push(
            payload: ["aps": ["alert": "x"], "url": "https://shop.example/nowhere"],
            .init(scene: "A")
        )
        try await rest()
        _ = try await one.call("io.scened.Scenes.Disconnect", ["scene": "A"])
        try await rest()
        _ = try await two.continueActivity(type: "com.example.shop.view", announced: true, .init(scene: "A"))
        try await rest()
        _ = try await two.continueActivity(
            type: "com.example.shop.view",
            userInfo: ["destination": "order", "parameters": ["id": "o7"]],
            handoff: true,
            .init(scene: "A")
        )
        try await rest()
        _ = try await two.signOut()
        try await rest()
        _ = try await one.openURL("qcommerce://cart", .init(scene: "A"))
        try await rest()
        _ = try await one.openURL("qcommerce://order/o1", .init(scene: "A"))
        try await rest()
        _ = try await two.tapWidget(kind: "deals", url: "qcommerce://category/tea")
        try await rest()
    }

    @Test(
        "a recording ends with the same windows and outcomes when it is played, with its intervals or without",
        arguments: [[], ["--restful"], ["--speed", "4", "--reset"]]
    )
    func playsAgain(options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/bug.jsonl"
        var recorded = Picture()
        try await LiveDaemon.run { daemon in
            try await Self.story(daemon)
            recorded = try await Self.picture(daemon)
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
        }
        #expect(recorded.ends.count == 9 && recorded.windows.count == 2)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        // Nine events of twelve, because one was refused and two were repeated; then two windows and the session.
        #expect(lines.count == 9 + 6 + 3)
        try await LiveDaemon.run { daemon in
            if options.contains("--reset") { try await Self.story(daemon) }
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.hasSuffix("18 steps as expected\n"))
            #expect(try await Self.picture(daemon) == recorded)
        }
    }

    @Test("writes windows in one line, reads what a person leaves out of it, and says in one line what differs")
    func writesWindows() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/cart.jsonl"
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A"))
            let recorded = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(recorded.status == .exited(0), "\(recorded)")
        }
        let whole = "*home: home › cart › sheet auth[login] | orders: orders | account: account"
        let script = try String(contentsOfFile: file, encoding: .utf8)
        // What is gated is not yet shown.
        let shown = whole.replacing("home › cart ›", with: "home ›")
        #expect(script.contains(#""window":"\#(shown)""#), "\(script)")
        /// A window that is expected, and what `play` says of it.
        let expectations: [(window: String, says: String?)] = [
            (shown, nil), ("home › auth[login]", nil), ("home > sheet auth[login]", nil),
            ("home › cart", "expected home › cart, found home › auth[login]"),
            ("home › alert auth[login]", "expected home › alert auth[login], found \(shown)"),
        ]
        for (window, says) in expectations {
            try await LiveDaemon.run { daemon in
                let played = try await Self.scenectl(
                    ["play", "-", "--socket", daemon.socket],
                    input: script.replacing(shown, with: window)
                )
                #expect(played.status == .exited(says == nil ? 0 : 1), "\(played)")
                if let says {
                    #expect(played.output.contains("step 3, Scenes.Get: scene.window: \(says)"), "\(played.output)")
                }
            }
        }
    }

    @Test("keeps what intents are answered, which `why` shows, too")
    func keepsAnswers() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/answers.jsonl"
        let answer = #"{"keys":["7"],"member":true}"#
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "mina")
            _ = try await client.commit(set: ["keys": ["7"], "member": true])
            let asked = try await Self.scenectl([
                "intent", "--scene", "A", "keysWanted", "--event", "ask", "--socket", daemon.socket,
            ])
            #expect(asked.output.contains(answer), "\(asked)")
            let why = try await Self.scenectl(["why", "ask", "--socket", daemon.socket])
            #expect(why.output.contains(", answered \(answer)"), "\(why.output)")
            let recorded = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(recorded.status == .exited(0), "\(recorded)")
        }
        let script = try String(contentsOfFile: file, encoding: .utf8)
        #expect(script.contains("\"answer\":\(answer)"), "\(script)")
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let played = try await Self.scenectl(["play", file, "--socket", daemon.socket])
            #expect(played.status == .exited(0), "\(played)")
        }
        try script.replacing("\"answer\":\(answer)", with: #""answer":{"keys":["7"],"member":false}"#)
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let played = try await Self.scenectl(["play", file, "--socket", daemon.socket])
            #expect(played.status == .exited(1) && played.output.contains("member"), "\(played)")
        }
    }

    @Test("on a virtual clock it ends the same too, with transitions that take time")
    func playsInVirtualTime() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/bug.jsonl"
        let virtual = ["--clock", "virtual", "--transition", "300"]
        var recorded = Picture()
        try await LiveDaemon.run(virtual) { daemon in
            let client = try await daemon.client()
            func pass(_ milliseconds: Int) async throws {
                _ = try await client.call("io.scened.Control.Advance", ["milliseconds": .integer(milliseconds)])
            }
            let now = SceneClient.Delivery(scene: "A", wait: .admitted)
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://product/p1", now)
            try await pass(100)
            // During a transition, so it has to wait for its turn.
            _ = try await client.openURL("qcommerce://checkout", now)
            try await pass(50)
            _ = try await client.signIn(user: "anna", facts: ["cart": ["p1"]], expiresIn: .milliseconds(60_000))
            async let disconnected = daemon.client().call("io.scened.Scenes.Disconnect", ["scene": "A"])
            try await pass(10_000)
            _ = try await disconnected
            _ = try await client.openURL("qcommerce://orders", now)
            try await pass(60_000)
            _ = try await client.openURL("qcommerce://cart", now)
            try await pass(5_000)
            recorded = try await Self.picture(daemon)
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
        }
        #expect(recorded.ends.count == 4)
        try await LiveDaemon.run(virtual) { daemon in
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            #expect(try await Self.picture(daemon) == recorded)
        }
    }

    @Test("two hundred random calls of four connections end the same when played")
    func playsRandomSession() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/random.jsonl"
        var recorded = Picture()
        try await LiveDaemon.run { daemon in
            var random = SplitMix(seed: 1)
            var clients: [VarlinkClient] = []
            for _ in 0..<4 { clients.append(try await daemon.connect()) }
            let scenes = ["A", "B", "C"]
            for scene in scenes { _ = try await clients[0].call("io.scened.Scenes.Connect", ["scene": .string(scene)]) }
            let links = ["cart", "checkout", "product/p1", "orders", "order/o1", "account/settings/profile", "nowhere"]
            for number in 0..<200 {
                let client = clients[Int(random.next() % 4)]
                let scene = JSONValue.string(scenes[Int(random.next() % 3)])
                let link = JSONValue.string("qcommerce://\(links[Int(random.next() % 7)])")
                let (method, parameters): (String, JSONObject) =
                    switch random.next() % 12 {
                    case 0: ("Session.SignIn", ["user": .string(["anna", "ben"][Int(random.next() % 2)])])
                    case 1: ("Session.SignOut", [:])
                    case 2: ("Session.Commit", ["set": ["cart": [.string("p\(number)")], "paymentMethod": "visa"]])
                    case 3: ("Session.Commit", ["remove": ["cart"]])
                    case 4: ("Scenes.Disconnect", ["scene": scene])
                    case 5: ("Events.Push", ["payload": ["aps": ["alert": "x"], "url": link], "scene": scene])
                    // The window is named: after a sign-in that resumes several events, the most recently active one is chance.
                    case 6: ("Events.TapWidget", ["kind": "k", "url": link, "scene": scene])
                    case 7: ("Events.OpenURL", ["url": link, "scene": scene, "event": .string("e\(number / 20)")])
                    default: ("Events.OpenURL", ["url": link, "scene": scene])
                    }
                // Some are refused on purpose.
                _ = try? await client.call("io.scened.\(method)", parameters)
                _ = try await clients[0].call("io.scened.Control.Quiesce")
            }
            recorded = try await Self.picture(daemon)
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
        }
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(["play", file, "--restful", "--socket", daemon.socket])
            #expect(outcome.status == .exited(0), "\(outcome.output.suffix(2_000))")
            #expect(try await Self.picture(daemon) == recorded)
        }
    }

    // MARK: - Holds

    /// Waits until nothing goes on but what is held.
    private static func settle(_ client: SceneClient) async throws {
        if try await ScriptTests.isVirtual(client) {
            return _ = try await client.advance(by: .zero)
        }
        for scene in try await client.scenes() {
            try await until("window \(scene.id) is quiet or held") {
                let resting = try await client.call("io.scened.Manager.GetStatus")["resting"]?.arrayValue ?? []
                if resting.contains(where: { $0["scene"] == .string(scene.id) && $0["hold"] != nil }) { return true }
                do throws(SceneClientError) {
                    try await client.quiesce(scene: scene.id, timeout: .milliseconds(20))
                    return true
                } catch {
                    guard error.refusal == .timedOut else { throw error }
                    return false
                }
            }
        }
    }

    private static func isVirtual(_ client: SceneClient) async throws -> Bool {
        try await client.call("io.scened.Manager.GetStatus")["clock"]?["virtual"] == true
    }

    @Test(
        "a random session under holds ends the same when it is played, whatever the clock",
        arguments: [([], []), ([], ["--restful"]), (["--clock", "virtual", "--transition", "300"], [])]
            as [([String], [String])]
    )
    func playsHeldSession(settings: [String], options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/held.jsonl"
        var recorded = Picture()
        try await LiveDaemon.run(settings) { daemon in
            let client = try await daemon.client()
            var random = SplitMix(seed: 3)
            var holds = RandomHolds(seed: 4, limit: 3)
            let scenes = ["A", "B", "C"]
            for scene in scenes { _ = try await client.connect(scene: scene) }
            let links = ["cart", "checkout", "product/p1", "orders", "order/o1", "account/settings/profile"]
            for _ in 0..<90 {
                let scene = scenes[Int(random.next() % 3)]
                let link = "qcommerce://\(links[Int(random.next() % 6)])"
                try await holds.change(on: client, scenes)
                try await Self.settle(client)
                switch random.next() % 8 {
                case 0: _ = try await client.signIn(user: ["anna", "ben"][Int(random.next() % 2)])
                case 1: _ = try await client.signOut()
                default: _ = try await client.openURL(link, .init(scene: scene, wait: .admitted))
                }
                try await Self.settle(client)
                if try await Self.isVirtual(client), random.next() % 2 == 0 {
                    try await client.advance(by: .milliseconds(200))
                }
            }
            try await holds.change(on: client, scenes, releasesAll: true)
            if try await Self.isVirtual(client) { try await client.advance(by: .milliseconds(60_000)) }
            recorded = try await Self.picture(daemon)
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.components(separatedBy: "Control.Await").count > 10, "too little was held: \(text)")
        try await LiveDaemon.run(settings) { daemon in
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            #expect(outcome.status == .exited(0), "\(outcome.output.suffix(2_000))\(outcome.errors)")
            #expect(try await Self.picture(daemon) == recorded)
        }
    }

    @Test("a call in the middle of what a sign-in has resumed is played there", arguments: [[], ["--restful"]])
    func playsInResume(options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/resumed.jsonl"
        let settings = ["--clock", "virtual", "--transition", "300"]
        var recorded = Picture()
        try await LiveDaemon.run(settings) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://checkout", .init(scene: "A", wait: .admitted))
            try await client.advance(by: .seconds(1))
            _ = try await client.signIn(user: "anna")
            try await client.advance(by: .milliseconds(100))
            _ = try await client.openURL("qcommerce://orders", .init(scene: "A", wait: .admitted))
            try await client.advance(by: .seconds(5))
            recorded = try await Self.picture(daemon)
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
        }
        let steps = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(steps[3].contains(#""call":"Events.OpenURL","settled":true"#), "\(steps[3])")
        try await LiveDaemon.run(settings) { daemon in
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            #expect(try await Self.picture(daemon) == recorded)
        }
    }

    @Test(
        "what waits behind a hold, what stands at the end and what a connection took with it are played so",
        arguments: [[], ["--restful"]]
    )
    func playsWaiting(options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/held.jsonl"
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let other = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.connect(scene: "B")
            // A call that waits its turn in a window in which something is held.
            let gone = try await other.call("io.scened.Control.Hold", ["point": "planned", "scene": "A"])["hold"]
            _ = try await client.openURL("qcommerce://orders", .init(scene: "A", event: "first", wait: .admitted))
            _ = try await client.call(
                "io.scened.Control.Await",
                ["hold": gone ?? .null, "timeoutMilliseconds": 60_000]
            )
            let waiting = try await daemon.client()
            async let disconnected = waiting.call("io.scened.Scenes.Disconnect", ["scene": "A"])
            try await until("it waits") {
                let inputs = try await client.call("io.scened.Recording.Read")["inputs"]?.arrayValue ?? []
                return inputs.last?["method"] == "io.scened.Scenes.Disconnect"
            }
            _ = try await client.signIn(user: "anna")
            await other.close()
            _ = try await disconnected
            // What stands at the end, with its event.
            _ = try await client.call("io.scened.Control.Hold", ["point": "settled", "scene": "B", "hold": "last"])
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "B", event: "second", wait: .admitted))
            _ = try await client.call("io.scened.Control.Await", ["hold": "last", "timeoutMilliseconds": 60_000])
            let outcome = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
        }
        let steps = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            try JSONValue(parsing: String($0))
        }
        #expect(
            steps.compactMap { $0["call"]?.stringValue } == [
                "Scenes.Connect", "Scenes.Connect", "Control.Hold", "Events.OpenURL", "Control.Await",
                "Scenes.Disconnect",
                "Session.SignIn", "Control.Release", "Control.Hold", "Events.OpenURL", "Control.Await", "Scenes.Get",
                "Scenes.Get", "Session.Get",
            ]
        )
        let window = try #require(steps[12]["expect"]?["scene"]?["window"]?.stringValue)
        #expect(window.contains("product(id: p1)"), "it is held when it is shown")
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            // Its holds end with it.
            try await daemon.client().quiesce(timeout: .seconds(60))
        }
        // What came otherwise is said, and nothing waits for ever.
        let falsified = try String(contentsOfFile: file, encoding: .utf8)
            .replacing(#""ticket":1,"point":"planned""#, with: #""ticket":2,"point":"planned""#)
        try falsified.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            #expect(outcome.status == .exited(1))
            #expect(
                outcome.output.contains("✗ step 5, Control.Await: ticket: expected 2, found 1"),
                "\(outcome.output)"
            )
        }
    }

    @Test("a script by hand that waits for what nothing causes goes on after ten seconds, and says so")
    func waitsNotForEver() async throws {
        try await LiveDaemon.run { daemon in
            let script = """
                {"call":"Scenes.Connect","parameters":{"scene":"A"}}
                {"call":"Control.Hold","parameters":{"point":"planned","hold":"mine"}}
                {"call":"Control.Await","parameters":{"hold":"mine"}}
                """
            let outcome = try await Self.scenectl(["play", "-", "--socket", daemon.socket], input: script)
            #expect(outcome.status == .exited(1))
            #expect(outcome.output.contains("✗ step 3, Control.Await: Timed out."), "\(outcome.output)")
        }
    }

    // MARK: - Scripts written by hand

    @Test("a script written by hand shows what differs")
    func findsDifferences() async throws {
        let script = """
            - { call: Scenes.Connect, parameters: { scene: A } }
            - { at: 5, call: io.scened.Events.OpenURL, parameters: { url: "qcommerce://cart", scene: A, wait: finished },
                expect: { receipt: { outcome: applied, scene: A } } }
            - { at: 10, call: Events.OpenURL, parameters: { url: "qcommerce://nowhere" }, expect: { error: UnknownRoute } }
            - { call: Events.OpenURL, parameters: { url: "qcommerce://nowhere" }, expect: { error: Malformed } }
            - { call: Events.OpenURL, parameters: { url: "qcommerce://nowhere" } }
            - { at: 20, call: Session.SignIn, parameters: { user: anna }, quiet: true, expect: { session: { revision: 1 } } }
            - { at: 30, call: Session.Get, quiet: true, expect: { session: { user: ben, epoch: null } } }
            """
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(["play", "-", "--socket", daemon.socket], input: script)
            #expect(outcome.status == .exited(1))
            let found = outcome.output.split(separator: "\n").filter { $0.hasPrefix("✗") }
            #expect(
                found == [
                    #"✗ step 4, Events.OpenURL: error: expected "Malformed", found "UnknownRoute""#,
                    "✗ step 5, Events.OpenURL: No route of the app takes qcommerce://nowhere. 'scenectl routes' lists the app's routes.",
                    #"✗ step 7, Session.Get: session.user: expected "ben", found "anna""#,
                    "✗ step 7, Session.Get: session.epoch: expected null, found 0",
                ]
            )
        }
    }

    /// An app in which a link leads somewhere only on one day.
    private static let sale = """
        name: Sale
        schemes: [sale]
        tabs: { home: home }
        conditions: { open: { holds: { period: { from: 2026-11-27, until: 2026-11-28 } }, reason: it is not the day } }
        destinations:
          home: { tab: home, routes: ["sale://home"] }
          deals: { ancestry: [home], conditions: [open], routes: ["sale://deals"] }
        """

    @Test(
        "keeps the date at which a virtual clock began; play --reset begins there, and what differs without it is told"
    )
    func dates() async throws {
        let directory = try TemporaryDirectory()
        let (app, file) = ("\(directory.path)/sale.yaml", "\(directory.path)/sale.jsonl")
        try Self.sale.write(toFile: app, atomically: true, encoding: .utf8)
        let virtual = ["--app", app, "--clock", "virtual"]
        try await LiveDaemon.run(virtual + ["--start", "2026-11-26T23:00Z"]) { daemon in
            let client = try await daemon.client()
            // The first call comes later than the clock's beginning.
            try await client.advance(by: .seconds(3_500.25))
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("sale://deals", .init(scene: "A", event: "early"))
            try await client.advance(by: .seconds(200))
            _ = try await client.openURL("sale://deals", .init(scene: "A", event: "open"))
            let recorded = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(recorded.status == .exited(0), "\(recorded)")
        }
        let script = try String(contentsOfFile: file, encoding: .utf8)
        let first =
            /\{"start":"2026-11-26T23:00:00Z","seed":-?\d+,"manifest":"[^"]+","at":3500250,"call":"Scenes.Connect"/
        #expect(script.prefixMatch(of: first) != nil, "\(script)")
        #expect(script.contains(#""outcome":"rejected""#) && script.contains(#""outcome":"applied""#), "\(script)")
        func play(_ arguments: [String], _ options: [String] = []) async throws -> Program.Outcome {
            var outcome: Program.Outcome?
            try await LiveDaemon.run(arguments) { daemon in
                outcome = try await Self.scenectl(["play", file, "--socket", daemon.socket] + options)
            }
            return try #require(outcome)
        }
        // A clock that began at the same date, or is made to.
        for (arguments, options) in [
            (virtual + ["--start", "2026-11-26T23:00Z"], []), (virtual, ["--reset"]),
            (virtual + ["--start", "2001-01-01"], ["--reset"]),
        ] {
            let played = try await play(arguments, options)
            #expect(played.status == .exited(0) && played.errors == "", "\(played)")
        }
        let other = try await play(virtual + ["--start", "2001-01-01"])
        #expect(
            other.status == .exited(1) && other.output.contains("outcome: expected \"applied\", found \"rejected\"")
        )
        #expect(
            other.errors.contains(
                "The script's clock began at 2026-11-26T23:00:00Z, and this daemon's at 2001-01-01T00:00:00Z"
            )
        )
        #expect(other.errors.contains("--reset"))
        let real = try await play(["--app", app], ["--restful", "--reset"])
        #expect(real.errors.contains("this daemon's clock is the real one") || real.status == .exited(0), "\(real)")
    }

    @Test("of a real clock keeps no date, and a date is one of the first step only")
    func noDates() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            let recorded = try await Self.scenectl(["record", "--socket", daemon.socket])
            let first = /\{"seed":-?\d+,"manifest":"[^"]+","at":0,"call":"Scenes.Connect"/
            #expect(recorded.output.prefixMatch(of: first) != nil, "\(recorded.output)")
        }
    }

    // MARK: - Another manifest

    @Test("a recording keeps the manifest's digest; it says what was reloaded, and play that a daemon runs another")
    func otherManifest() async throws {
        let directory = try TemporaryDirectory()
        let (app, file) = ("\(directory.path)/sale.yaml", "\(directory.path)/sale.jsonl")
        func write(_ days: String = "from: 2026-11-27, until: 2026-11-28") throws {
            try Self.sale.replacing("from: 2026-11-27, until: 2026-11-28", with: days)
                .write(toFile: app, atomically: true, encoding: .utf8)
        }
        let clock = ["--app", app, "--clock", "virtual", "--start", "2026-11-27T08:00Z"]
        try write()
        try await LiveDaemon.run(clock) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("sale://deals", .init(scene: "A", event: "open"))
            let recorded = try await Self.scenectl(["record", file, "--socket", daemon.socket])
            #expect(recorded.status == .exited(0) && recorded.errors == "", "\(recorded)")
            let played = try await Self.scenectl(["play", file, "--reset", "--socket", daemon.socket])
            #expect(played.status == .exited(0) && played.errors == "", "\(played)")

            try write("from: 2026-11-28, until: 2026-11-29")
            _ = try await client.call("io.scened.Manager.Reload")
            let reloaded = try await Self.scenectl(["record", "--socket", daemon.socket])
            #expect(reloaded.errors.contains("the app's manifest was reloaded 1 time,"), "\(reloaded.errors)")
            let other = try await Self.scenectl(["play", file, "--reset", "--socket", daemon.socket])
            #expect(other.status == .exited(1) && other.output.contains("found \"rejected\""), "\(other)")
            #expect(other.errors.contains("and this daemon runs"), "\(other.errors)")

            try Self.sale.replacing("deals", with: "offers").write(toFile: app, atomically: true, encoding: .utf8)
            _ = try await client.call("io.scened.Manager.Reload")
            let renamed = try await Self.scenectl(["play", file, "--reset", "--socket", daemon.socket])
            #expect(renamed.status == .exited(1), "what another manifest has made possible is not refused: \(renamed)")
            #expect(renamed.errors.contains("and this daemon runs"), "\(renamed.errors)")
            // One that no manifest was in force for as a whole.
            let both = "\(directory.path)/both.jsonl"
            try reloaded.output.write(toFile: both, atomically: true, encoding: .utf8)
            #expect(reloaded.output.contains(/"manifest":"[0-9a-f]{16}, [0-9a-f]{16}"/), "\(reloaded.output)")
            let split = try await Self.scenectl(["play", both, "--reset", "--socket", daemon.socket])
            #expect(split.status == .exited(1) && split.errors.contains("and this daemon runs"), "\(split)")
        }
    }

    // MARK: - What is random

    @Test("comes again with --reset: by --seed, else by the recording's seed, else by that of the daemon")
    func seeds() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/sets.yaml"
        let urls = (1...6).map { "\"qcommerce://product/p\($0)\"" }.joined(separator: ", ")
        let sets = (1...4).map {
            "- { call: Events.OpenURLs, parameters: { urls: [\(urls)], scene: A, event: s\($0) } }\n"
        }
        func write(_ seed: String) throws {
            try "- { \(seed)call: Scenes.Connect, parameters: { scene: A } }\n\(sets.joined())"
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            var hosts: Set<String> = []
            func play(_ options: [String] = []) async throws -> [String] {
                let played = try await Self.scenectl(["play", "--reset", file, "--socket", daemon.socket] + options)
                #expect(played.status == .exited(0), "\(played)")
                let status = try await client.call("io.scened.Manager.GetStatus")
                let isNew = hosts.insert(status["host"]?.stringValue ?? "").inserted
                #expect(isNew, "a host's ID is given once")
                // The events of a set have their places as given in their IDs.
                return try await daemon.records().filter { $0["kind"] == "event.admitted" }
                    .compactMap { $0["event"]?.stringValue }
            }
            try write("")
            _ = try await client.reset(seed: 7)
            let own = try await play()
            #expect(try await play() == own && Set(own).count == 24)
            #expect(try await client.call("io.scened.Manager.GetStatus")["seed"] == 7)
            let eight = try await play(["--seed", "8"])
            #expect(eight != own && eight.sorted() == own.sorted())
            #expect(try await play() == eight, "what the daemon has already")
            #expect(try await play(["--seed", "7"]) == own)
            try write("seed: 8, ")
            #expect(try await play() == eight)
            #expect(try await play(["--seed=-1"]) != eight)
            // A recording keeps the seed.
            let recorded = try await Self.scenectl(["record", "--socket", daemon.socket])
            #expect(recorded.output.hasPrefix(#"{"seed":-1,"#), "\(recorded)")
            let alone = try await Self.scenectl(["play", file, "--seed", "7", "--socket", daemon.socket])
            #expect(alone.status == .exited(2) && alone.errors.contains("--seed: expected together with --reset"))
        }
    }

    @Test("of with-daemon is that of a script which it plays after a reset, as the line says that a failed test prints")
    func seedOfOwnDaemon() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/sets.yaml"
        let urls = (1...9).map { "\"qcommerce://product/p\($0)\"" }.joined(separator: ", ")
        try """
        - { call: Scenes.Connect, parameters: { scene: A } }
        - { call: Events.OpenURLs, parameters: { urls: [\(urls)], scene: A, event: set } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        func run(_ seed: Int) async throws -> String {
            let play =
                "\(Command.built("scenectl")) play --reset \(file) >&2 && \(Command.built("scenectl")) records --json"
            let outcome = try await Self.scenectl(["with-daemon", "--seed", "\(seed)", "--", "sh", "-c", play])
            #expect(outcome.status == .exited(0), "\(outcome)")
            return outcome.output.matches(of: /"event":"(set\/\d)"/).map { String($0.1) }.joined(separator: " ")
        }
        let first = try await run(1)
        #expect(try await run(1) == first && first.contains("set/9"))
        #expect(try await run(2) != first)
    }

    // MARK: - Windows

    @Test(
        "a window that no step opens and the daemon does not have is refused before anything is done",
        arguments: [
            (
                #"{ call: Scenes.Get, parameters: { scene: Mian } }"#, "step 2: parameters.scene", "Mian",
                "Did you mean 'Main'?"
            ),
            (
                #"{ call: Events.OpenURL, parameters: { url: "qcommerce://cart" }, expect: { receipt: { scene: main1 } } }"#,
                "step 2: expect.receipt.scene", "main1", "Did you mean 'Main'?"
            ),
            (
                #"{ call: Events.OpenURLs, parameters: { urls: [] }, expect: { receipts: [{ scene: Main }, { scene: Q }] } }"#,
                "step 2: expect.receipts[1].scene", "Q", "It can be Main, other."
            ),
            (
                #"{ call: Events.SendIntent, parameters: { name: n, scene: Main }, expect: { receipt: { windows: [{ scene: othr }] } } }"#,
                "step 2: expect.receipt.windows[0].scene", "othr", "Did you mean 'other'?"
            ),
            (
                #"{ call: Scenes.List, expect: { scenes: [{ id: Main }, { id: Maim }] } }"#,
                "step 2: expect.scenes[1].id", "Maim", "Did you mean 'Main'?"
            ),
            (
                #"{ call: Events.ContinueActivity, parameters: { activityType: t, draggedFrom: ofher } }"#,
                "step 2: parameters.draggedFrom", "ofher", "Did you mean 'other'?"
            ),
        ]
    )
    func misspeltWindows(step: String, place: String, window: String, meant: String) async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "other")
            let script = "- { call: Scenes.Connect, parameters: { scene: Main } }\n- \(step)\n"
            let played = try await Self.scenectl(["play", "-", "--socket", daemon.socket], input: script)
            #expect(played.status == .exited(2), "\(played)")
            let text =
                "standard input, \(place): no step opens a window '\(window)', and the daemon has none of that name. \(meant)"
            #expect(played.errors.contains(text), "\(played.errors)")
            #expect(try await daemon.client().scenes().map(\.id) == ["other"], "nothing was done")
        }
    }

    @Test("a window may be the daemon's own, one that it will make, or one that a step expects to be unknown")
    func otherWindows() async throws {
        let script = """
            - { call: Events.OpenURL, parameters: { url: "qcommerce://cart" }, expect: { receipt: { scene: other } } }
            - { call: Scenes.Get, parameters: { scene: gone }, expect: { error: UnknownScene } }
            - { call: Scenes.Connect, expect: { scene: { id: scene-1 } } }
            """
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "other")
            let played = try await Self.scenectl(["play", "-", "--socket", daemon.socket], input: script)
            #expect(played.status == .exited(0), "\(played)")
            // After a reset there is none.
            let again = try await Self.scenectl(["play", "--reset", "-", "--socket", daemon.socket], input: script)
            #expect(
                again.status == .exited(2) && again.errors.contains("the daemon starts over without any"),
                "\(again)"
            )
        }
    }

    @Test(
        "a wrong script is refused with the place and what was expected",
        arguments: [
            ("", "no steps"), ("[]", "no steps"),
            ("x", "expected steps, one JSON object a line or a list of them in YAML, found string"),
            ("- 5", "step 1: expected an object"),
            ("- { at: 1 }", "step 1: call: expected a method such as Events.Push, found nothing"),
            ("- { call: Push }", "step 1: call: expected a method such as Events.Push, found 'Push'"),
            ("- { call: A.B, at: -1 }", "step 1: at: expected milliseconds from 0 to 1000000000000, found -1"),
            (
                "- { call: A.B, at: 5 }\n- { call: A.B, at: 4 }",
                "step 2: at: expected 5 or more, as the step before has, found 4"
            ),
            ("- { call: A.B, wait: 1 }", "step 1: wait: expected one of at, call, parameters, quiet, settled, expect"),
            ("- { call: A.B, start: soon }", "step 1: start: expected a date in UTC, such as 2026-11-27 or"),
            (
                "- { call: A.B }\n- { call: A.B, start: 2026-11-27 }",
                "step 2: start: expected in the first step only; it is the date at which the clock begins"
            ),
            ("{\"call\": \"A.B\"}\n{", "standard input:2:2:"),
        ]
    )
    func refuses(script: String, says: String) async throws {
        let outcome = try await Self.scenectl(["play", "-", "--socket", "/nonexistent"], input: script)
        #expect(outcome.status == .exited(2))
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
    }

    @Test("what is retained is bounded, and the number of missing calls is reported")
    func isBounded() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let big = String(repeating: "x", count: 900_000)
            for _ in 0..<20 {
                _ = try await client.refusal("io.scened.Session.Commit", ["set": ["paymentMethod": .string(big)]])
            }
            let page = try await client.call("io.scened.Recording.Read", ["after": 0])
            let missing = try #require(page["missing"]?.integerValue)
            #expect(missing == 2, "sixteen megabytes hold 18 of these")
            #expect(page["inputs"]?.arrayValue?.first?["index"] == .integer(missing + 1))
            #expect(page["next"] == .integer(missing + 1), "one per page, however large")
            let rest = try await client.call("io.scened.Recording.Read", ["after": 20])
            #expect(rest["inputs"] == [] && rest["next"] == 20 && rest["missing"] == 0)
        }
    }
}
