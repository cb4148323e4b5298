import Basics
import Foundation
import SceneClient
import SceneManifest
import SceneRouting
import SceneSoak
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Scripts as tests of somebody else's suite, and as scenarios. What is written is run, compiled and read by those for whom it is.
@Suite("Scripts for pytest, Swift Testing and races", .timeLimit(.minutes(15)))
struct ScriptExportTests {
    /// What is written for a script.
    static func export(_ script: String, _ target: String, _ options: [String] = []) async throws -> Program.Outcome {
        try await Program.run(
            Command.built("scenectl"),
            ["play", "-", "--export", target] + options,
            input: script
        )
    }

    static func lines(_ steps: [JSONObject]) -> String { steps.map { JSONValue.object($0).text() + "\n" }.joined() }

    private static let root = URL(fileURLWithPath: ProtocolFilesTests.folder).deletingLastPathComponent().path
    private static let hotel = "\(root)/Tests/SceneClientTestingTests/hotel.yaml"

    // MARK: - Recordings

    /// A recording of a random walk through an app, at rest after each step.
    /// - Parameter isHeld: Whether holds come and go meanwhile, two at a time at most.
    private static func recorded(
        _ app: String,
        walk number: Int,
        steps: Int,
        isHeld: Bool
    ) async throws -> String {
        let manifest = try NamedManifest(app, readFile: { try String(contentsOfFile: $0, encoding: .utf8) }).read()
            .manifest
        var walk = try RandomWalks(manifest, seed: 11)[number]
        var script = ""
        try await LiveDaemon.run(["--app", app, "--clock", "virtual", "--start", "2026-11-27T08:00Z"]) { daemon in
            let client = try await daemon.client()
            var holds = RandomHolds(seed: UInt64(number), limit: isHeld ? 2 : 0)
            for step in 1...steps {
                let scenes = try await client.call("io.scened.Scenes.List")["scenes"]?.arrayValue ?? []
                walk.look(at: scenes)
                let call = walk.next()
                // A window's life waits for what is held in it.
                let isFree = call.method.hasPrefix("io.scened.Scenes.")
                try await holds.change(on: client, scenes.compactMap { $0["id"]?.stringValue }, releasesAll: isFree)
                // What was released goes on meanwhile.
                try await client.advance(by: .zero)
                var parameters = call.parameters
                if WalkStep.isEvent(call) { parameters["wait"] = "admitted" }
                do throws(SceneClientError) {
                    _ = try await client.call(call.method, parameters)
                } catch {
                    // What is refused is not recorded.
                    guard error.refusal != nil else { throw error }
                }
                // Some steps have the same time.
                try await client.advance(by: .milliseconds(step.isMultiple(of: 3) ? 700 : 0))
            }
            let recorded = try await Program.run(
                Command.built("scenectl"),
                ["record", "--socket", daemon.socket]
            )
            #expect(recorded.status == .exited(0) && recorded.errors == "", "\(recorded.errors)")
            script = recorded.output
        }
        return script
    }

    /// Recordings of the bank, the shop and an app of the tests' own, by the app; of each two, and one with holds.
    private static let walks = Task {
        var walks: [(app: String, script: String)] = []
        for app in ["bank", "shop", hotel] {
            for number in 0..<3 {
                walks.append((app, try await recorded(app, walk: number, steps: 30, isHeld: number == 2)))
            }
        }
        for (_, script) in walks[..<3] where script.contains("Control.Hold") != script.contains("Control.Await") {
            Issue.record("nothing was held")
        }
        return walks
    }

    private static func steps(_ script: String) throws -> [JSONObject] {
        try script.split(separator: "\n").compactMap { try JSONValue(parsing: String($0)).objectValue }
    }

    /// The script with another outcome of one event than it had, and which step that is.
    private static func falsified(_ script: String) throws -> (script: String, step: Int)? {
        var steps = try steps(script)
        // An intent that nothing takes is written by the reason that is expected of it.
        let place = steps.indices.last { index in
            let receipt = steps[index]["expect"]?["receipt"]
            return receipt?["outcome"]?.stringValue != nil && receipt?["reason"] != "unhandledIntent"
        }
        guard let place, var expect = steps[place]["expect"]?.objectValue else { return nil }
        let outcome = expect["receipt"]?["outcome"] == "superseded" ? "abandoned" : "superseded"
        expect["receipt"] = ["outcome": .string(outcome)]
        steps[place]["expect"] = .object(expect)
        return (lines(steps), place + 1)
    }

    // MARK: - pytest

    @Test(
        "pytest passes what is written for recordings, and where one expectation is wrong it fails at that step",
        .enabled(if: PythonPackage.isPossible, "no .build/python-venv; '.ci/setup test' makes it")
    )
    func pytest() async throws {
        let package = try await PythonPackage.installed.value
        let directory = try TemporaryDirectory()
        var wrong: [(file: String, step: Int)] = []
        for (number, walk) in try await Self.walks.value.enumerated() {
            for options in [[], ["--restful"]] {
                let name = "test_walk_\(number)\(options.isEmpty ? "" : "_restful").py"
                let written = try await Self.export(walk.script, "pytest", ["--app", walk.app] + options)
                #expect(written.status == .exited(0) && written.errors == "", "\(written.errors)")
                try written.output.write(toFile: "\(directory.path)/\(name)", atomically: true, encoding: .utf8)
            }
            guard let (script, step) = try Self.falsified(walk.script) else { continue }
            let written = try await Self.export(script, "pytest", ["--app", walk.app])
            wrong.append(("test_wrong_\(number).py", step))
            try written.output.write(
                toFile: "\(directory.path)/test_wrong_\(number).py",
                atomically: true,
                encoding: .utf8
            )
        }
        #expect(wrong.count > 6)
        let run = try await package.shell(
            ".venv/bin/pytest -p no:cacheprovider '\(directory.path)' --scened='\(Command.built("scened"))' --scened-artifacts='\(directory.path)/results' || true"
        )
        #expect(run.output.contains(" \(wrong.count) failed, 18 passed"), "\(run.output)\(run.errors)")
        for (file, step) in wrong {
            let failed = run.output.split(separator: "\n").contains { line in
                line.hasPrefix(">") && line.contains(/"(superseded|abandoned)"/) && line.hasSuffix("  # step \(step)")
            }
            #expect(failed, "\(file) did not fail at step \(step): \(run.output)")
        }
    }

    // MARK: - Swift

    /// Checks the types of files in Swift against the built modules.
    private static func typeChecked(_ files: [String]) async throws -> Program.Outcome {
        let script = #"""
            cd "$1" && build=$2 && shift 2
            maps=$(find .build/checkouts \( -path "*/include/module.modulemap" -o -path "*/GRDBSQLite/module.modulemap" \) \
                    -not -path "*/Benchmarks/*" -not -path "*/GRDBSQLCipher/*"
                find -L "$build/" -maxdepth 2 -name module.modulemap)
            swiftc -typecheck -swift-version 6 -warnings-as-errors -module-name Exported -I "$build/Modules" -I Sources/CSystemd \
                $(echo "$maps" | sed "s/^/-Xcc -fmodule-map-file=/") "$@"
            """#
        return try await Program.run("/bin/sh", ["-c", script, "sh", root, Command.folder] + files)
    }

    @Test("the compiler takes what is written for recordings and for every method")
    func swift() async throws {
        let directory = try TemporaryDirectory()
        var files: [String] = []
        var scripts = try await Self.walks.value.map(\.script)
        scripts.append(Self.lines(Self.everything))
        for (number, script) in scripts.enumerated() {
            let source = "\(directory.path)/walk-\(number).jsonl"
            try script.write(toFile: source, atomically: true, encoding: .utf8)
            let written = try await Program.run(Command.built("scenectl"), ["play", source, "--export", "swift"])
            #expect(written.status == .exited(0) && written.errors == "", "\(written.errors)")
            // Each file has functions of its own by the same names, which are private.
            files.append("\(directory.path)/Walk\(number)Tests.swift")
            try written.output.write(toFile: files[number], atomically: true, encoding: .utf8)
        }
        let checked = try await Self.typeChecked(files)
        #expect(checked.status == .exited(0), "\(checked.output)\(checked.errors)")
        let text = try String(contentsOfFile: files[0], encoding: .utf8)
        try text.replacing("TestApp.current", with: "TestApp.currant").write(
            toFile: files[0],
            atomically: true,
            encoding: .utf8
        )
        let wrong = try await Self.typeChecked([files[0]])
        #expect(wrong.errors.contains("'TestApp' has no member 'currant'"), "\(wrong.errors)")
    }

    /// What is compiled with the tests of `SceneClientTesting`, and run with them.
    static let run: [JSONObject] = [
        ["start": "2026-11-27T08:00Z", "seed": 7, "at": 0, "call": "Scenes.Connect", "parameters": ["scene": "A"]],
        [
            "at": 0, "call": "Events.OpenURL", "quiet": true, "parameters": ["url": "hotel://bill", "scene": "A"],
            "expect": ["receipt": ["outcome": "applied", "scene": "A"]],
        ],
        [
            "at": 0, "call": "Events.OpenURL", "quiet": true, "parameters": ["url": "hotel://nowhere", "scene": "A"],
            "expect": ["error": "UnknownRoute", "parameters": ["url": "hotel://nowhere"]],
        ],
        ["at": 2_000, "call": "Session.SignIn", "quiet": true, "parameters": ["user": "anna"]],
        [
            "at": 2_000, "call": "Events.OpenURL", "quiet": true, "parameters": ["url": "hotel://door", "scene": "A"],
            "expect": ["receipt": ["outcome": "gated", "precondition": "checkedIn", "duplicate": false]],
        ],
        [
            "at": 2_000, "call": "Scenes.Get", "quiet": true, "parameters": ["scene": "A"],
            "expect": [
                "scene": [
                    "window": "stay › bill › checkIn[arrival]", "activation": "foregroundActive", "connected": true,
                ]
            ],
        ],
        ["at": 2_000, "call": "Session.Get", "expect": ["session": ["user": "anna", "facts": ["checkedIn": nil]]]],
    ]

    /// The same with holds: two that overlap, of which one is of no window.
    static let held: [JSONObject] = [
        ["start": "2026-11-27T08:00Z", "seed": 7, "at": 0, "call": "Scenes.Connect", "parameters": ["scene": "A"]],
        ["at": 0, "call": "Scenes.Connect", "parameters": ["scene": "B"]],
        ["at": 0, "call": "Session.SignIn", "quiet": true, "parameters": ["user": "anna"]],
        [
            "at": 0, "call": "Control.Hold", "quiet": true,
            "parameters": ["point": "planned", "scene": "A", "hold": "planned"],
        ],
        [
            "at": 0, "call": "Control.Hold", "quiet": true,
            "parameters": ["point": "settled", "kind": "dispatch", "hold": "anywhere"],
        ],
        [
            "at": 0, "call": "Events.OpenURL", "quiet": true, "parameters": ["url": "hotel://bill", "scene": "A"],
            "expect": ["receipt": ["outcome": "gated", "scene": "A"]],
        ],
        [
            "at": 0, "call": "Control.Await", "parameters": ["hold": "planned", "timeoutMilliseconds": 10_000],
            "expect": ["scene": "A", "ticket": 1, "point": "planned"],
        ],
        [
            "at": 500, "call": "Events.OpenURL", "parameters": ["url": "hotel://room/101", "scene": "B"],
            "expect": ["receipt": ["outcome": "applied", "scene": "B"]],
        ],
        [
            "at": 500, "call": "Control.Await", "parameters": ["hold": "anywhere"],
            "expect": ["scene": "B", "ticket": 1, "point": "settled"],
        ],
        ["at": 1_500, "call": "Session.SignOut"],
        ["at": 1_500, "call": "Control.Release", "parameters": ["hold": "planned"]],
        [
            "at": 1_500, "call": "Control.Await", "parameters": ["hold": "anywhere"],
            "expect": ["scene": "A", "ticket": 1, "point": "settled"],
        ],
        ["at": 1_600, "call": "Control.Release", "parameters": ["hold": "anywhere"]],
        [
            "at": 1_600, "call": "Scenes.Get", "quiet": true, "parameters": ["scene": "A"],
            "expect": ["scene": ["window": "*rooms: rooms › sheet auth[login] | stay: stay"]],
        ],
        ["at": 1_600, "call": "Session.Get", "expect": ["session": ["user": nil]]],
    ]

    @Test("what the tests of SceneClientTesting run is written by it", arguments: ["clicked", "held"])
    func runs(name: String) async throws {
        let directory = try TemporaryDirectory()
        let steps = name == "held" ? Self.held : Self.run
        try Self.lines(steps).write(toFile: "\(directory.path)/\(name).jsonl", atomically: true, encoding: .utf8)
        let written = try await Program.run(
            Command.built("scenectl"),
            ["play", "\(directory.path)/\(name).jsonl", "--export", "swift", "--app", "hotel.yaml"]
        )
        let file = "\(Self.root)/Tests/SceneClientTestingTests/\(name.capitalized)Tests.swift"
        let kept = try String(contentsOfFile: file, encoding: .utf8)
        #expect(written.output == kept, "write it to \(file): \(written.output)")
    }

    // MARK: - Scenarios

    @Test("a race reads what is written for recordings, and an order of it ends as the script did")
    func scenarios() async throws {
        let directory = try TemporaryDirectory()
        var count = 0
        for (number, walk) in try await Self.walks.value.enumerated() {
            let written = try await Self.export(walk.script, "scenario", ["--app", walk.app])
            #expect(written.status == .exited(0), "\(written.errors)")
            let file = "\(directory.path)/walk-\(number).yaml"
            try written.output.write(toFile: file, atomically: true, encoding: .utf8)
            var ends = false
            var last = ""
            for seed in 1...12 where !ends {
                let race = try await Program.run(
                    Command.built("scenectl"),
                    [
                        "race", file, "--iterations", "1", "--seed", "\(seed)", "--strategy",
                        seed == 1 ? "fifo" : "random",
                    ]
                )
                #expect(race.status != .exited(2), "\(race.errors)\(written.output)")
                ends = race.status == .exited(0)
                last = race.output
            }
            #expect(ends, "\(last)\(written.output)")
            if ends { count += 1 }
            // It is the end that is compared.
            guard number == 0 else { continue }
            let wrong = try #require(try Self.falsified(walk.script))
            let other = try await Self.export(wrong.script, "scenario", ["--app", walk.app])
            try other.output.write(toFile: file, atomically: true, encoding: .utf8)
            let race = try await Program.run(Command.built("scenectl"), ["race", file, "--iterations", "20"])
            #expect(race.status == .exited(1), "\(race.output)\(race.errors)")
        }
        #expect(count == 9)
    }

    /// Scripts, and which of their steps are which actor's.
    @Test(
        "the steps that overlapped last are actors of their own, or else the last two events are",
        arguments: [
            // Two that overlapped, and what came after them in one's window.
            ([("A", true), ("A", true), ("B", false), ("A", true)], ["before": [3], "link": [4, 6], "link_2": [5]]),
            // None did.
            ([("A", true), ("A", true), ("B", true)], ["before": [3], "link": [4], "link_2": [5]]),
            // All did.
            ([("A", false), ("A", false), ("B", false)], ["link": [3], "link_2": [4], "link_3": [5]]),
        ] as [([(String, Bool)], [String: [Int]])]
    )
    func actors(events: [(String, Bool)], actors: [String: [Int]]) async throws {
        var steps: [JSONObject] = ["A", "B"].map { ["call": "Scenes.Connect", "parameters": ["scene": .string($0)]] }
        for (scene, isQuiet) in events {
            steps.append([
                "call": "Events.OpenURL", "quiet": .bool(isQuiet),
                "parameters": ["url": "qcommerce://cart", "scene": .string(scene)],
            ])
        }
        let written = try await Self.export(Self.lines(steps), "scenario")
        let scenario = try JSONValue(parsing: AppManifest.json(of: written.output))
        var found: [String: [Int]] = [:]
        for (name, steps) in [("before", scenario["setup"])]
            + (scenario["actors"]?.objectValue ?? [:]).map({ ($0, $1) })
        {
            for step in steps?.arrayValue ?? [] {
                let number = step["as"]?.stringValue?.split(separator: ".").last.flatMap { Int($0) }
                found[name, default: []].append(try #require(number))
            }
        }
        #expect(found == actors, "\(written.output)")
    }
}
