import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

@Suite("scenectl as a process", .timeLimit(.minutes(15)))
struct ScenectlTests {
    private static func scenectl(
        _ arguments: [String],
        input: String = "",
        environment: [String: String?] = [:]
    ) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments, input: input, environment: environment)
    }

    /// Runs a subcommand that has to succeed, and reads the JSON it prints.
    private static func json(_ daemon: LiveDaemon, _ arguments: [String], input: String = "") async throws -> JSONValue
    {
        let outcome = try await scenectl(arguments + ["--socket", daemon.socket, "--json"], input: input)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.errors == "")
        return try JSONValue(parsing: outcome.output)
    }

    /// Every subcommand that sends an event, and the outcome.
    static let events: [(arguments: [String], input: String, outcome: String)] = [
        (["openurl", "https://shop.example/product/p1", "--source", "com.apple.MobileSMS"], "", "applied"),
        (["push", "-"], #"{"aps": {"alert": "x"}, "url": "qcommerce://orders"}"#, "applied"),
        (["push", "-", "--interaction", "present"], #"{"aps": {"alert": "x"}}"#, "delivered"),
        (
            [
                "activity", "com.example.shop.view", "--handoff", "--title", "A product", "--user-info",
                #"{"destination": "product", "parameters": {"id": "p1004"}}"#,
            ], "", "applied"
        ),
        (["activity", "NSUserActivityTypeBrowsingWeb", "--webpage", "https://shop.example/orders"], "", "applied"),
        (["widget", "order-status", "--user-info", #"{"order": "o7"}"#, "--family", "systemSmall"], "", "gated"),
        (["widget", "deals", "--url", "qcommerce://category/tea"], "", "applied"),
        (["shortcut", "com.example.shop.cart", "--target-content", "cart"], "", "gated"),
    ]

    @Test("sends events and prints receipts, for people and for programs", arguments: events)
    func sends(arguments: [String], input: String, outcome: String) async throws {
        try await LiveDaemon.run { daemon in
            _ = try await Self.json(daemon, ["connect", "A"])
            let delivery = ["--scene", "A", "--event", "mine", "--wait", "settled"]
            let receipt = try await Self.json(daemon, arguments + delivery, input: input)
            #expect(receipt["outcome"] == .string(outcome))
            #expect(receipt["event"] == "mine" && receipt["scene"] == "A" && receipt["ticket"] == 1)
            #expect(try await Self.json(daemon, ["receipt", "mine"]) == receipt)
            let again = try await Self.scenectl(arguments + delivery + ["--socket", daemon.socket], input: input)
            #expect(again.status == .exited(0))
            #expect(again.output.contains("A #1") && again.output.contains(outcome))
            #expect(again.output.contains("mine, sent before"))
            #expect(!again.output.contains("\u{1B}"), "no colours without a terminal")
        }
    }

    @Test("sends what happens inside a window: intents, taps, swipes, results of flows")
    func insideAWindow() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await Self.json(daemon, ["connect", "A"])
            func expect(_ arguments: [String], _ outcome: String, _ reason: String? = nil) async throws {
                let receipt = try await Self.json(daemon, arguments)
                #expect(receipt["outcome"] == .string(outcome), "\(arguments)")
                #expect(receipt["reason"]?.stringValue == reason, "\(arguments)")
            }
            // The only window need not be named.
            try await expect(["intent", "productSelected", "id=p1"], "applied")
            try await expect(["back"], "applied")
            try await expect(["back", "--scene", "A"], "ignored", "nothingToPop")
            try await expect(["tap", "orders"], "applied")
            try await expect(["openurl", "qcommerce://cart", "--event", "cart"], "gated")
            try await expect(["swipe", "down", "--cancel"], "ignored", "swipeCancelled")
            let drawing = try await Self.scenectl(["show", "--socket", daemon.socket])
            #expect(drawing.output.contains("sheet: auth"))
            #expect(drawing.output.contains("├ home") && drawing.output.contains("└ account"))
            #expect(drawing.output.contains("└ auth"))
            try await expect(
                [
                    "finish", "auth", "--completed", "--user", "anna", "--fact", #"cart=["p1"]"#, "--fact",
                    "paymentMethod=card",
                ],
                "applied"
            )
            try await expect(["openurl", "qcommerce://cart", "--event", "cart", "--wait", "finished"], "applied")
            try await expect(["intent", "checkoutTapped"], "applied")
            try await expect(["swipe", "down"], "ignored", "notSwipeable")
            try await expect(["finish", "checkout", "--cancelled"], "applied")
            try await expect(["intent", "checkoutTapped"], "applied")
            try await expect(["dismiss"], "applied")
            try await expect(["intent", "nobodyKnows"], "rejected", "unhandledIntent")
            // A covered screen by itself, and a container that is not there.
            try await expect(["openurl", "qcommerce://product/p1"], "applied")
            try await expect(["intent", "accountTapped", "--from", "home"], "applied")
            try await expect(["intent", "accountTapped", "--from", "sheet of auth"], "rejected", "unhandledIntent")
            let nowhere = try await Self.scenectl([
                "intent", "accountTapped", "--from", "nowhere", "--socket", daemon.socket,
            ])
            #expect(nowhere.status == .exited(1) && nowhere.errors.contains("\"nowhere\""), "\(nowhere.errors)")
            _ = try await Self.json(daemon, ["connect", "B"])
            for wrong in [
                ["back"], ["intent", "productSelected", "p1", "--scene", "A"], ["swipe", "up"], ["finish", "auth"],
                ["finish", "auth", "--completed", "--fact", "card", "--scene", "A"],
                ["finish", "auth", "--completed", "--value", "card", "--scene", "A"],
                ["finish", "auth", "--completed", "--value", "a=b", "--value", "a=c", "--scene", "A"],
                ["finish", "auth", "--cancelled", "--value", "a=b", "--scene", "A"],
            ] {
                let outcome = try await Self.scenectl(wrong + ["--socket", daemon.socket])
                #expect(outcome.status == .exited(2), "\(wrong): \(outcome.output)")
                #expect(!outcome.errors.isEmpty)
            }
            let refused = try await Self.scenectl([
                "finish", "auth", "--completed", "--scene", "A", "--socket", daemon.socket,
            ])
            #expect(refused.status == .exited(1))
            #expect(refused.errors.contains("user"))
        }
    }

    @Test("pushes the payload in a file")
    func pushFile() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/sale.apns"
        try #"{"aps": {"alert": "x"}, "url": "qcommerce://orders", "Simulator Target Bundle": "com.example.shop"}"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run { daemon in
            let receipt = try await Self.json(daemon, ["push", file])
            #expect(receipt["outcome"] == "applied")
        }
    }

    @Test("opens, lists and draws windows, and changes the session")
    func windowsAndSession() async throws {
        try await LiveDaemon.run { daemon in
            #expect(try await Self.json(daemon, ["list"])["scenes"] == [])
            #expect(try await Self.json(daemon, ["connect", "A"])["id"] == "A")
            #expect(
                try await Self.json(daemon, ["connect", "B", "--configuration", "detail"])["configuration"] == "detail"
            )
            #expect(try await Self.json(daemon, ["connect"])["id"]?.stringValue?.isEmpty == false)
            #expect(try await Self.json(daemon, ["list"])["scenes"]?.arrayValue?.count == 3)
            #expect(try await Self.json(daemon, ["show", "B"])["scenes"]?[0]?["id"] == "B")
            let drawing = try await Self.scenectl(["show", "--socket", daemon.socket])
            for word in ["A", "B", "home", "orders", "account"] { #expect(drawing.output.contains(word)) }

            #expect(try await Self.json(daemon, ["session"])["revision"] == 0)
            #expect(try await Self.json(daemon, ["session", "get"])["epoch"] == 0)
            let signedIn = try await Self.json(
                daemon,
                ["session", "sign-in", "anna", "--facts", #"{"paymentMethod": "card"}"#, "--scene", "B"]
            )
            #expect(signedIn["user"] == "anna" && signedIn["facts"]?["paymentMethod"] == "card")
            let set = try await Self.json(
                daemon,
                ["session", "set", #"cart=["p1"]"#, "market=de", "--remove", "paymentMethod", "--expect", "1"]
            )
            #expect(set["facts"]?["cart"] == ["p1"] && set["facts"]?["market"] == "de")
            #expect(set["facts"]?["paymentMethod"] == nil)
            #expect(try await Self.json(daemon, ["session", "sign-out"])["user"] == nil)
        }
    }

    @Test("prints records, one JSON object a line")
    func records() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await Self.json(daemon, ["openurl", "qcommerce://orders", "--event", "mine"])
            func lines(_ arguments: String...) async throws -> [JSONValue] {
                let outcome = try await Self.scenectl(
                    ["records", "--json", "--socket", daemon.socket] + arguments
                )
                #expect(outcome.status == .exited(0))
                return try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            }
            let all = try await lines()
            #expect(try await daemon.records() == all.compactMap(\.objectValue))
            #expect(try await lines("--after", "3") == Array(all.dropFirst(3)))
            #expect(try await lines("--event", "mine") == all.filter { $0["event"] == "mine" })
            #expect(try await lines("--scene", "nowhere") == [])
            let readable = try await Self.scenectl(["records", "--socket", daemon.socket])
            #expect(readable.output.split(separator: "\n").count == all.count)

            let follower = try Command([
                Command.built("scenectl"), "records", "-f", "--json", "--socket", daemon.socket,
            ])
            for record in all { #expect(try follower.value() == record) }
            follower.signal(2)
            follower.end()
        }
    }

    /// What the daemon refuses, and what the message must contain.
    static let refused: [(arguments: [String], input: String, words: [String])] = [
        (["openurl", "qcommerce://nowhere"], "", ["No route", "qcommerce://nowhere", "scenectl routes"]),
        (["openurl", "qcommerce://product/1004"], "", ["id", "p[0-9]{1,9}"]),
        (["openurl", "https://shop.example/help/returns"], "", ["excludes", "browser"]),
        (["openurl", "qcommerce://home", "--scene", "Z"], "", ["No window 'Z'", "scenectl list"]),
        (["openurl", "nonsense"], "", ["Malformed"]), (["widget", "clock"], "", ["does not handle this widget"]),
        (["push", "-"], #"{"aps": 1}"#, ["aps", "object"]), (["show", "Z"], "", ["No window 'Z'"]),
        (["receipt", "nothing"], "", ["no event 'nothing'"]),
        (["connect", "A", "--configuration", "wide"], "", ["no scene configuration 'wide'"]),
        (["connect", "a b"], "", ["scene: ", "a character that no name has"]),
        (["session", "set", "colour=red"], "", ["Fact 'colour'"]),
        (["session", "set", "market=de", "--expect", "7"], "", ["revision 0, not 7"]),
    ]

    @Test("a refusal ends with status 1 and says what to do", arguments: refused)
    func refuses(arguments: [String], input: String, words: [String]) async throws {
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(arguments + ["--socket", daemon.socket], input: input)
            #expect(outcome.status == .exited(1))
            #expect(outcome.output == "")
            for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
        }
    }

    /// Wrong usage, and what the message must contain.
    static let misused: [(arguments: [String], input: String, words: [String])] = [
        (["open"], "", ["open", "Usage"]), (["openurl"], "", ["<url>"]),
        (["openurl", "qcommerce://home", "--wait", "forever"], "", ["forever", "admitted"]),
        (["push", "/nonexistent/file"], "", ["/nonexistent/file", "No such file"]),
        (["push", "-"], "{", ["standard input"]), (["push", "-"], "[1]", ["JSON object", "array"]),
        (["push", "-"], "", ["standard input"]),
        (["activity", "a.b", "--user-info", "{"], "", ["--user-info"]), (["session", "set"], "", ["name=value"]),
        (["session", "set", "=x"], "", ["name=value"]), (["records", "--after=-1"], "", ["--after", "0 or more"]),
    ]

    @Test("wrong usage ends with status 2 and a message about what was expected", arguments: misused)
    func misuses(arguments: [String], input: String, words: [String]) async throws {
        let outcome = try await Self.scenectl(
            arguments,
            input: input,
            environment: ["SCENED_SOCKET": "/nonexistent/io.scened"]
        )
        #expect(outcome.status == .exited(2), "\(outcome.errors)")
        #expect(outcome.output == "")
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    }

    @Test(
        "without a daemon every verb ends with status 3 and says how to start one",
        arguments: [
            ["openurl", "qcommerce://home"], ["push", "-"], ["activity", "a"], ["widget", "a"], ["shortcut", "a"],
            ["intent", "a"], ["tap", "home"], ["back"], ["swipe", "down"], ["dismiss"],
            ["finish", "auth", "--cancelled"],
            ["connect"], ["list"], ["show"], ["session"], ["session", "sign-in", "a"], ["session", "sign-out"],
            ["session", "set", "market=de"], ["records"], ["records", "--follow"], ["receipt", "a"],
        ]
    )
    func noDaemon(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/io.scened"
        let outcome = try await Self.scenectl(arguments, input: "{}", environment: ["SCENED_SOCKET": path])
        #expect(outcome.status == .exited(3), "\(outcome.errors)")
        #expect(outcome.output == "")
        for word in [path, "scened", "--socket"] { #expect(outcome.errors.contains(word)) }
    }

    @Test(
        "every subcommand has help, with status 0",
        arguments: [
            [], ["openurl"], ["push"], ["activity"], ["widget"], ["shortcut"], ["connect"], ["list"], ["show"],
            ["intent"], ["tap"], ["back"], ["swipe"], ["dismiss"], ["finish"],
            ["session"], ["session", "sign-in"], ["records"], ["receipt"], ["demo"],
        ]
    )
    func help(verb: [String]) async throws {
        let outcome = try await Self.scenectl(verb + ["--help"])
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.contains("USAGE: scenectl"))
        #expect(outcome.errors == "")
    }

    @Test("the demo shows everything and ends by itself")
    func demo() async throws {
        let outcome = try await Self.scenectl(["demo"])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.errors == "")
        for word in ["universal link", "push", "widget", "Handoff", "gated", "login", "applied", "swept", "race"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        #expect(!outcome.output.contains("\\u{"), "a line is printed as a control character")
    }
}
