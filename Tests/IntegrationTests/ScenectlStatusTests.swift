import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// The exit statuses of `scenectl`, what it expects of an event, how long it waits, and its errors as JSON.
@Suite("scenectl's exit statuses", .timeLimit(.minutes(15)))
struct ScenectlStatusTests {
    private static func scenectl(_ daemon: LiveDaemon, _ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
    }

    /// The object on the last line of standard error.
    private static func error(_ outcome: Program.Outcome) throws -> JSONObject {
        let line = outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
        return try #require(try JSONValue(parsing: line).objectValue, "\(outcome.errors)")
    }

    // MARK: - Expectations

    /// Events in a window that shows the shop's start, what is expected, and whether it comes so.
    static let expectations: [(event: [String], expect: String, status: Int32)] = [
        (["openurl", "qcommerce://product/p1"], "applied", 0),
        (["openurl", "qcommerce://product/p1"], "unchanged,applied", 0),
        (["openurl", "qcommerce://product/p1"], "unchanged", 5),
        (["openurl", "qcommerce://cart"], "gated", 0),
        (["openurl", "qcommerce://cart"], "gated:signedIn", 0),
        (["openurl", "qcommerce://cart"], "applied,rejected:inStock", 5),
        (["openurl", "qcommerce://product/p1", "qcommerce://orders"], "applied,unchanged", 0),
        (["openurl", "qcommerce://product/p1", "qcommerce://cart"], "applied", 5),
        (["activity", "NSUserActivityTypeBrowsingWeb", "--webpage", "https://shop.example/orders"], "applied", 0),
        (["drag", "A", "https://shop.example/product/p1"], "applied", 0),
        (["spotlight", "product/p1"], "gated", 5),
        (["widget", "deals", "--url", "qcommerce://category/tea"], "applied", 0),
        (["shortcut", "com.example.shop.cart"], "gated:signedIn", 0),
        (["intent", "nobodyKnows"], "rejected:unhandledIntent", 0),
        (["tap", "orders"], "ignored", 5),
        (["back"], "ignored:nothingToPop", 0),
        (["back"], "ignored:backHidden", 5),
        (["swipe", "back"], "ignored", 0),
        (["dismiss"], "ignored:nothingPresented", 0),
        (["finish", "auth", "--cancelled"], "rejected:noSuchFlow", 0),
    ]

    @Test("an event that comes as expected is done, and any other is status 5", arguments: expectations)
    func expects(event: [String], expect: String, status: Int32) async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            let outcome = try await Self.scenectl(daemon, event + ["--expect", expect])
            #expect(outcome.status == .exited(status), "\(outcome.errors)")
            #expect(!outcome.output.isEmpty, "the receipt is printed in any case")
            if status == 0 {
                #expect(outcome.errors == "")
            } else {
                for word in ["expected", "came", "'scenectl why auto-"] {
                    #expect(outcome.errors.contains(word), "\(outcome.errors)")
                }
            }
        }
    }

    @Test("what cannot come is wrong usage, with the name that was meant, and nothing is sent")
    func impossible() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            for (expect, more, words) in [
                ("aplied", [], ["'aplied'", "Did you mean 'applied'?"]), ("", [], ["The outcomes are"]),
                ("applied:now", [], ["'applied' has no reason"]), ("gated:", [], ["a reason behind ':'"]),
                ("gated:signdIn", [], ["there is no precondition 'signdIn'", "did you mean 'signedIn'?"]),
                ("rejected:inStok", [], ["did you mean 'inStock'?"]),
                ("applied,ignored:nothingToPopp", [], ["did you mean 'nothingToPop'?"]),
                ("rejected:signedInn", [], ["did you mean 'signedIn'?"]), ("abandoned:zzzzzz", [], ["userLeft"]),
                ("applied", ["--wait", "admitted"], ["always 'admitted'"]), ("admitted", [], ["--wait settled"]),
                ("gated", ["--wait", "finished"], ["--wait finished"]),
            ] as [(String, [String], [String])] {
                let outcome = try await Self.scenectl(
                    daemon,
                    ["openurl", "qcommerce://home", "--expect", expect] + more
                )
                #expect(outcome.status == .exited(2), "\(expect): \(outcome.errors)")
                for word in words { #expect(outcome.errors.contains(word), "\(expect): \(outcome.errors)") }
            }
            #expect(try await daemon.client().scene("A").admitted == 0)
            let superseded = try await Self.scenectl(
                daemon,
                ["openurl", "qcommerce://product/p1", "--expect", "applied,superseded:mine"]
            )
            #expect(superseded.status == .exited(0), "any event may supersede: \(superseded.errors)")
        }
    }

    @Test("a receipt is compared, too, and the difference told as JSON")
    func receipt() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().openURL("qcommerce://cart", .init(event: "cart"))
            let outcome = try await Self.scenectl(daemon, ["receipt", "cart", "--expect", "applied", "--json"])
            #expect(outcome.status == .exited(5))
            #expect(try JSONValue(parsing: outcome.output)["outcome"] == "gated")
            let error = try Self.error(outcome)
            #expect(error["error"] == "scenectl.Unexpected" && error["status"] == 5)
            #expect(
                error["parameters"] == [
                    "expected": ["applied"],
                    "came": [["event": "cart", "outcome": "gated", "precondition": "signedIn"]],
                ]
            )
        }
    }

    // MARK: - Timeouts

    @Test("an event that does not settle in time is status 6, stays admitted, and it is told where it stands")
    func timesOut() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "350"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            try await client.advance(by: .milliseconds(1_000))
            // The timeout is in real time, and as short as can be: whatever the machine does meanwhile, no reply can come.
            let first = try await Self.scenectl(
                daemon,
                [
                    "openurl", "qcommerce://product/p1", "--scene", "A", "--event", "first", "--timeout", "500ms",
                    "--json",
                ]
            )
            #expect(first.status == .exited(6), "\(first.errors)")
            #expect(first.output == "")
            let error = try Self.error(first)
            #expect(error["error"] == "scenectl.TimedOut" && error["status"] == 6)
            #expect(error["parameters"]?["timeoutMilliseconds"] == 500)
            try await Self.untilSettledDown(client)
            let second = try await Self.scenectl(
                daemon,
                ["back", "--scene", "A", "--event", "second", "--wait", "finished", "--timeout", "500ms"]
            )
            // A gesture during a transition is ignored at once, so it does not wait.
            #expect(second.status == .exited(0), "\(second.errors)")
            let third = try await Self.scenectl(
                daemon,
                ["openurl", "qcommerce://orders", "--scene", "A", "--event", "third", "--timeout", "10s"]
            )
            #expect(third.status == .exited(6), "\(third.errors)")
            for word in [
                "Timed out after 10s", "'third' is admitted and waits in the mailbox of window A behind 'first'",
                "until 1350 ms", "stands at 1000 ms", "'scenectl advance 350'", "It stays admitted", "receipt third",
            ] {
                #expect(third.errors.contains(word), "\(third.errors)")
            }
            try await client.advance(by: .seconds(10))
            #expect(try await client.receipt(of: "first").outcome == .applied)
            #expect(try await client.receipt(of: "third").outcome == .applied)
        }
    }

    /// Returns when every window is idle, held or asleep.
    private static func untilSettledDown(_ client: SceneClient) async throws { try await client.advance(by: .zero) }

    @Test("a wait on a clock that stands, or behind a hold, says after a second how to go on")
    func tells() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "350"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let hint =
                "scenectl: 'auto-1' is admitted and is in a transition until 350 ms, and the virtual clock stands at 0 ms."
                + " 'scenectl advance 350' ends the transition.\n"
            async let opened = Self.told(daemon, ["openurl", "qcommerce://product/p1", "--scene", "A", "--json"]) {
                text in
                guard text == hint else { return false }
                try await client.advance(by: .milliseconds(350))
                return true
            }
            let receipt = try await opened
            #expect(receipt.status == 0 && receipt.errors == hint)
            #expect(try JSONValue(parsing: receipt.output)["outcome"] == "applied")

            let hold = try await daemon.connect().hold("planned", "A")
            let caught = try await Self.told(daemon, ["openurl", "qcommerce://orders", "--scene", "A"]) { text in
                guard text.contains("is held at planned by h1. 'scenectl release h1' lets it go on.\n") else {
                    return false
                }
                try await hold.release()
                try await client.advance(by: .seconds(1))
                return true
            }
            #expect(caught.status == 0, "\(caught.errors)")
            let gated = try await Self.told(
                daemon,
                ["openurl", "qcommerce://cart", "--scene", "A", "--wait", "finished"]
            ) { text in
                if text.contains("is in a transition until") { try await client.advance(by: .seconds(1)) }
                guard text.contains("is gated: it waits until signedIn holds.") else { return false }
                _ = try await client.signIn(user: "anna")
                try await client.advance(by: .seconds(5))
                return true
            }
            #expect(gated.status == 0 && gated.output.contains("applied"), "\(gated.errors)")
        }
    }

    /// Runs a subcommand and calls `react` with what it has written to standard error so far, again and again until it returns `true`.
    private static func told(
        _ daemon: LiveDaemon,
        _ arguments: [String],
        react: (String) async throws -> Bool
    ) async throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: Command.built("scenectl"))
        process.arguments = arguments + ["--socket", daemon.socket]
        let directory = try TemporaryDirectory()
        let (output, errors) = ("\(directory.path)/out", "\(directory.path)/err")
        for path in [output, errors] { try #require(FileManager.default.createFile(atPath: path, contents: nil)) }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
        try await until("it is told") { try await react(String(contentsOfFile: errors, encoding: .utf8)) }
        process.waitUntilExit()
        return (
            process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8),
            try String(contentsOfFile: errors, encoding: .utf8)
        )
    }

    /// Subcommands that wait for a window that is held.
    static let waits = [
        ["quiesce"], ["quiesce", "--scene", "A"], ["activate", "A", "foregroundInactive"], ["disconnect", "A"],
    ]

    @Test("other subcommands that wait give up in time, too, and tell what holds the window", arguments: waits)
    func otherWaits(arguments: [String]) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let hold = try await daemon.connect().hold("planned", "A")
            _ = try await client.openURL("qcommerce://orders", .init(scene: "A", event: "e", wait: .admitted))
            try await hold.caught()
            let outcome = try await Self.scenectl(daemon, arguments + ["--timeout", "10s"])
            #expect(outcome.status == .exited(6), "\(outcome.errors)")
            for word in ["Timed out after 10s, waiting for", "Window A, which handles 'e', is held at planned by h1."] {
                #expect(outcome.errors.contains(word), "\(outcome.errors)")
            }
            try await hold.release()
        }
    }

    @Test("following and holding end in time", arguments: [["watch"], ["records", "--follow"], ["hold", "planned"]])
    func following(arguments: [String]) async throws {
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(daemon, arguments + ["--timeout", "1ms"])
            // A hold ends at the end of standard input as well.
            let statuses: [Int32] = arguments[0] == "hold" ? [0, 6] : [6]
            #expect(statuses.contains { outcome.status == .exited($0) }, "\(outcome.errors)")
        }
    }

    @Test("what waits for a root's flow or the lock's can be expected by that flow's name")
    func gatesOfFlows() async throws {
        for (app, url, gate) in [("club", "club://booking", "welcome"), ("bank", "bank://card", "login")] {
            try await LiveDaemon.run(["--app", app]) { daemon in
                let outcome = try await Program.run(
                    Command.built("scenectl"),
                    ["openurl", url, "--expect", "gated:\(gate)", "--socket", daemon.socket]
                )
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
            }
        }
    }

    @Test("a hold ends with its command, which is ended in time")
    func holdsCommand() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            let arguments = ["hold", "planned", "--timeout", "100ms", "--socket", daemon.socket, "--", "sleep", "600"]
            let outcome = try await Program.run(Command.built("scenectl"), arguments)
            #expect(outcome.status == .exited(6), "\(outcome.errors)")
            #expect(outcome.errors.contains("waiting for 'sleep' to end; h1 is released"))
            // Nothing is held any more.
            #expect(try await daemon.client().openURL("qcommerce://orders", .init(scene: "A")).outcome == .applied)
        }
    }

    @Test("a hold under which nothing came to be held is told, and fails with --must-catch")
    func catchesNothing() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            func hold(_ words: [String], _ command: String) async throws -> Program.Outcome {
                try await Program.run(
                    Command.built("scenectl"),
                    ["hold", "planned"] + words + ["--socket", daemon.socket, "--", "sh", "-c", command],
                    environment: ["SCENED_SOCKET": daemon.socket, "SCENECTL": Command.built("scenectl")]
                )
            }
            let message = "scenectl: nothing came to be held at planned, so the race was not tested.\n"
            let told = try await hold(["--scene", "A"], "true")
            #expect(told.status == .exited(0) && told.errors == message, "\(told)")
            let missed = try await hold(["--event", "other", "--must-catch"], "true")
            #expect(missed.status == .exited(5) && missed.errors == message, "\(missed)")
            let reset = try await hold(["--must-catch"], "$SCENECTL reset; $SCENECTL connect A > /dev/null")
            #expect(reset.status == .exited(5) && reset.errors == message, "a reset ends the hold: \(reset)")
            let failed = try await hold(["--must-catch"], "exit 7")
            #expect(failed.status == .exited(7) && failed.errors == "", "\(failed)")
            let open = "$SCENECTL openurl --wait admitted --scene A qcommerce://orders"
            // Held to the end, asked for by the command itself, and let go by it.
            for rest in ["", "; $SCENECTL quiesce --scene B 2> /dev/null; true", "; $SCENECTL release $SCENED_HOLD"] {
                let caught = try await hold(["--scene", "A", "--must-catch"], open + rest)
                #expect(caught.status == .exited(0) && caught.errors == "", "\(rest): \(caught)")
                try await daemon.client().quiesce(timeout: .seconds(120))
            }
        }
    }

    @Test("a number is a text for a fact that is one, and for no other")
    func factsAreTexts() async throws {
        try await LiveDaemon.run { daemon in
            let set = try await Program.run(
                Command.built("scenectl"),
                [
                    "session", "set", "order=007", "review=true", "market=12.50", "cart=[\"p1\"]", "--socket",
                    daemon.socket,
                ]
            )
            #expect(set.status == .exited(0), "\(set)")
            let facts = try await daemon.client().call("io.scened.Session.Get")["session"]?["facts"]
            #expect(facts?["order"] == "007" && facts?["review"] == "true" && facts?["market"] == "12.50")
            let wrong = try await Program.run(
                Command.built("scenectl"),
                ["session", "set", "cart=7", "--socket", daemon.socket]
            )
            #expect(wrong.status != .exited(0), "\(wrong)")
        }
    }

    private static let expectedTime =
        "expected a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h"

    @Test(
        "a timeout has a unit and is at least a millisecond",
        arguments: ["5", "0s", "5 s", "1x", "0.5s"].map {
            ($0, expectedTime)
        } + [("-5s", "'-5s' is negative; \(expectedTime)")]
    )
    func units(time: String, says: String) async throws {
        for verb in [["quiesce"], ["openurl", "qcommerce://home"], ["watch"], ["hold", "planned"]] {
            let outcome = try await Program.run(Command.built("scenectl"), verb + ["--timeout=\(time)"])
            #expect(outcome.status == .exited(2), "\(verb): \(outcome.errors)")
            #expect(outcome.errors.contains(says), "\(outcome.errors)")
        }
    }

    // MARK: - Errors as JSON

    @Test("with --json a failure is one object on standard error, wrong usage included")
    func errors() async throws {
        try await LiveDaemon.run { daemon in
            for (arguments, name, parameters, status) in [
                (
                    ["openurl", "qcommerce://nowhere"], "io.scened.Events.UnknownRoute",
                    ["url": "qcommerce://nowhere"], 1
                ),
                (["show", "Z"], "io.scened.Scenes.UnknownScene", ["scene": "Z"], 1),
                (
                    ["routes", "x"], "scenectl.Usage",
                    [
                        "usage": "scenectl routes [--reconnect <patience>] [--socket <path>] [--json]",
                        "help": "scenectl routes --help",
                    ], 2
                ),
                (["why", "nobody"], "scenectl.Failed", [:], 1),
                (
                    ["status", "--socket", "/nowhere/s"], "scenectl.NoDaemon",
                    ["socket": "/nowhere/s", "reason": "No such file or directory"], 3
                ),
            ] as [([String], JSONValue, JSONValue, Int)] {
                let outcome = try await Program.run(
                    Command.built("scenectl"),
                    arguments + ["--json"],
                    environment: ["SCENED_SOCKET": daemon.socket]
                )
                #expect(outcome.status == .exited(Int32(status)), "\(arguments): \(outcome.errors)")
                #expect(outcome.output == "")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                let error = try Self.error(outcome)
                #expect(error["error"] == name && error["parameters"] == parameters, "\(error)")
                #expect(error["status"] == .integer(status))
                #expect(error["message"]?.stringValue?.isEmpty == false)
                #expect(error.count == 4)
            }
        }
    }

    @Test("what somebody sent cannot obey a terminal in a JSON error either")
    func harmless() async throws {
        try await LiveDaemon.run { daemon in
            let outcome = try await Self.scenectl(daemon, ["openurl", "qcommerce://\u{1B}[2J\u{202E}", "--json"])
            #expect(outcome.status == .exited(1))
            #expect(!outcome.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            _ = try Self.error(outcome)
        }
    }

    @Test("the statuses on the page about the command line are those of the help")
    func documented() async throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/scened/scened.docc/CommandLine.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| ([0-9]+) \| (.*) \|/).map { "  \($0.1)  \($0.2.replacing("`", with: ""))" }
        }
        let help = try await Program.run(Command.built("scenectl"), ["--help"], environment: ["COLUMNS": "400"]).output
        let lines = help.split(separator: "\n").map(String.init)
        let table = lines.drop { !$0.hasPrefix("  0  ") }.prefix { $0.contains(#/^  [0-9]+  /#) }
        #expect(rows == Array(table) && rows.count == 13, "\(rows) \(table)")
    }
}
