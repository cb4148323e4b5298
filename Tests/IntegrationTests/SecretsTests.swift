import Basics
import Foundation
import SceneClient
import SceneRouting
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

/// Values that are found again wherever they come out: each has a core that nothing encodes.
private struct Markers {
    private var generator: SplitMix
    /// The cores, in lower case, by the place that the value went to.
    private(set) var cores: [(place: String, core: String)] = []

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    private mutating func word(_ letters: String, _ count: Int) -> String {
        let letters = Array(letters)
        return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
    }

    /// Letters only.
    mutating func letters(_ place: String) -> String {
        let core = "Qz" + word("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 14)
        cores.append((place, core.lowercased()))
        return core
    }

    /// All ASCII punctuation, escapes and what only looks like one, and marks, composed or not.
    private static let pieces =
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ 019".map(String.init)
        + ["%41", "%25", "%zz", "%2", "é", "e\u{301}", "\u{338}", "한", "\u{1112}\u{1161}\u{11AB}", "\u{1F511}"]

    private mutating func decoration() -> String {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
        }
        .joined()
    }

    /// Among what URLs, JSON, shells and Unicode treat specially.
    mutating func text(_ place: String) -> String { decoration() + letters(place) + decoration() }

    /// With what no pattern of the app takes.
    mutating func refused(_ place: String) -> String { letters(place) + "-9!" }

    mutating func uuid(_ place: String) -> String {
        let core = word("0123456789ABCDEF", 12)
        cores.append((place, core.lowercased()))
        return "8F14E45F-CEEA-467F-A0E6-\(core)"
    }

    /// The places whose values stand in a text.
    func found(in text: String) -> [String] {
        let text = text.lowercased()
        return cores.filter { text.contains($0.core) }.map(\.place)
    }
}

@Suite("Secrets of an app", .timeLimit(.minutes(15)))
struct SecretsTests {
    private static let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps/secrets.yaml").path

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func scenectl(_ arguments: [String], _ daemon: LiveDaemon? = nil) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments + (daemon.map { ["--socket", $0.socket] } ?? []))
    }

    /// What the daemon said in replies, also to the one who sent a secret.
    private final class Replies: Sendable {
        let texts = Guarded<[String]>([])
        /// What was called, with which parameters.
        let calls = Guarded<[String: Set<String>]>([:])

        func note(_ method: String, _ parameters: JSONObject) {
            calls.withLock { $0["io.scened.\(method)", default: []].formUnion(parameters.map { $0.key }) }
        }

        func call(_ client: VarlinkClient, _ method: String, _ parameters: JSONObject) async throws {
            note(method, parameters)
            let text: String
            do {
                text = JSONValue.object(try await client.call("io.scened.\(method)", parameters)).text()
            } catch let error as VarlinkError {
                text = "\(error)"
            }
            texts.withLock { $0.append(text) }
        }
    }

    /// Puts a value into every secret place by every door; some are refused.
    private static func story(_ daemon: LiveDaemon, _ markers: inout Markers, _ replies: Replies) async throws {
        let client = try await daemon.connect()
        func call(_ method: String, _ parameters: JSONObject) async throws {
            try await replies.call(client, method, parameters)
        }
        func event(_ method: String, _ parameters: JSONObject, wait: String = "settled") async throws {
            var parameters = parameters
            if parameters["scene"] == nil { parameters["scene"] = "A" }
            parameters["wait"] = .string(wait)
            try await call("Events.\(method)", parameters)
        }
        func intent(_ name: String, _ parameters: JSONObject) async throws {
            try await event("SendIntent", ["name": .string(name), "parameters": .object(parameters)])
        }
        try await call("Scenes.Connect", ["scene": "A"])
        try await call("Scenes.Connect", ["scene": "B"])
        // Links, by both schemes, in path, query and fragment, allowed and refused, alone and as a set.
        try await event("OpenURL", ["url": .string("safe://reset/\(markers.letters("path"))")])
        try await event("OpenURL", ["url": .string("https://safe.example/reset/\(markers.letters("universal link"))")])
        try await event("OpenURL", ["url": .string("safe://reset/\(encoded(markers.refused("refused path")))")])
        let query = encoded(markers.text("query"))
        try await event("OpenURL", ["url": .string("safe://invite?words=\(query)&device=\(markers.uuid("UUID"))")])
        let badDevice = markers.letters("refused UUID")
        try await event("OpenURL", ["url": .string("safe://invite?words=x&device=\(badDevice)")])
        try await event("OpenURL", ["url": .string("safe://invited#\(encoded(markers.text("fragment")))")])
        try await event(
            "OpenURLs",
            [
                "urls": [
                    .string("safe://reset/\(markers.letters("first of a set"))"),
                    .string("safe://drawer/\(encoded(markers.text("second of a set")))"),
                ]
            ]
        )
        let drawer = markers.text("gate")
        try await event("OpenURL", ["url": .string("safe://drawer/\(encoded(drawer))"), "event": "waits"])
        // Sign-ins by a client and by a flow, with facts.
        try await call("Session.SignIn", ["user": "ada", "facts": ["pin": .string(markers.text("fact of a sign-in"))]])
        try await call(
            "Session.SignIn",
            ["user": "ada", "facts": ["pin": [.string(markers.text("fact of another type"))]]]
        )
        try await call("Session.Commit", ["set": ["opened": [.string(markers.text("list")), .string("b")]]])
        try await call("Session.Commit", ["set": ["pinn": .string(markers.text("misspelt fact"))]])
        try await intent("turned", ["code": .string(drawer)])
        try await intent("turned", ["kode": .string(markers.text("misspelt parameter"))])
        try await intent("turnd", ["code": .string(markers.text("misspelt intent"))])
        try await event(
            "OpenURL",
            [
                "url": .string(
                    "safe://slip/\(encoded(drawer))?tag=\(encoded(markers.text("list item")))&tag=\(markers.letters("other item"))"
                )
            ]
        )
        try await intent("codeTapped", ["code": .string(markers.text("intent"))])
        try await intent("apart", ["token": .string(markers.letters("new window"))])
        try await intent("apart", ["token": .string(markers.refused("refused intent"))])
        try await intent("kept", ["code": .string(drawer)])
        try await intent("closed", ["code": .string(drawer)])
        // Flows that start flows, their screens, and results that a client reports.
        try await call("Session.Commit", ["set": [:], "remove": ["pin"]])
        try await event("OpenURL", ["url": "safe://account", "scene": "B"])
        try await event("SendIntent", ["name": "asked", "scene": "B"])
        let typed = markers.letters("screen of a flow")
        for name in ["typed", "repeated"] {
            try await event(
                "SendIntent",
                ["name": .string(name), "scene": "B", "parameters": ["entered": .string(typed)]]
            )
        }
        try await event(
            "FinishFlow",
            [
                "flow": "keypad", "result": "completed", "scene": "B",
                "values": ["entered": .string(markers.refused("refused result"))],
            ]
        )
        try await event(
            "FinishFlow",
            [
                "flow": "keypad", "result": "completed", "scene": "B",
                "values": ["entered": .string(markers.letters("result"))],
                "facts": ["pin": .string(markers.text("fact of a result"))],
            ]
        )
        // Pushes and quick actions, by adapters with a destination and with a URL; actions of notifications.
        let aps: JSONValue = ["alert": "x"]
        try await event("Push", ["payload": ["aps": aps, "invite": ["words": .string(markers.text("payload"))]]])
        try await event("Push", ["payload": ["aps": aps, "token": .string(markers.letters("payload in a URL"))]])
        try await event("Push", ["payload": ["aps": aps, "token": .string(markers.refused("refused payload"))]])
        try await event(
            "Push",
            [
                "payload": ["aps": ["alert": "x", "category": "KEY"], "code": .string(markers.text("action"))],
                "action": "KEEP",
            ]
        )
        try await event(
            "Push",
            [
                "payload": ["aps": ["alert": "x", "category": "KEY"]], "action": "TYPE",
                "text": .string(markers.text("text of an action")),
            ]
        )
        // Both are for an adapter that reads a URL or a destination from what they bring along, or for nobody.
        for (method, name, door) in [
            ("PerformShortcut", "type", "quick action"), ("TapWidget", "kind", "widget's user info"),
        ] {
            for userInfo: JSONObject in [
                ["token": .string(markers.letters("\(door)"))],
                ["token": .string(markers.refused("refused \(door)"))],
                ["words": .string(markers.text("\(door) with a destination"))],
                ["tokn": .string(markers.text("\(door) that no adapter takes"))],
            ] {
                try await event(method, [name: "reset", "userInfo": .object(userInfo)])
            }
        }
        try await event(
            "ContinueActivity",
            [
                "activityType": "NSUserActivityTypeBrowsingWeb",
                "webpageURL": .string("https://safe.example/reset/\(markers.letters("Handoff"))"),
            ]
        )
        try await event(
            "TapWidget",
            ["kind": "reset", "url": .string("safe://reset/\(markers.letters("widget"))")]
        )
        try await event(
            "TapWidget",
            ["kind": "reset", "url": .string("safe://reset/\(encoded(markers.refused("refused widget")))")]
        )
        // A window that is given back, with what is allowed and what is not.
        func window(_ token: String) -> JSONValue {
            [
                "tabs": [
                    [
                        "id": "home",
                        "stack": [
                            ["id": "home", "parameters": [:]],
                            ["id": "reset", "parameters": ["token": .string(token)]],
                        ],
                    ],
                    ["id": "help", "stack": [["id": "help", "parameters": [:]]]],
                ], "selectedTab": "home", "modals": [], "transitioning": false,
            ]
        }
        try await call("Scenes.Connect", ["scene": "C", "window": window(markers.letters("window"))])
        try await call("Scenes.Connect", ["scene": "D", "window": window(markers.refused("refused window"))])
        // A hold, and another manifest in force.
        let hold = try? await client.call("io.scened.Control.Hold", ["scene": "A", "point": "beforeResolve"])
        let other = try await daemon.connect()
        _ = try? await other.call(
            "io.scened.Events.OpenURL",
            ["url": .string("safe://reset/\(markers.letters("hold"))"), "scene": "A", "wait": "admitted"]
        )
        try await call("Manager.Reload", [:])
        if let hold = hold?["hold"] { try await call("Control.Release", ["hold": hold]) }
        // Questions.
        let asked = "safe://reset/\(markers.letters("question"))"
        for method in ["Resolve", "Explain"] { try await call("Routing.\(method)", ["url": .string(asked)]) }
        let web = "https://safe.example/reset/\(markers.letters("question about a universal link"))"
        try await call("Routing.Explain", ["url": .string(web)])
        let refused = "safe://reset/\(encoded(markers.refused("refused question")))"
        for method in ["Resolve", "Explain"] { try await call("Routing.\(method)", ["url": .string(refused)]) }
        try await call(
            "Adapters.Try",
            ["kind": "push", "event": ["payload": ["aps": aps, "token": .string(markers.letters("trial"))]]]
        )
        let place: JSONValue = [
            "id": "reset", "parameters": ["token": .string(markers.letters("destination asked about"))],
        ]
        for method in ["Resolve", "Print"] { try await call("Routing.\(method)", ["destination": place]) }
        let facts: JSONValue = ["pin": .string(markers.text("fact of a question")), "opened": [.string(drawer)]]
        let supposed: JSONObject = ["user": "eve", "facts": facts, "locale": "en", "market": "se"]
        for method in ["Resolve", "Explain"] {
            try await call("Routing.\(method)", JSONObject(supposed.map { ($0, $1) } + [("url", "safe://account")]))
        }
        for host in ["safe.example", "other.example"] {
            let link = "https://\(host)/reset/\(markers.letters("association of \(host)"))"
            try await call("Routing.MatchAssociation", ["url": .string(link)])
        }
        try await answers(daemon, &markers, replies)
        try await call("Session.SignOut", [:])
        try await call("Control.Quiesce", ["timeoutMilliseconds": 60_000])
    }

    /// What an adapter of another process answers.
    private static func answers(_ daemon: LiveDaemon, _ markers: inout Markers, _ replies: Replies) async throws {
        let adapter = try await daemon.connect()
        let register: JSONObject = [
            "name": "own", "kinds": ["activity"], "priority": 50, "timeoutMilliseconds": 10_000,
        ]
        replies.note("Adapters.Register", register)
        var questions = adapter.callMore("io.scened.Adapters.Register", register).makeAsyncIterator()
        let registration = try await questions.next()?["registration"]
        let (sender, answering) = (try await daemon.connect(), try await daemon.connect())
        func destination(_ token: String) -> JSONValue { ["id": "reset", "parameters": ["token": .string(token)]] }
        let answers: [JSONObject] = [
            ["url": .string("safe://reset/\(markers.letters("URL of an answer"))"), "user": "ada"],
            ["url": .string("safe://reset/\(encoded(markers.refused("refused URL of an answer")))")],
            ["destination": destination(markers.letters("destination of an answer"))],
            ["destination": destination(markers.refused("refused destination of an answer"))],
        ]
        for answer in answers {
            async let sent: Void = replies.call(
                sender,
                "Events.ContinueActivity",
                ["activityType": "own", "scene": "A", "wait": "settled"]
            )
            var parameters = answer
            parameters["request"] = try await questions.next()?["request"]
            parameters["registration"] = registration
            try await replies.call(answering, "Adapters.Answer", parameters)
            try await sent
        }
    }

    /// Everything that the daemon and its tools say of what happened, by what it is.
    private static func artefacts(
        _ daemon: LiveDaemon,
        _ replies: Replies,
        _ directory: TemporaryDirectory
    ) async throws -> [(name: String, text: String)] {
        var artefacts: [(name: String, text: String)] = [
            ("replies", replies.texts.withLock { $0.joined(separator: "\n") })
        ]
        let records = try await daemon.records()
        artefacts.append(("records", records.map { JSONValue.object($0).text() }.joined(separator: "\n")))
        // With the calls that were refused, which 'record' leaves out.
        let inputs = try await daemon.connect().call("io.scened.Recording.Read")
        artefacts.append(("calls", JSONValue.object(inputs).text()))
        for arguments in [
            ["record"], ["show", "A"], ["show", "B"], ["show", "C"], ["session"], ["records", "--json"], ["metrics"],
            ["status"], ["why", "waits"], ["why", "waits", "--json"],
        ] {
            let outcome = try await scenectl(arguments, daemon)
            artefacts.append((arguments.joined(separator: " "), outcome.output + outcome.errors))
        }
        let out = "\(directory.path)/soak"
        let soaked = try await scenectl(
            ["soak", "--duration", "1s", "--warm-up", "0s", "--rate", "20", "--out", out],
            daemon
        )
        artefacts.append(("soak", soaked.output + soaked.errors))
        for file in try FileManager.default.contentsOfDirectory(atPath: out) {
            let data = FileManager.default.contents(atPath: "\(out)/\(file)") ?? Data()
            artefacts.append(("soak's \(file)", String(decoding: data, as: UTF8.self)))
        }
        artefacts.append(("the log", daemon.readLog()))
        return artefacts
    }

    private static func run(
        _ app: String,
        seed: UInt64
    ) async throws -> (markers: Markers, artefacts: [(name: String, text: String)]) {
        let directory = try TemporaryDirectory()
        var markers = Markers(seed: seed)
        var artefacts: [(name: String, text: String)] = []
        try await LiveDaemon.run(["--app", app, "--log-level", "trace"]) { daemon in
            let replies = Replies()
            try await Self.story(daemon, &markers, replies)
            let calls = replies.calls.withLock(\.self)
            for (method, parameters) in try Self.doors() {
                let given = try #require(calls[method], "no secret goes by \(method)")
                // For those that are recorded another test looks at each parameter.
                guard !Self.recorded.contains(where: { method.hasPrefix("\($0).") }) else { continue }
                #expect(parameters.subtracting(given) == [], "no secret goes by these of \(method)")
            }
            artefacts = try await Self.artefacts(daemon, replies, directory)
        }
        return (markers, artefacts)
    }

    @Test("stand in nothing that leaves the daemon, by whatever door they came", arguments: [1, 2, 3, 4] as [UInt64])
    func leaveNoTrace(seed: UInt64) async throws {
        let (markers, artefacts) = try await Self.run(Self.app, seed: seed)
        for artefact in artefacts {
            #expect(markers.found(in: artefact.text) == [], "\(artefact.name)")
        }
        let texts = Dictionary(artefacts.map { ($0.name, $0.text) }) { first, _ in first }
        for name in ["records", "record", "the log"] {
            #expect(texts[name, default: ""].contains("secret:"), "\(name)")
        }
        let recorded = texts["calls", default: ""].matches(of: /"method":"(\w+\.\w+\.\w+)\./).map { String($0.1) }
        #expect(Set(recorded).sorted() == Self.recorded)
    }

    @Test("are found by that test if nothing in the manifest calls them secret")
    func wouldBeFound() async throws {
        let directory = try TemporaryDirectory()
        let plain = "\(directory.path)/plain.yaml"
        try String(contentsOfFile: Self.app, encoding: .utf8).replacing(", secret: true", with: "")
            .write(toFile: plain, atomically: true, encoding: .utf8)
        let (markers, artefacts) = try await Self.run(plain, seed: 1)
        let texts = Dictionary(artefacts.map { ($0.name, $0.text) }) { first, _ in first }
        for name in ["records", "record", "the log", "replies"] {
            #expect(markers.found(in: texts[name, default: ""]).count > 10, "\(name)")
        }
        let everywhere = Set(artefacts.flatMap { markers.found(in: $0.text) })
        // What a question supposes, and whether a link is associated, no answer repeats.
        let silent = ["fact of a question", "association of safe.example", "association of other.example"]
        #expect(markers.cores.map(\.place).filter { !everywhere.contains($0) } == silent)
    }

    @Test("a link that leads nowhere is a secret by itself: a value may stand in it where no route has one")
    func nowhere() async throws {
        let directory = try TemporaryDirectory()
        let (file, app) = ("\(directory.path)/nowhere.jsonl", "\(directory.path)/safe.yaml")
        let link = "  - { name: any, kinds: [push], when: [{ present: payload.url }], url: '{payload.url}' }\n"
        try String(contentsOfFile: Self.app, encoding: .utf8)
            .replacing("\nadapters:\n", with: "\nadapters:\n\(link)")
            .write(toFile: app, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", app]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for link in [
                "safe://rest/LEAKED", "safe://reset/LEAKED/more", "safe://invite?word=LEAKED", "safe://reset/LEAKED1",
            ] {
                let payload: JSONObject = ["aps": ["alert": "!"], "url": .string(link)]
                let receipt = try await client.push(payload: payload, .init(scene: "A"))
                #expect(receipt.outcome == .rejected, "\(link): \(receipt.outcome)")
            }
            let recorded = try await Self.scenectl(["record", file], daemon)
            #expect(recorded.status == .exited(0), "\(recorded)")
        }
        let script = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!script.contains("LEAKED") && script.contains("secret:"), "\(script)")
    }

    @Test("what an event has under a secret's name is one, also if nobody asks for it", arguments: [true, false])
    func namedLikeASecret(isSecret: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/clinic.yaml"
        let text = """
            format: 5
            name: Clinic
            schemes: [clinic]
            tabs: { home: home }
            fallback: home
            destinations:
              home: { tab: home, routes: ["clinic://home"] }
              visit: { ancestry: [home], parameters: { code: { pattern: "[A-Z0-9]*", secret: true } } }
            intents:
              confirmed: { parameters: { token: { type: string, secret: true } }, effects: [signOut] }
            notificationCategories:
              VISIT: { actions: { YES: { intent: confirmed, parameters: { token: payload.visit.word } } } }
            """
        try (isSecret ? text : text.replacing(", secret: true", with: ""))
            .write(toFile: file, atomically: true, encoding: .utf8)
        var markers = Markers(seed: 5)
        var shown = ""
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            for member in ["code", "word", "token"] {
                func content(_ place: String) -> JSONObject {
                    [member: .string(markers.letters("\(place) \(member)")), "also": .string("nothing")]
                }
                for response in [["interaction": "present"], ["interaction": "open"], ["action": "YES"], [:]]
                    as [JSONObject]
                {
                    var parameters = response
                    parameters["payload"] = [
                        "aps": ["alert": "!", "category": "VISIT"],
                        "visit": .object(content("push \(JSONValue.object(response).text())")),
                    ]
                    _ = try? await client.call("io.scened.Events.Push", parameters)
                }
                _ = try await client.call(
                    "io.scened.Events.PerformShortcut",
                    ["type": "other", "userInfo": .object(content("shortcut"))]
                )
                _ = try await client.call(
                    "io.scened.Events.TapWidget",
                    ["kind": "other", "userInfo": .object(content("widget"))]
                )
                _ = try await client.call(
                    "io.scened.Events.ContinueActivity",
                    ["activityType": "other", "userInfo": ["parameters": .object(content("activity"))]]
                )
            }
            shown = JSONValue.object(try await client.call("io.scened.Recording.Read")).text()
        }
        #expect(isSecret ? markers.found(in: shown).isEmpty : markers.found(in: shown).count >= 18, "\(shown)")
    }

    /// Where the text stands that an adapter makes a secret of: the kind of event, its path, and a call with it. What is in `MODE` says whether
    /// the adapter takes the event.
    private static func texts(
        _ value: JSONValue,
        mode: JSONValue
    ) -> [(kind: String, path: String, mode: String, method: String, parameters: JSONObject)] {
        func with(_ more: JSONObject, _ object: JSONObject) -> JSONObject {
            var object = object
            for (name, value) in more { object[name] = value }
            return object
        }
        let payload: JSONObject = ["aps": ["alert": "!", "category": "VISIT"], "mode": mode]
        func info(_ more: JSONObject = [:]) -> JSONValue { .object(with(more, ["mode": mode])) }
        func activity(_ path: String, _ parameters: JSONObject, type: JSONValue = "other") -> (
            String, String, String, String, JSONObject
        ) {
            ("activity", path, "userInfo.mode", "ContinueActivity", with(parameters, ["activityType": type]))
        }
        return [
            activity(
                "userInfo.kCSSearchableItemActivityIdentifier",
                ["userInfo": info(["kCSSearchableItemActivityIdentifier": value])],
                type: "com.apple.corespotlightitem"
            ),
            activity(
                "userInfo.kCSSearchQueryString",
                ["userInfo": info(["kCSSearchQueryString": value])],
                type: "com.apple.corespotlightquerycontinuation"
            ), activity("userInfo.deep.id", ["userInfo": info(["deep": ["id": value]])]),
            activity("title", ["userInfo": info(), "title": value]),
            activity("persistentIdentifier", ["userInfo": info(), "persistentIdentifier": value]),
            activity("targetContentIdentifier", ["userInfo": info(), "targetContentIdentifier": value]),
            ("push", "payload.id", "payload.mode", "Push", ["payload": .object(with(["id": value], payload))]),
            (
                "push", "text", "payload.mode", "Push",
                ["payload": .object(payload), "action": "ANSWER", "text": value]
            ), ("widget", "userInfo.id", "userInfo.mode", "TapWidget", ["kind": "w", "userInfo": info(["id": value])]),
            ("widget", "kind", "userInfo.mode", "TapWidget", ["kind": value, "userInfo": info()]),
            (
                "shortcut", "userInfo.id", "userInfo.mode", "PerformShortcut",
                ["type": "s", "userInfo": info(["id": value])]
            ),
            (
                "shortcut", "targetContentIdentifier", "userInfo.mode", "PerformShortcut",
                ["type": "s", "userInfo": info(), "targetContentIdentifier": value]
            ), ("shortcut", "type", "userInfo.mode", "PerformShortcut", ["type": value, "userInfo": info()]),
        ]
    }

    /// How an adapter makes a secret of a text at a path.
    private static let makings = [
        "a parameter": "destination: visit, parameters: { code: \"{PATH}\" }",
        "a part of a URL": "url: \"clinic://visit/{PATH}\"",
        "what is captured": "destination: visit, parameters: { code: \"{it}\" }",
    ]

    @Test(
        "stand nowhere in an event from which an adapter would make them, whether it takes the event, leaves it to the fallback, or it is wrong",
        arguments: makings.keys.sorted(),
        [true, false]
    )
    func madeByAdapters(making: String, areSecret: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/clinic.yaml"
        let mapping = try #require(Self.makings[making])
        var lines = [
            "format: 5", "name: Clinic", "schemes: [clinic]", "tabs: { home: home }", "fallback: home", "destinations:",
            "  home: { tab: home, routes: [\"clinic://home\"] }",
            "  visit:", "    ancestry: [home]",
            "    parameters: { code: { pattern: \"[A-Za-z-]*\"\(areSecret ? ", secret: true" : "") } }",
            "    routes: [\"clinic://visit/{code}\"]",
            "notificationCategories:",
            "  VISIT: { actions: { ANSWER: { foreground: true, text: true } } }", "adapters:",
        ]
        for (index, place) in Self.texts("", mode: "").enumerated() {
            let captures = making == "what is captured" ? ", { path: \(place.path), matches: \"id-{it}\" }" : ""
            lines += [
                "  - { name: a\(index), kinds: [\(place.kind)], \(mapping.replacing("PATH", with: place.path)),",
                "      when: [{ path: \(place.mode), equals: a\(index) }\(captures)] }",
            ]
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        var markers = Markers(seed: 11)
        var shown = ""
        var outcomes: [String: [String: Int]] = [:]
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            for (index, place) in Self.texts("", mode: "").enumerated() {
                for (mode, ending) in [("takes", ""), ("leaves", ""), ("is wrong", "-9!")] {
                    let text = "id-\(markers.letters("\(place.kind) \(place.path) \(mode)"))\(ending)"
                    let given = mode == "leaves" ? "other" : "a\(index)"
                    var call = Self.texts(.string(text), mode: .string(given))[index]
                    call.parameters["scene"] = "A"
                    call.parameters["wait"] = "settled"
                    let receipt = try await client.call("io.scened.Events.\(call.method)", call.parameters)["receipt"]
                    outcomes[mode, default: [:]][receipt?["outcome"]?.stringValue ?? "none", default: 0] += 1
                }
            }
            shown = JSONValue.object(try await client.call("io.scened.Recording.Read")).text()
            shown += try await daemon.records().map { JSONValue.object($0).text() }.joined()
        }
        let count = Self.texts("", mode: "").count
        #expect(outcomes["takes"] == ["applied": count], "\(outcomes)")
        #expect(outcomes["leaves"] == ["rejected": count] && outcomes["is wrong"] == ["rejected": count], "\(outcomes)")
        let found = markers.found(in: shown)
        #expect(areSecret ? found.isEmpty : found.count == 3 * count, "\(found), \(shown)")
    }

    @Test(
        "of one call stand nowhere in those after it, whatever takes them, and are asked for once to play them",
        arguments: [true, false]
    )
    func known(areSecret: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/clinic.yaml"
        try """
        format: 5
        name: Clinic
        schemes: [clinic]
        facts: { pin: { type: string\(areSecret ? ", secret: true" : "") } }
        tabs: { home: home }
        fallback: home
        destinations:
          home: { tab: home, routes: ["clinic://home"] }
          visit:
            ancestry: [home]
            parameters: { code: { type: string\(areSecret ? ", secret: true" : "") } }
            routes: ["clinic://visit/{code}"]
        notificationCategories:
          VISIT: { actions: { ANSWER: { foreground: true, text: true } } }
        adapters:
          - { name: takes, kinds: [activity, push, widget, shortcut], when: [{ present: userInfo.taken }], handled: true }
        """
        .write(toFile: file, atomically: true, encoding: .utf8)
        var markers = Markers(seed: 13)
        let (link, fact) = (markers.letters("of a link"), markers.letters("of a fact"))
        try await LiveDaemon.run(["--app", file]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            _ = try await client.call(
                "io.scened.Events.OpenURL",
                ["url": .string("clinic://visit/\(link)"), "scene": "A"]
            )
            _ = try await client.call("io.scened.Session.Commit", ["set": ["pin": .string(fact)]])
            // What was refused is no secret.
            _ = try await client.refusal("io.scened.Session.Commit", ["set": ["pinn": "other"]])
            for value in [link, fact] {
                for place in Self.texts(.string(value), mode: "other") {
                    _ = try await client.call("io.scened.Events.\(place.method)", place.parameters)
                }
            }
            let shown = JSONValue.object(try await client.call("io.scened.Recording.Read")).text()
            let found = Set(markers.found(in: shown))
            #expect(areSecret ? found.isEmpty : found.count == 2, "\(found), \(shown)")
            #expect(shown.contains("\"mode\":\"other\""), "\(shown)")
            #expect(Set(SecretPlaceholder.all(in: shown)).count == (areSecret ? 2 : 0), "\(shown)")
        }
    }

    /// What names something of scened or of a manifest, or is a date or a reason: no place for what somebody typed.
    private static let names: Set<String> = [
        "action", "adapter", "configuration", "date", "declined", "digest", "draggedFrom", "event", "failure", "flow",
        "from", "hold", "kinds", "name", "owner", "refused", "registration", "remove", "scene", "start", "tab",
        "warnings",
    ]

    /// The interfaces whose calls a recording has.
    private static let recorded = ["io.scened.Events", "io.scened.Scenes", "io.scened.Session"]

    /// The parameters in which a text can come from outside, by the full names of all methods of the protocol that have one.
    private static func doors() throws -> [String: Set<String>] {
        var doors: [String: Set<String>] = [:]
        for file in ProtocolFilesTests.files {
            let interface = try VarlinkInterface(parsing: ProtocolFilesTests.text(file))
            func takesText(_ type: VarlinkType) -> Bool {
                switch type {
                case .string, .object: true
                case .nullable(let inner), .array(let inner), .dictionary(let inner): takesText(inner)
                case .structure(let fields): fields.contains { takesText($0.type) }
                case .named(let name): interface.type(name).map(takesText) ?? true
                case .bool, .int, .float, .enumeration: false
                }
            }
            for method in interface.methodNames {
                let open = (interface.method(method)?.parameters ?? []).filter { field in
                    // An event as a whole is one; its ID is none.
                    takesText(field.type) && (!names.contains(field.name) || field.type == .object)
                }
                if !open.isEmpty { doors["\(interface.name).\(method)"] = Set(open.map(\.name)) }
            }
        }
        return doors
    }

    /// Calls with a value in a secret place and in others, as far as they take texts of any form.
    private static func calls(_ value: String) -> [(interface: String, method: String, parameters: JSONObject)] {
        let text: JSONValue = .string("so \(value)!")
        let facts: JSONValue = ["pin": .string(value), "hint": text]
        let link: JSONValue = .string("safe://reset/\(value)")
        let payload: JSONValue = ["aps": ["alert": text], "token": .string(value), "more": [["deep": text]]]
        let window: JSONValue = [
            "tabs": [
                [
                    "id": "home",
                    "stack": [
                        ["id": "home", "parameters": [:]], ["id": "reset", "parameters": ["token": .string(value)]],
                        ["id": "open", "parameters": ["note": text]],
                    ],
                ], ["id": "help", "stack": [["id": "help", "parameters": [:]]]],
            ], "selectedTab": "home", "modals": [], "transitioning": false,
        ]
        return [
            ("Events", "OpenURL", ["url": link]),
            ("Events", "OpenURLs", ["urls": [link, .string("safe://open?note=\(value)")]]),
            (
                "Events", "ContinueActivity",
                [
                    "activityType": "NSUserActivityTypeBrowsingWeb",
                    "webpageURL": .string("https://safe.example/reset/\(value)"), "userInfo": ["note": text],
                    "referrerURL": .string("https://other.example/\(value)"),
                ]
            ), ("Events", "Push", ["payload": payload]),
            (
                "Events", "Push",
                ["payload": ["aps": ["alert": text, "category": "KEY"]], "action": "TYPE", "text": .string(value)]
            ),
            ("Events", "TapWidget", ["kind": "reset", "url": link, "userInfo": ["note": text]]),
            (
                "Events", "PerformShortcut",
                ["type": "reset", "userInfo": ["token": .string(value), "note": text]]
            ),
            (
                "Events", "SendIntent",
                ["name": "noted", "parameters": ["code": .string(value), "note": text, "again": .string(value)]]
            ),
            (
                "Events", "FinishFlow",
                ["flow": "keypad", "result": "completed", "values": ["entered": .string(value)], "facts": facts]
            ), ("Session", "SignIn", ["user": "ada", "facts": facts]), ("Session", "Commit", ["set": facts]),
            ("Scenes", "Connect", ["scene": "W", "window": window]),
        ]
    }

    @Test("stand in no parameter of a recorded call in which one of them is secret", arguments: [true, false])
    func otherParameters(areSecret: Bool) async throws {
        let directory = try TemporaryDirectory()
        let app = "\(directory.path)/noted.yaml"
        let noted =
            "parameters: { code: { type: string, secret: true }, note: { type: string }, again: { type: string } }"
        let text = try String(contentsOfFile: Self.app, encoding: .utf8)
            .replacing("\nfacts:\n", with: "\nfacts:\n  hint: { type: string }\n")
            .replacing("\nintents:\n", with: "\nintents:\n  noted:\n    \(noted)\n")
            .replacing(
                "\ndestinations:\n",
                with:
                    "\ndestinations:\n  open: { ancestry: [home], parameters: { note: { type: string } }, routes: [\"safe://open?note={note}\"] }\n"
            )
        try (areSecret ? text : text.replacing(", secret: true", with: ""))
            .write(toFile: app, atomically: true, encoding: .utf8)
        let calls = Self.calls("").map { "io.scened.\($0.interface).\($0.method)" }
        let doors = try Self.doors().filter { door in Self.recorded.contains { door.key.hasPrefix("\($0).") } }
        #expect(Set(calls) == Set(doors.keys), "a call that is recorded, and what a text can come by, are the same")
        var markers = Markers(seed: 7)
        var (shown, places) = ("", [String]())
        // What no call has had yet.
        var closed = doors
        try await LiveDaemon.run(["--app", app]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            for (index, method) in calls.enumerated() {
                let given = Set(Self.calls("")[index].parameters.map { $0.key })
                closed[method]?.subtract(given)
                for other in [nil] + doors[method, default: []].subtracting(given).sorted() {
                    let place = "\(method) \(index) \(other ?? "by itself")"
                    let value = markers.letters(place)
                    var parameters = Self.calls(value)[index].parameters
                    if let other { parameters[other] = .string(value) }
                    if method.hasPrefix("io.scened.Events.") {
                        parameters["scene"] = "A"
                        parameters["wait"] = "settled"
                    }
                    do {
                        _ = try await client.call(method, parameters)
                        closed[method]?.remove(other ?? "")
                        places.append(place)
                    } catch is VarlinkError where other != nil {
                        // The same parameter may be allowed in another call of the method.
                    }
                }
            }
            shown = JSONValue.object(try await client.call("io.scened.Recording.Read")).text()
            let recorded = try await Self.scenectl(["record"], daemon)
            #expect(recorded.status == .exited(0), "\(recorded.errors)")
            // Its last steps say what is shown in the end.
            shown += recorded.output.split(separator: "\n").filter { !$0.contains(".Get\"") }.joined()
        }
        #expect(closed.filter { !$0.value.isEmpty }.isEmpty, "places that no text was sent to")
        let found = Set(markers.found(in: shown))
        #expect(areSecret ? found.isEmpty : Set(places).isSubset(of: found), "\(found), \(shown)")
    }

    @Test(
        "are asked for by `play`, and a recording then plays as it went on a host with other placeholders",
        arguments: [
            ["Abcdefgh", "a/b %é\"", "second"], ["Abcdefgh", "100%", "e"], ["Abcdefgh", "é%41%", "%2"],
            ["Abcdefgh", "?a=b&c#d", "/"],
        ]
    )
    func play(values: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/secret.jsonl"
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("safe://reset/\(values[0])", .init(scene: "A"))
            _ = try await client.openURL("safe://invite?words=\(Self.encoded(values[1]))", .init(scene: "A"))
            _ = try await client.signIn(
                user: "ada",
                facts: ["pin": .string(values[1]), "opened": .array([.string(values[2])])]
            )
            _ = try await client.openURL("safe://drawer/\(Self.encoded(values[2]))", .init(scene: "A"))
            let recorded = try await Self.scenectl(["record", file], daemon)
            #expect(recorded.status == .exited(0), "\(recorded)")
        }
        let script = try String(contentsOfFile: file, encoding: .utf8)
        let lines = script.split(separator: "\n")
        for value in values where value.utf8.count > 3 {
            #expect(!script.contains(value) && !script.contains(Self.encoded(value)), "\(script)")
        }
        #expect(script.contains("safe://drawer/secret:"), "\(script)")
        func placeholder(_ line: Int) throws -> String {
            let start = try #require(lines[line].firstRange(of: "secret:"))
            return String(lines[line][start.lowerBound...].prefix(31))
        }
        let given = try [placeholder(1), placeholder(2), placeholder(4)]
        // Equal values are seen to be.
        #expect(lines[3].contains("\"pin\":\"\(given[1])\"") && lines[3].contains(given[2]), "\(lines[3])")
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            let unplayed = try await Self.scenectl(["play", file], daemon)
            #expect(unplayed.status == .exited(2) && given.allSatisfy(unplayed.errors.contains), "\(unplayed)")
            let options = zip(given, values).flatMap { ["--secret", "\($0.prefix(15))=\($1)"] }
            let played = try await Self.scenectl(["play", file] + options, daemon)
            #expect(played.status == .exited(0), "\(played)")
            let records = try await daemon.records().map { JSONValue.object($0).text() }.joined()
            #expect(records.contains("secret:") && !records.contains(given[0]))
        }
        // What was the same value before, and is not any more, differs.
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            let options = zip(given, [values[0], values[1], values[1]]).flatMap { ["--secret", "\($0)=\($1)"] }
            let played = try await Self.scenectl(["play", file] + options, daemon)
            #expect(played.status == .exited(1), "\(played)")
        }
    }

    @Test(
        "are the same in the fixtures of adapters, whichever host or manifest tries them, and --update keeps what is known"
    )
    func fixtures() async throws {
        let directory = try TemporaryDirectory()
        func write(_ name: String, _ event: String, _ more: String = "") throws {
            try "event: \(event)\n\(more)".write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
        }
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: "\(directory.path)/\(name)", encoding: .utf8)
        }
        func test(_ options: [String], _ daemon: LiveDaemon? = nil) async throws -> Program.Outcome {
            try await Self.scenectl(["adapter", "test", directory.path] + options, daemon)
        }
        func expectTest(_ options: [String], _ daemon: LiveDaemon? = nil, says: String) async throws {
            let outcome = try await test(options, daemon)
            #expect(outcome.output.hasSuffix(says), "\(outcome)")
        }
        try write("token.yaml", #"{ aps: { alert: x }, token: Abcdefgh }"#)
        try write("words.yaml", #"{ aps: { alert: x }, invite: { words: "first second" } }"#)
        var texts: [String] = []
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            let updated = try await test(["--update"], daemon)
            #expect(updated.status == .exited(0), "\(updated)")
            texts = [try read("token.yaml"), try read("words.yaml")]
            for text in texts { #expect(text.components(separatedBy: "secret:").count == 3, "\(text)") }
            #expect(!texts.joined().contains(#"token: \"Abc"#) && !texts.joined().contains("words: first"))
            // Another key.
            _ = try await daemon.connect().call("io.scened.Control.Reset")
            try await expectTest([], daemon, says: "2 as expected\n")
            try await expectTest(["--update"], daemon, says: "2 as expected\n")
            let now = try [read("token.yaml"), read("words.yaml")]
            #expect(now == texts)
        }
        try await expectTest(["--app", Self.app], says: "2 as expected\n")
        // What differs is changed, and a secret that stands elsewhere keeps its name.
        let changed = texts[0].replacing("decision: proceed", with: "decision: gated").replacing(
            "home ›",
            with: "help ›"
        )
        #expect(changed != texts[0])
        try changed.write(toFile: "\(directory.path)/token.yaml", atomically: true, encoding: .utf8)
        try await expectTest(["--app", Self.app, "--update"], says: "2 as expected, 1 changed\n")
        let restored = try read("token.yaml")
        #expect(restored == texts[0])
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            try await expectTest([], daemon, says: "2 as expected\n")
        }
        // Two values are not one: the placeholder of one does not stand for the other.
        let mixed = texts[0].replacing(/request: .*/, with: "request: \"safe://reset/secret:000000000000000000000000\"")
        try mixed.write(toFile: "\(directory.path)/token.yaml", atomically: true, encoding: .utf8)
        let other = try await test(["--app", Self.app])
        #expect(other.status == .exited(1), "\(other)")
    }
}
