import Basics
import Foundation
import Glibc
import SceneClient
import SceneManifest
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl app compare`.
@Suite("Two apps compared", .serialized, .timeLimit(.minutes(15)))
struct AppCompareTests {
    private static let scenectl = Command.built("scenectl")
    private static let shop = Command.built("shop-daemon")
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func compare(_ words: String...) async throws -> Program.Outcome {
        try await Program.run(scenectl, ["app", "compare"] + words)
    }

    private static func json(_ outcome: Program.Outcome) throws -> JSONValue {
        try #require(try? JSONValue(parsing: outcome.output), "\(outcome.output)\(outcome.errors)")
    }

    /// The commands of a difference.
    private static func commands(_ report: JSONValue) -> [String] {
        (report["difference"]?["steps"]?.arrayValue ?? []).compactMap { $0["command"]?.stringValue }
    }

    /// The shop with a text of its manifest changed, as a file in a folder.
    private static func shop(
        changing text: String,
        to other: String,
        in directory: TemporaryDirectory
    ) throws -> String {
        let manifest = ExampleApp.shop.text
        try #require(manifest.contains(text))
        let file = "\(directory.path)/shop.yaml"
        try manifest.replacing(text, with: other).write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    // MARK: - Its page

    @Test("its page shows what it prints")
    func samples() async throws {
        let root = Self.tests.deletingLastPathComponent()
        let page = root.appending(path: "Sources/SceneDaemon/SceneDaemon.docc/ComparingApps.md")
        let directory = try TemporaryDirectory()
        let manifest = root.appending(path: "Sources/AppTemplate/NewApp/Sources/NewApp/NewApp.yaml")
        try FileManager.default.copyItem(atPath: manifest.path, toPath: "\(directory.path)/NewApp.yaml")
        // Programs that are shipped may be elsewhere than those of the tests.
        let shipped = URL(filePath: Self.scenectl).deletingLastPathComponent().path
        let samples = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
            .map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropFirst().dropLast() }
            .filter { $0.first?.hasPrefix("$ scenectl app compare ") == true }
        #expect(samples.count == 2)
        for sample in samples {
            let command = try #require(sample.first).dropFirst(2)
            let outcome = try await Program.run(
                "sh",
                [
                    "-c",
                    "cd \(directory.path); mkdir -p .build; ln -sfn \(Command.folder) .build/debug; PATH=\(shipped):$PATH; \(command)",
                ]
            )
            var printed = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()[...]
            var isElided = false
            for line in sample.dropFirst() {
                if line.hasSuffix("  …") {
                    isElided = true
                    continue
                }
                if isElided { printed = printed.drop { $0 != line } }
                isElided = false
                #expect(printed.popFirst().map(String.init) == line, "\(outcome.output)\(outcome.errors)")
            }
            #expect(printed.isEmpty, "\(outcome.output)")
        }
    }

    // MARK: - No difference

    @Test("the shop from its manifest and the shop in Swift are the same, and the walks reach all of it")
    func same() async throws {
        let outcome = try await Self.compare("shop", Self.shop, "--steps", "2000", "--seed", "1", "--json")
        let report = try Self.json(outcome)
        #expect(outcome.status == .exited(0), "\(outcome.output)")
        #expect(report["same"] == true && report["steps"] == 2_000 && report["walks"] == 40 && report["seed"] == "1")
        for part in ["destinations", "tabs", "flows", "gates", "doors", "intents", "outcomes"] {
            #expect(report["reached"]?[part]?["never"] == [], "\(part)")
        }
        // The other one needs the very product that is out of stock.
        #expect(report["reached"]?["conditions"]?["reached"]?.integerValue ?? 0 >= 1)
        #expect(report["reached"]?["conditions"]?["all"] == 2)
        #expect(report["onlyA"] == [:] && report["onlyB"] == [:])
    }

    /// Every app that ships, and those of the tests.
    private static let apps =
        ExampleApp.allCases.map(\.rawValue)
        + ((try? FileManager.default.contentsOfDirectory(atPath: "\(tests.path)/Apps")) ?? []).sorted()
        .filter { $0.hasSuffix(".yaml") }

    @Test(
        "an app is the same as itself, whatever is sent, and the walks reach its doors and tabs, and most of what is behind them",
        arguments: apps
    )
    func itself(app: String) async throws {
        let path = ExampleApp(rawValue: app) == nil ? "\(Self.tests.path)/Apps/\(app)" : app
        let outcome = try await Self.compare(path, path, "--steps", "1000", "--seed", "5", "--json")
        let report = try Self.json(outcome)
        #expect(outcome.status == .exited(0), "\(outcome.output)")
        // What is chosen for few users, or waits for few, takes longer.
        #expect(report["reached"]?["doors"]?["never"] == [] && report["reached"]?["tabs"]?["never"] == [])
        for part in ["destinations", "flows", "gates"] {
            let all = try #require(report["reached"]?[part]?["all"]?.integerValue)
            let reached = try #require(report["reached"]?[part]?["reached"]?.integerValue)
            #expect(reached * 2 >= all, "\(reached) of \(all) \(part)")
        }
    }

    @Test("what only one of the two declares is listed, whichever it is")
    func declared() async throws {
        let directory = try TemporaryDirectory()
        let more = try Self.shop(
            changing: "destinations:\n",
            to: "destinations:\n  gift: { ancestry: [home], routes: [/gift] }\n",
            in: directory
        )
        for (a, b, side, other) in [("shop", more, "B", "A"), (more, "shop", "A", "B")] {
            let words = ["app", "compare", a, b, "--seed", "1", "--steps", "1"]
            let text = try await Program.run(Self.scenectl, words)
            #expect(text.output.hasSuffix("\ndeclared by \(side) only: destinations gift\n"), "\(text.output)")
            let report = try Self.json(try await Program.run(Self.scenectl, words + ["--json"]))
            #expect(report["only\(side)"] == ["destinations": ["gift"]] && report["only\(other)"] == [:])
        }
    }

    @Test("daemons that run are reset and compared, and stay; their clocks have to be alike")
    func running() async throws {
        try await LiveDaemon.run(["--clock", "virtual"]) { one in
            try await LiveDaemon.run(["--clock", "virtual"], program: Self.shop) { two in
                _ = try await one.client().connect(scene: "before")
                let outcome = try await Self.compare(one.socket, two.socket, "--seed", "3", "--steps", "120")
                #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.hasPrefix("no difference in 120 steps, 3 walks, seed 3\n"))
                let left = Set(try await one.client().scenes().map(\.id))
                #expect(try await Set(two.client().scenes().map(\.id)) == left && !left.contains("before"))
                try await LiveDaemon.run(["--transition", "0"]) { real in
                    let mixed = try await Self.compare(real.socket, two.socket)
                    #expect(mixed.status == .exited(2))
                    #expect(mixed.errors.contains("has a real clock"), "\(mixed.errors)")
                    let same = try await Self.compare(real.socket, real.socket, "--walk", "1", "--seed", "1")
                    #expect(same.status == .exited(2), "\(same.output)\(same.errors)")
                }
            }
        }
    }

    @Test("daemons with real clocks are compared as well")
    func realClocks() async throws {
        try await LiveDaemon.run(["--transition", "0"]) { one in
            try await LiveDaemon.run(["--transition", "0"], program: Self.shop) { two in
                let outcome = try await Self.compare(one.socket, two.socket, "--seed", "3", "--steps", "100")
                #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
            }
        }
    }

    // MARK: - A difference

    /// A mistake in the shop's manifest, and the fewest commands that show it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let right: String
        let wrong: String
        /// How many commands the fewest are.
        let count: Int
        /// What the last of them has, one of these.
        let last: [String]
        /// A part that differs.
        let place: String

        var testDescription: String { wrong }
    }

    static let mistakes = [
        // A gate that is missing.
        Mistake(
            right: #"""
                    preconditions: [signedIn]
                    routes: ["/order/{id}"
                """#,
            wrong: #"""
                    routes: ["/order/{id}"
                """#,
            count: 2,
            last: ["order"],
            place: ".outcome"
        ),
        // An effect of a flow that only who has signed in, has a payment method and something in the cart can see.
        Mistake(
            right: "      - { reset: cart }\n",
            wrong: "",
            count: 6,
            last: ["checkout --completed", "orderPlaced"],
            place: "session.facts.cart"
        ),
        // A door that leads elsewhere.
        Mistake(
            right: "{ path: type, equals: com.example.shop.orders }]\n    destination: orders",
            wrong: "{ path: type, equals: com.example.shop.orders }]\n    destination: account",
            count: 2,
            last: ["shortcut"],
            place: ".window"
        ),
    ]

    @Test(
        "what a changed manifest does otherwise is found and shrunk, and found again by its seed and walk",
        arguments: mistakes
    )
    func changed(mistake: Mistake) async throws {
        let directory = try TemporaryDirectory()
        let wrong = try Self.shop(changing: mistake.right, to: mistake.wrong, in: directory)
        let outcome = try await Self.compare("shop", wrong, "--seed", "1", "--json")
        #expect(outcome.status == .exited(1))
        let report = try Self.json(outcome)
        let commands = Self.commands(report)
        #expect(report["same"] == false && report["difference"]?["minimal"] == true)
        #expect(commands.count <= mistake.count && commands.first?.hasPrefix("scenectl connect") == true, "\(commands)")
        #expect(mistake.last.contains { commands.last?.contains($0) == true }, "\(commands)")
        let places = (report["difference"]?["parts"]?.arrayValue ?? []).compactMap { $0["place"]?.stringValue }
        #expect(places.contains { $0.hasSuffix(mistake.place) }, "\(places)")
        let walk = try #require(report["difference"]?["walk"]?.integerValue)
        let again = try await Self.compare("shop", wrong, "--seed", "1", "--walk", "\(walk)", "--json")
        #expect(again.status == .exited(1))
        #expect(try Self.json(again)["difference"] == report["difference"])
        // Nothing is said that need not be.
        #expect(!commands.contains { $0.contains("--background") || $0.contains("--configuration") }, "\(commands)")
        #expect(!commands.contains { $0.contains(" session ") && $0.contains(" --scene ") }, "\(commands)")
        try await Self.type(commands, expecting: report["difference"]?["parts"]?.arrayValue ?? [])
    }

    /// Types the commands of a difference into a shell; the shop then has what A had.
    private static func type(_ commands: [String], expecting parts: [JSONValue]) async throws {
        try await LiveDaemon.run(["--transition", "0"], program: Command.built("scened")) { daemon in
            for command in commands {
                let line = command.replacing(/(^|\| )scenectl/) { "\($0.output.1)\(scenectl)" }
                _ = try await Program.run("sh", ["-c", line], environment: ["SCENED_SOCKET": daemon.socket])
            }
            let client = try await daemon.client()
            try await client.quiesce()
            let scenes = try await client.call("io.scened.Scenes.List")["scenes"]?.arrayValue ?? []
            let windows = JSONObject(scenes.map { ($0["id"]?.stringValue ?? "", $0) })
            let session = try await client.call("io.scened.Session.Get")["session"] ?? .null
            let seen: JSONValue = ["windows": .object(windows), "session": session]
            var compared = 0
            for part in parts {
                let place = part["place"]?.stringValue ?? ""
                guard !place.hasPrefix("events."), !place.contains("["), !place.hasSuffix(".parked") else { continue }
                let found = place.split(separator: ".").reduce(seen) { $0[String($1)] ?? .null }
                #expect(found == part["a"], "\(place) after \(commands)")
                compared += 1
            }
            #expect(compared > 0, "\(parts)")
        }
    }

    @Test(
        "what code of an app's own does otherwise than its manifest is found, and the script that is saved shows it on either"
    )
    func ownCode() async throws {
        let directory = try TemporaryDirectory()
        let manifest = Self.tests.deletingLastPathComponent()
            .appending(path: "Sources/AppTemplate/NewApp/Sources/NewApp/NewApp.yaml").path
        let code = Command.built("newapp-scened")
        let script = "\(directory.path)/difference.jsonl"
        let outcome = try await Self.compare(manifest, code, "--seed", "1", "--save", script)
        #expect(outcome.status == .exited(1), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("they differ after "))
        #expect(outcome.output.contains("\n  1  scenectl connect one"))
        #expect(outcome.output.contains("\nThen A is \(manifest), B is \(code), and they have:\n"))
        func play(on program: String, _ arguments: [String]) async throws -> Program.Outcome {
            var played: Program.Outcome?
            try await LiveDaemon.run(arguments + ["--clock", "virtual"], program: program) { daemon in
                played = try await Program.run(Self.scenectl, ["play", script, "--reset", "--socket", daemon.socket])
            }
            return try #require(played)
        }
        let onA = try await play(on: Command.built("scened"), ["--app", manifest])
        #expect(onA.status == .exited(0), "\(onA.output)\(onA.errors)")
        let onB = try await play(on: code, [])
        #expect(onB.status == .exited(1), "\(onB.output)\(onB.errors)")
        // It is a script like any other.
        let compared = try await Self.compare(manifest, code, "--script", script, "--json")
        #expect(compared.status == .exited(1))
        #expect(try Self.json(compared)["difference"]?["steps"]?.arrayValue?.isEmpty == false)
    }

    // MARK: - A script

    @Test("a recording is played to both, and its intervals are kept where they are longer than a person takes")
    func script() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/bug.yaml"
        try """
        - { at: 0, call: Scenes.Connect, parameters: { scene: A } }
        - { at: 100, call: Session.SignIn, parameters: { user: anna, expiresInMilliseconds: 3000000 } }
        - { at: 200, call: Events.OpenURL, parameters: { url: "qcommerce://order/o1", scene: A } }
        - { at: 3600000, call: Events.OpenURL, parameters: { url: "qcommerce://order/o2", scene: A } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let same = try await Self.compare("shop", Self.shop, "--script", file)
        #expect(same.status == .exited(0), "\(same.output)\(same.errors)")
        #expect(same.output.hasPrefix("no difference in 5 steps\n"), "\(same.output)")
        #expect(same.output.contains("  gates        1 of 3; never paymentMethod, freshSignIn\n"), "\(same.output)")
        let wrong = try Self.shop(changing: Self.mistakes[0].right, to: Self.mistakes[0].wrong, in: directory)
        let differs = try await Self.compare("shop", wrong, "--script", file, "--json")
        #expect(differs.status == .exited(1))
        let commands = Self.commands(try Self.json(differs))
        // It shows when the sign-in ends, while time passes before the last step; the fewest events do not begin with one.
        #expect(try Self.json(differs)["difference"]?["step"] == 4)
        #expect(commands == ["scenectl connect A", "scenectl openurl --scene A 'qcommerce://order/o1'"], "\(commands)")
    }

    // MARK: - Its end

    @Test("Ctrl-C ends the walks with a report, and both daemons with them", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let gate = "\(directory.path)/gate"
        try #require(mkfifo(gate, 0o600) == 0)
        // It goes on when somebody has read that it runs.
        let program = "\(directory.path)/told"
        try await Program.write(
            """
            #!/bin/sh
            echo $$ > \(gate)
            exec \(Command.built("scened")) "$@"
            """,
            to: program
        )
        let (status, lines, processes) = try await BlockingCalls.run {
            let command = try Command(
                [Self.scenectl, "app", "compare", program, program, "--steps", "1000000000", "--seed", "1"],
                mergingErrors: true
            )
            var processes: [pid_t] = []
            while processes.count < 2 {
                let told = try FileHandle(forReadingFrom: URL(filePath: gate)).readToEnd() ?? Data()
                processes += String(decoding: told, as: UTF8.self).split(separator: "\n").compactMap { pid_t($0) }
            }
            command.signal(signal)
            var lines: [String] = []
            while let line = command.line() { lines.append(line) }
            return (command.end(), lines, processes)
        }
        #expect(status == 128 + signal, "\(lines)")
        #expect(
            // The second daemon is perhaps not ready yet.
            lines.first?.hasSuffix("seed 1; no difference so far") == true
                || lines.first == "interrupted while B was starting, \(program); nothing was compared, seed 1",
            "\(lines)"
        )
        for process in processes { #expect(kill(process, 0) != 0 && errno == ESRCH, "\(process) still runs") }
    }

    @Test("Ctrl-C ends it at once while a daemon starts, and what has started with it", arguments: [SIGINT, SIGTERM])
    func interruptedAtStart(signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let gate = "\(directory.path)/gate"
        try #require(mkfifo(gate, 0o600) == 0)
        // It never becomes ready.
        let program = "\(directory.path)/silent"
        try await Program.write(
            """
            #!/bin/sh
            echo $$ > \(gate)
            exec sleep 100000
            """,
            to: program
        )
        for (a, b) in [("shop", program), (program, "shop")] {
            let (status, lines, process) = try await BlockingCalls.run {
                let command = try Command(
                    [Self.scenectl, "app", "compare", a, b, "--seed", "1"],
                    mergingErrors: true
                )
                let told = try FileHandle(forReadingFrom: URL(filePath: gate)).readToEnd() ?? Data()
                let process = pid_t(String(decoding: told, as: UTF8.self).filter(\.isNumber))
                command.signal(signal)
                var lines: [String] = []
                while let line = command.line() { lines.append(line) }
                return (command.end(), lines, process)
            }
            #expect(status == 128 + signal, "\(lines)")
            let side = a == program ? "A" : "B"
            #expect(lines == ["interrupted while \(side) was starting, \(program); nothing was compared, seed 1"])
            let id = try #require(process)
            #expect(kill(id, 0) != 0 && errno == ESRCH, "\(id) still runs")
        }
    }

    @Test("a daemon that does not answer is named after a while, and Ctrl-C then does not wait for it")
    func silent() async throws {
        try await LiveDaemon.run(["--clock", "virtual"]) { one in
            try await LiveDaemon.run(["--clock", "virtual"]) { two in
                for (stopped, side) in [(one, "A"), (two, "B")] {
                    stopped.signal(SIGSTOP)
                    let (status, lines) = try await BlockingCalls.run {
                        let command = try Command(
                            [Self.scenectl, "app", "compare", one.socket, two.socket, "--seed", "1"],
                            mergingErrors: true
                        )
                        var lines = [command.line() ?? ""]
                        command.signal(SIGTERM)
                        while let line = command.line() { lines.append(line) }
                        return (command.end(), lines)
                    }
                    stopped.signal(SIGCONT)
                    #expect(status == 128 + SIGTERM)
                    #expect(
                        lines == [
                            "scenectl: Waiting for \(side), which has not answered for 5s.",
                            "interrupted after 0 steps, 0 walks, seed 1; no difference so far",
                        ]
                    )
                }
            }
        }
    }

    private static let probe = Command.built("code-probe")

    private static func compareProbe(with app: String, _ words: String...) async throws -> Program.Outcome {
        try await Program.run(
            scenectl,
            ["app", "compare", app, probe] + words,
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        )
    }

    @Test("a daemon that ends meanwhile is told: which, in which step of which walk, what it was sent, and its log")
    func ended() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/trap.yaml"
        try """
        - { call: Scenes.Connect, parameters: { scene: A } }
        - { call: Events.SendIntent, parameters: { scene: A, name: trapped } }
        - { call: Session.SignIn, parameters: { user: anna } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        // Its manifest without its code, which traps.
        let manifest = "\(directory.path)/probe.json"
        var text: String?
        try await LiveDaemon.run(program: Self.probe) { text = try await $0.client().manifest() }
        try #require(text).write(toFile: manifest, atomically: true, encoding: .utf8)
        let outcome = try await Self.compareProbe(with: manifest, "--script", file)
        #expect(outcome.status == .exited(124), "\(outcome.status) \(outcome.output)\(outcome.errors)")
        #expect(
            outcome.errors.hasPrefix(
                """
                scenectl: B has ended in step 2:
                  1  scenectl connect A
                  2  scenectl intent --scene A trapped
                B: \(Self.probe) ended by signal 
                """
            ),
            "\(outcome.errors)"
        )
        // By a walk.
        let walked = try await Self.compareProbe(with: Self.probe, "--seed", "2", "--json")
        #expect(walked.status == .exited(124), "\(walked.status) \(walked.output)\(walked.errors)")
        let error = try JSONValue(parsing: String(walked.errors.split(separator: "\n").last ?? ""))
        let (step, walk) = (error["parameters"]?["step"]?.integerValue, error["parameters"]?["walk"]?.integerValue)
        #expect(error["error"] == "scenectl.DaemonEnded" && error["parameters"]?["side"] == "A")
        #expect(error["parameters"]?["seed"] == "2" && error["parameters"]?["steps"]?.arrayValue?.count == step)
        #expect(error["parameters"]?["steps"]?.arrayValue?.last?.stringValue?.contains("trapped") == true, "\(error)")
        let number = try #require(walk)
        let again = try await Self.compareProbe(with: Self.probe, "--seed", "2", "--walk", "\(number)")
        #expect(again.status == .exited(124))
        let message = try #require(error["message"]?.stringValue?.split(separator: "\nA: ").first)
        #expect(again.errors.hasPrefix("scenectl: \(message)\n"), "\(again.errors)\(message)")
        #expect(message.hasSuffix("--seed 2 --walk \(number)"), "\(message)")
    }
}
