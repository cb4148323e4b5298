import Basics
import Foundation
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Scripts for a simulator. None was ever run on one here: a program in the place of `xcrun` tells what it was asked for.
@Suite("Scripts for a simulator", .timeLimit(.minutes(15)))
struct SimctlScriptTests {
    /// What is written for a script of these steps.
    private static func export(_ steps: [JSONObject], _ options: [String] = []) async throws -> Program.Outcome {
        let script = steps.map { JSONValue.object($0).text() + "\n" }.joined()
        return try await Program.run(
            Command.built("scenectl"),
            ["play", "-", "--export", "simctl"] + options,
            input: script
        )
    }

    /// The commands that a shell script gives to `xcrun`, with what they read.
    /// - Parameter refused: The verb that fails.
    private static func commands(
        of script: String,
        _ arguments: [String] = [],
        bundle: String? = "com.example.app",
        refused: String = ""
    ) async throws -> (commands: [[String]], status: TerminationStatus, errors: String) {
        let folder = try TemporaryDirectory()
        let program = """
            #!/bin/sh
            printf '%s\\0' "$@" >> "\(folder.path)/called"
            [ "$2" != push ] || { cat && printf '\\0'; } >> "\(folder.path)/called"
            printf '\\0\\0' >> "\(folder.path)/called"
            [ "$2" != "\(refused)" ]
            """
        try await Program.write(program, to: "\(folder.path)/xcrun")
        // Nothing waits for time here.
        try await Program.write("#!/bin/sh\n", to: "\(folder.path)/sleep")
        try Data(script.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/bug.sh"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try await Program.run(
            "/bin/sh",
            ["\(folder.path)/bug.sh"] + arguments,
            environment: ["PATH": "\(folder.path):\(path)", "BUNDLE": bundle]
        )
        let called = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/called"))) ?? Data()
        var commands: [[String]] = []
        var words: [String] = []
        for word in called.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
            if word.isEmpty, words.last == "" {
                commands.append(Array(words.dropLast()))
                words = []
            } else {
                words.append(String(decoding: word, as: UTF8.self))
            }
        }
        return (commands, outcome.status, outcome.errors)
    }

    @Test("the first window is the app's launch, links and pushes are sent, and the last window is the app's end")
    func life() async throws {
        let written = try await Self.export([
            ["at": 0, "call": "Scenes.Connect", "parameters": ["scene": "A"]],
            ["at": 500, "call": "Events.OpenURL", "parameters": ["url": "shop://cart", "scene": "A"]],
            ["call": "Scenes.Connect", "parameters": ["scene": "B"]],
            ["call": "Events.OpenURLs", "parameters": ["urls": ["shop://a", "shop://b"], "order": [2, 1]]],
            [
                "call": "Events.ContinueActivity",
                "parameters": [
                    "activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": "https://shop.example/cart",
                ],
            ],
            ["call": "Events.Push", "parameters": ["payload": ["aps": ["alert": "x"], "url": "shop://cart"]]],
            ["call": "Events.TapWidget", "parameters": ["kind": "orders", "url": "shop://orders"]],
            ["call": "Scenes.Discard", "parameters": ["scene": "B"]],
            ["call": "Scenes.Disconnect", "parameters": ["scene": "A"]],
        ])
        try #require(written.status == .exited(0), "\(written.errors)")
        let run = try await Self.commands(of: written.output, ["6A1B"])
        #expect(run.status == .exited(0))
        #expect(
            run.commands.map { $0.joined(separator: " ").split(separator: "\n").joined() } == [
                "simctl launch 6A1B com.example.app", "simctl openurl 6A1B shop://cart", "simctl openurl 6A1B shop://b",
                "simctl openurl 6A1B shop://a", "simctl openurl 6A1B https://shop.example/cart",
                #"simctl push 6A1B com.example.app - {"aps":{"alert":"x"},"url":"shop://cart"}"#,
                "simctl openurl 6A1B shop://orders", "simctl terminate 6A1B com.example.app",
            ]
        )
        #expect(
            run.errors.split(separator: "\n").map(String.init) == [
                "by hand: open another window of the app, 'B' (on an iPad)", "by hand: tap the notification",
                "by hand: close window 'B'",
            ]
        )
    }

    @Test("the script's intervals are kept, divided by --speed, or left out with --restful")
    func intervals() async throws {
        let steps: [JSONObject] = [
            ["at": 0, "call": "Scenes.Connect", "parameters": ["scene": "A"]],
            ["at": 2_000, "call": "Events.OpenURL", "parameters": ["url": "shop://cart", "scene": "A"]],
            ["at": 182_000, "call": "Events.OpenURL", "parameters": ["url": "shop://cart", "scene": "A"]],
        ]
        for (options, waits) in [
            ([], ["sleep 2.000", "by_hand 'let 180 s pass, or what depends on them'"]),
            (["--speed", "4"], ["sleep 0.500", "sleep 45.000"]), (["--restful"], []),
            (["--speed", "0.5"], ["sleep 4.000", "by_hand 'let 360 s pass, or what depends on them'"]),
        ] as [([String], [String])] {
            let written = try await Self.export(steps, options)
            let lines = written.output.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.hasPrefix("sleep ") || $0.hasPrefix("by_hand '") } == waits, "\(options)")
        }
    }

    @Test("a command that fails does not keep the others from being sent, and is the status")
    func failure() async throws {
        let written = try await Self.export([
            ["call": "Scenes.Connect", "parameters": ["scene": "A"]],
            ["call": "Events.OpenURL", "parameters": ["url": "shop://nowhere"], "expect": ["error": "UnknownRoute"]],
            ["call": "Scenes.Discard", "parameters": ["scene": "A"]],
        ])
        let run = try await Self.commands(of: written.output, refused: "openurl")
        #expect(run.status == .exited(1))
        #expect(run.commands.map { $0.dropFirst().first } == ["launch", "openurl", "terminate"])
        #expect(run.errors == "failed: simctl openurl\n")
    }

    @Test("whose app it is, a script is told when it is run or when it is written")
    func bundle() async throws {
        let steps: [JSONObject] = [["call": "Scenes.Connect", "parameters": ["scene": "A"]]]
        let open = try await Self.export(steps)
        let without = try await Self.commands(of: open.output, bundle: nil)
        #expect(without.status != .exited(0))
        #expect(without.commands.isEmpty)
        #expect(without.errors.contains("set it to the bundle identifier of the app"))
        let named = try await Self.export(steps, ["--bundle", "com.example.shop"])
        let run = try await Self.commands(of: named.output, bundle: nil)
        #expect(run.commands == [["simctl", "launch", "booted", "com.example.shop"]])
    }

    @Test("whatever a text contains, a shell hands it on byte by byte, and it cannot say more than itself")
    func hostileTexts() async throws {
        let pieces = [
            "'", "'\u{301}", "\"", "\\", "$(id >&2)", "`id >&2`", "\n", "\r\nPAYLOAD\n", "PAYLOAD", ";", "# ", "é", "!",
            "*", " ",
        ]
        var numbers = SplitMix(seed: 20)
        func text() -> String {
            (0..<Int.random(in: 1...8, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                .joined()
        }
        let urls = (0..<60).map { _ in "shop://" + text() }
        var steps: [JSONObject] = []
        for url in urls {
            steps.append(["call": "Events.OpenURL", "parameters": ["url": .string(url), "scene": .string(text())]])
            steps.append(["call": "Events.Push", "parameters": ["payload": ["aps": [:], "x": .string(url)]]])
            steps.append(["call": "Session.SignIn", "parameters": ["user": .string(url)]])
        }
        let written = try await Self.export(steps)
        try #require(written.status == .exited(0), "\(written.errors)")
        let run = try await Self.commands(of: written.output)
        #expect(run.status == .exited(0))
        let opened = run.commands.filter { $0.contains("openurl") }.compactMap(\.last)
        let pushed = run.commands.filter { $0.contains("push") }.compactMap(\.last)
        #expect(opened.count == urls.count && pushed.count == urls.count)
        for (url, (link, payload)) in zip(urls, zip(opened, pushed)) {
            let sent = url.unicodeScalars.map { $0 == "\n" ? "%0A" : $0 == "\r" ? "%0D" : String($0) }.joined()
            #expect(sent.hasSameBytes(as: link))
            #expect(try JSONValue(parsing: payload)["x"]?.stringValue.map(url.hasSameBytes) == true)
        }
        #expect(!run.errors.contains("uid="))
    }

    @Test("each method of a script's interfaces is known, and one that is not is named")
    func methods() async throws {
        let protocolFolder = Self.protocolFolder
        for interface in [
            "Events", "Scenes", "Session", "Control", "Adapters", "Manager", "Recording", "Records", "Routing",
        ] {
            let file = try String(contentsOfFile: "\(protocolFolder)/io.scened.\(interface).varlink", encoding: .utf8)
            let methods = file.split(separator: "\n").filter { $0.hasPrefix("method ") }
                .map { String($0.dropFirst("method ".count).prefix { $0 != "(" }) }
            #expect(!methods.isEmpty)
            for method in methods {
                let parameters: JSONObject = [
                    "url": "shop://a", "urls": ["shop://a", "shop://b"], "payload": ["aps": ["alert": "x"]],
                    "gesture": "back",
                    "activation": "background",
                ]
                let outcome = try await Self.export([
                    ["call": .string("\(interface).\(method)"), "parameters": .object(parameters)]
                ])
                #expect(outcome.status == .exited(0), "\(interface).\(method): \(outcome.errors)")
            }
        }
        let wrong = try await Self.export([["call": "Events.OpenUrl"]])
        #expect(wrong.status == .exited(2))
        #expect(
            wrong.errors.contains(
                "standard input, step 1: call: 'OpenUrl' is no method of Events. Did you mean 'Events.OpenURL'?"
            )
        )
    }

    private static let protocolFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("protocol").path
}
