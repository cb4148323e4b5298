import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

/// Several URLs in one delivery, through the socket.
@Suite("Sets of URLs on the live daemon", .timeLimit(.minutes(15)))
struct URLSetTests {
    private static let urls = ["qcommerce://product/p1", "qcommerce://promo/SPRING", "qcommerce://category/fruit"]

    private static func scenectl(_ daemon: LiveDaemon, _ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
    }

    private static func tickets(_ receipts: [ClientReceipt]) -> [Int] { receipts.compactMap(\.ticket) }

    @Test("come in the same order again after a reset with the same seed")
    func seeded() async throws {
        try await LiveDaemon.run { daemon in
            var orders: [[[Int]]] = []
            for seed in [1, 1, 2] {
                _ = try await daemon.connect().call("io.scened.Control.Reset", ["seed": .integer(seed)])
                let client = try await daemon.client()
                _ = try await client.connect(scene: "A")
                var order: [[Int]] = []
                for _ in 0..<10 {
                    order.append(Self.tickets(try await client.openURLs(Self.urls, .init(scene: "A"))))
                }
                orders.append(order)
            }
            #expect(orders[0] == orders[1] && orders[0] != orders[2])
        }
    }

    @Test("are delivered together, in an order that changes, to one window, with what others send before or after")
    func together() async throws {
        try await LiveDaemon.run(["--mailbox", "10000"]) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    let connection = try await daemon.client()
                    group.addTask {
                        for round in 0..<40 {
                            let to = SceneClient.Delivery(
                                scene: round % 2 == 0 ? "A" : "B",
                                event: "s\(number)-\(round)",
                                wait: .admitted
                            )
                            if number < 2 {
                                let receipts = try await connection.openURLs(Self.urls, to)
                                #expect(receipts.map(\.event) == (1...3).map { "s\(number)-\(round)/\($0)" })
                            } else {
                                _ = try await connection.openURL(Self.urls[0], to)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let admitted = try await daemon.records().filter { $0["kind"] == "event.admitted" }
            #expect(admitted.count == 320)
            var orders: Set<[Int]> = []
            var index = 0
            while index < admitted.count {
                guard admitted[index]["set"] != nil else {
                    index += 1
                    continue
                }
                let set = admitted[index..<min(index + 3, admitted.count)]
                let first = admitted[index]["ticket"]?.integerValue ?? 0
                #expect(set.map { $0["ticket"] } == [.integer(first), .integer(first + 1), .integer(first + 2)])
                #expect(set.map { $0["set"]?["place"] } == [1, 2, 3] && Set(set.map { $0["scene"] }).count == 1)
                #expect(Set(set.map { $0["call"] }).count == 1 && Set(set.map { $0["connection"] }).count == 1)
                orders.insert(set.compactMap { $0["set"]?["given"]?.integerValue })
                index += 3
            }
            // 80 sets: each of the 6 orders is missing once in two million times.
            #expect(orders.count > 3, "\(orders)")
            try await client.quiesce(timeout: .seconds(120))
            let history = try await daemon.records().map { JSONValue.object($0).text() }.joined(separator: "\n")
            let check = try await Program.run(Command.built("scenectl"), ["check", "-"], input: history)
            #expect(check.status == .exited(0), "\(check.output)\(check.errors)")
        }
    }

    @Test("come in the order that is asked for, cold with the window that they open, and again nothing is done")
    func asked() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let receipts = try await client.openURLs(Self.urls, order: [3, 1, 2], .init(event: "mail"))
            #expect(receipts.map(\.event) == ["mail/1", "mail/2", "mail/3"] && Self.tickets(receipts) == [2, 3, 1])
            #expect(receipts.allSatisfy { $0.scene == "scene-1" && $0.outcome == .applied && !$0.isDuplicate })
            let admitted = try await daemon.records().filter { $0["kind"] == "event.admitted" }
            #expect(admitted.map { $0["event"] } == ["mail/3", "mail/1", "mail/2"])
            #expect(admitted.allSatisfy { $0["delivery"] == "cold" && $0["options"] == ["urlContexts"] })
            #expect(
                admitted.map { $0["set"] ?? .null } == [
                    ["place": 1, "count": 3, "given": 3], ["place": 2, "count": 3, "given": 1],
                    ["place": 3, "count": 3, "given": 2],
                ]
            )
            #expect(try await client.scene("scene-1").window?.trail == ["home", "promo(code: SPRING)"])
            let again = try await daemon.client().openURLs(Self.urls, order: [1, 2, 3], .init(event: "mail"))
            #expect(Self.tickets(again) == [2, 3, 1] && again.allSatisfy(\.isDuplicate))
            #expect(try await daemon.records().filter { $0["kind"] == "event.admitted" }.count == 3)
            #expect(try await client.receipt(of: "mail/2").outcome == .applied)
        }
    }

    private static func malformed(_ place: Int, _ url: String, _ problem: String) -> VarlinkError {
        VarlinkError(
            "io.scened.Events.MemberRefused",
            [
                "place": .integer(place), "url": .string(url), "error": "Malformed",
                "parameters": ["reason": .string("url: \(problem)")], "reason": .string("malformed: url: \(problem)"),
            ]
        )
    }

    static let refusals: [(parameters: JSONObject, error: VarlinkError)] = [
        (
            ["urls": ["qcommerce://cart"]],
            VarlinkError("io.scened.Events.Malformed", ["reason": "urls: expected 2 to 32 URLs, found 1"])
        ),
        (
            ["urls": .array((1...33).map { .string("qcommerce://product/p\($0)") })],
            VarlinkError("io.scened.Events.Malformed", ["reason": "urls: expected 2 to 32 URLs, found 33"])
        ),
        (
            ["urls": ["qcommerce://cart", "https://shop.example/cart"]],
            malformed(
                2,
                "https://shop.example/cart",
                "expected URL of a scheme of the app, because a web link comes alone, as a user activity, found \"https://shop.example/cart\""
            )
        ),
        (
            ["urls": ["qcommerce://cart", "qcommerce://orders", "qcommerce://cart"]],
            malformed(3, "qcommerce://cart", "expected URL that is not in the set yet, found the same as urls[0]")
        ),
        (
            ["urls": ["qcommerce://cart", "cart"]],
            malformed(2, "cart", "expected absolute URL such as \"https://shop.example/cart\", found \"cart\"")
        ),
        (
            ["urls": ["qcommerce://cart", "qcommerce://nowhere"]],
            VarlinkError(
                "io.scened.Events.MemberRefused",
                [
                    "place": 2, "url": "qcommerce://nowhere", "error": "UnknownRoute",
                    "parameters": ["url": "qcommerce://nowhere"],
                    "reason": "no route takes qcommerce://nowhere",
                ]
            )
        ),
        (
            ["urls": ["qcommerce://cart", "qcommerce://orders"], "order": [2, 2]],
            VarlinkError(
                "io.scened.Events.ValidationFailed",
                ["parameter": "order", "reason": "expected each of the numbers 1 to 2 once"]
            )
        ),
        (
            ["urls": ["qcommerce://cart", "qcommerce://orders"], "scene": "Z"],
            VarlinkError("io.scened.Events.UnknownScene", ["scene": "Z"])
        ),
    ]

    private static let longest = "qcommerce://\(String(repeating: "x", count: 9000))"

    @Test(
        "are refused for one of them as that is refused by itself",
        arguments: ["cart", "", "qcommerce://nowhere", "qcommerce://product/tea", longest]
    )
    func oneShape(url: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let alone = try await client.refusal("io.scened.Events.OpenURL", ["url": .string(url)])
            let set: JSONObject = ["urls": ["qcommerce://cart", .string(url)]]
            let within = try await client.refusal("io.scened.Events.OpenURLs", set)
            #expect(within?.name == "io.scened.Events.MemberRefused")
            let error = (within?.parameters["error"]?.stringValue).map { "io.scened.Events.\($0)" }
            #expect(error == alone?.name)
            #expect(within?.parameters["parameters"] == (alone?.parameters).map(JSONValue.object))
        }
    }

    @Test("are refused whole, with what is wrong and where", arguments: refusals)
    func refused(parameters: JSONObject, error: VarlinkError) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            var call = parameters
            call["event"] = "mail"
            #expect(try await client.refusal("io.scened.Events.OpenURLs", call) == error)
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "event.admitted" })
            #expect(try await client.call("io.scened.Scenes.List")["scenes"] == [])
            #expect(try await client.refusal("io.scened.Events.Get", ["event": "mail/1"]) != nil)
        }
    }

    @Test(
        "with parameters of other types are refused before anything else",
        arguments: [
            ["urls": "qcommerce://cart"], ["urls": [1, 2]], [:], ["urls": ["a:1", "a:2"], "order": ["1", "2"]],
            ["urls": ["a:1", "a:2"], "order": [1.5, 2]], ["urls": [nil, nil]], ["url": "a:1"],
        ] as [JSONObject]
    )
    func types(parameters: JSONObject) async throws {
        try await LiveDaemon.run { daemon in
            let refusal = try await daemon.connect().refusal("io.scened.Events.OpenURLs", parameters)
            #expect(refusal?.name == "org.varlink.service.InvalidParameter", "\(String(describing: refusal))")
            try await daemon.expectService()
        }
    }

    @Test(
        "are what several arguments of scenectl openurl are, a line for each, and why says of each that it came with others"
    )
    func verb() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            let words = ["openurl", "A"] + Self.urls + ["--order", "2,3,1", "--event", "mail"]
            let outcome = try await Self.scenectl(daemon, words)
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.map { $0.prefix(4) } == ["A #3", "A #1", "A #2"], "\(outcome.output)")
            #expect(lines.count == 3 && lines[0].hasSuffix("mail/1") && lines[2].hasSuffix("mail/3"))
            let json = try await Self.scenectl(daemon, ["openurl", "--scene", "A", "--json"] + Self.urls)
            #expect(try JSONValue(parsing: json.output).arrayValue?.count == 3, "\(json.output)")
            let why = try await Self.scenectl(daemon, ["why", "mail/3"])
            #expect(why.output.contains("2 of 3 that were delivered together"), "\(why.output)")
            let refused = try await Self.scenectl(daemon, ["openurl", Self.urls[0], "qcommerce://nowhere"])
            #expect(refused.status == .exited(1))
            #expect(
                refused.errors.contains(
                    "None was opened, because of URL 2: No route of the app takes qcommerce://nowhere."
                ),
                "\(refused.errors)"
            )
            let single = try await Self.scenectl(daemon, ["openurl", Self.urls[0], "--order", "1"])
            #expect(single.status != .exited(0) && single.errors.contains("--order: expected several URLs"))
            // A window is still named in front of one URL.
            let one = try await Self.scenectl(daemon, ["openurl", "A", Self.urls[0]])
            #expect(one.output.hasPrefix("A #7"), "\(one.output)\(one.errors)")
        }
    }

    @Test("are recorded with the order in which they came, and played in it")
    func played() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/set.jsonl"
        var recorded: [JSONValue?] = []
        func given(_ daemon: LiveDaemon) async throws -> [JSONValue?] {
            try await daemon.records().filter { $0["kind"] == "event.admitted" }.map { $0["set"]?["given"] }
        }
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for _ in 0..<6 { _ = try await client.openURLs(Self.urls) }
            _ = try await client.openURLs(["qcommerce://cart", "qcommerce://orders"])
            recorded = try await given(daemon)
            let outcome = try await Self.scenectl(daemon, ["record", file])
            #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
        }
        #expect(recorded.count == 20)
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(daemon, ["play", file, "--restful"])
            #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            #expect(try await given(daemon) == recorded)
        }
        // What came out otherwise is noticed.
        let script = try String(contentsOfFile: file, encoding: .utf8)
        let changed = script.replacing(#""outcome":"applied""#, with: #""outcome":"gated""#, maxReplacements: 1)
        #expect(changed != script)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(daemon, ["play", file, "--restful"])
            #expect(outcome.status == .exited(1) && outcome.output.contains("gated"), "\(outcome.output)")
        }
    }

    @Test("that depend on their order are a race that scenectl finds, and its script does the same to a live daemon")
    func race() async throws {
        let directory = try TemporaryDirectory()
        let script = "\(directory.path)/race.sh"
        let scenario = """
            name: first-of-the-set
            description: An app believes that the last of three URLs is the last that it is handed.
            windows: { A: {} }
            actors:
              mail: [ { openurl: ["\(Self.urls.joined(separator: "\", \""))"], scene: A, event: mail } ]
            expect:
              windows: { A: "home › category(slug: fruit)" }

            """
        let found = try await Program.run(
            Command.built("scenectl"),
            ["race", "-", "--iterations", "2000", "--seed", "7", "--shrink", "--export", script],
            input: scenario
        )
        #expect(found.status == .exited(1), "\(found.output)\(found.errors)")
        let text = try String(contentsOfFile: script, encoding: .utf8)
        #expect(text.contains("--order "), "\(text)")
        try await LiveDaemon.run { daemon in
            try await daemon.comesOut(asExportedIn: script)
            let window = try await daemon.client().scene("A").window?.trail
            #expect(window != ["home", "category(slug: fruit)"], "\(String(describing: window))")
        }
    }
}
