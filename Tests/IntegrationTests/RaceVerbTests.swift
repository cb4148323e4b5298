import Foundation
import Glibc
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl race` as a process: no daemon, files and exit statuses.
@Suite("scenectl race", .timeLimit(.minutes(15)))
struct RaceVerbTests {
    private static func race(_ arguments: [String], input: String = "") async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), ["race"] + arguments, input: input)
    }

    /// A scenario whose expectation is wrong: who comes first decides whether the product is in stock.
    static let wrong = """
        name: wrong
        description: Somebody believes that a tab can always be tapped.
        windows: { A: {} }
        settings: { transitionMilliseconds: 100 }
        actors:
          mail:
            - { openurl: "qcommerce://product/p1", scene: A, event: p1 }
          finger:
            - { wait: [0, 150] }
            - { tap: orders, scene: A, event: tab }
        expect:
          results: { p1: applied, tab: applied }

        """

    @Test(
        "proves that no order of a scenario goes wrong, says on what that rests, and that it cannot tell if the time was too short"
    )
    func proof() async throws {
        let run = try await Self.race(["double-tap", "--prove"])
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains("complete: "))
        #expect(run.output.contains("Proved: no order goes wrong.\nIt does not search:\n"), "\(run.output)")
        let json = try JSONValue(parsing: try await Self.race(["double-tap", "--prove", "--json"]).output)
        #expect(json["proved"]?.boolValue == true)
        #expect(json["complete"]?.boolValue == true)
        #expect(json["assumes"]?.arrayValue?.isEmpty == true)
        #expect(json["notSearched"]?.arrayValue?.isEmpty == false)
        let short = try await Self.race(["two-buyers", "--prove", "--time", "1ms"])
        #expect(short.status == .exited(4), "\(short.output)\(short.errors)")
        #expect(short.output.contains("not complete: "))
    }

    @Test("lets others come in before each access to what windows share")
    func granularity() async throws {
        let run = try await Self.race(["two-users", "--granularity", "locks", "--iterations", "20", "--seed", "4"])
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.hasSuffix("No race found.\n"))
        for (granularity, place) in [
            ("stops", "where a job ends or wakes another"), ("jobs", "between whole jobs only"),
        ] {
            let run = try await Self.race([
                "two-users", "--granularity", granularity, "--iterations", "20", "--seed", "4",
            ])
            let further = "No race found.\nOther steps came in \(place); --granularity locks also tries them"
            #expect(run.status == .exited(0) && run.output.contains(further), "\(run.output)\(run.errors)")
        }
        let wrong = try await Self.race(["two-users", "--granularity", "lock"])
        #expect(wrong.status == .exited(2))
        #expect(wrong.errors.contains("expected one of jobs, stops, locks"), "\(wrong.errors)")
        let replayed = try await Self.race(["two-users", "--granularity", "locks", "--replay", "1-4-fifo"])
        #expect(replayed.status == .exited(2) && replayed.errors.contains("takes it from the code"))
        let other = try await Self.race(["two-users", "--replay", "3-4-2.1"])
        #expect(other.status != .exited(1), "\(other.output)\(other.errors)")
    }

    @Test("lists the built-in scenarios and prints one that can be read")
    func listAndPrint() async throws {
        let list = try await Self.race(["--list", "--json"])
        let names = try JSONValue(parsing: list.output).arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(names.count >= 30 && names.contains("sign-out-against-push"))
        let printed = try await Self.race(["sign-out-against-push", "--print"])
        #expect(printed.output.hasPrefix("name: sign-out-against-push"))
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/copy.yaml"
        try printed.output.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try await Self.race([file, "--iterations", "50", "--seed", "4"])
        #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains("No race found."))
    }

    @Test(
        "an order of each end ends so when it is run again, and has a page, whether or not it passes",
        arguments: ["sign-out-against-push", "out-of-stock"]
    )
    func endsAgain(scenario: String) async throws {
        let directory = try TemporaryDirectory()
        // Nothing fails in what ships: take away one of the ends that are expected.
        let printed = try await Self.race([scenario, "--print"]).output
        let half = try #require(printed.range(of: "expect:")).lowerBound
        let name = "\(directory.path)/half.yaml"
        try (printed[..<half] + "expect:\n  windows: { A: orders }\n").write(
            toFile: name,
            atomically: true,
            encoding: .utf8
        )
        for name in [scenario, name] {
            let search = try await Self.race([name, "--ends", "--json", "--seed", "3", "--iterations", "100"])
            let ends = try JSONValue(parsing: search.output)["ends"]?.arrayValue ?? []
            #expect(!ends.isEmpty, "\(search.errors)")
            for (number, end) in ends.prefix(3).enumerated() {
                let code = try #require(end["replay"]?.stringValue)
                let page = "\(directory.path)/\(number).html"
                let again = try await Self.race([name, "--replay", code, "--report", page, "--json"])
                let told = try JSONValue(parsing: again.output)
                let passes = end["passes"] == true
                #expect(again.status == .exited(passes ? 0 : 1), "\(again.errors)")
                #expect(told["race"] == .bool(!passes))
                if passes {
                    #expect(told["end"] == end["end"])
                    #expect(told["records"]?.arrayValue?.first?["kind"] == "host.started")
                    #expect(again.errors == "", "the page was written")
                    let text = try await Self.race([name, "--replay", code]).output
                    for line in end["end"]?.arrayValue ?? [] {
                        #expect(text.contains("\n    \(line.stringValue ?? "?")\n"))
                    }
                }
                #expect(
                    try String(contentsOfFile: page, encoding: .utf8).contains(
                        "data-label=\"\(passes ? "Passes" : "Fails")\""
                    )
                )
            }
        }
        let text = "\(directory.path)/report.txt"
        let code = "1-592cc06af68f988c-fifo"
        let other = try await Self.race([scenario, "--replay", "1-63cbe1e459320dd7-9999.7"])
        #expect(other.status == .exited(4))
        #expect(other.errors.contains("this is no order of '\(scenario)'"), "\(other.errors)")
        let none = try await Self.race([scenario, "--replay", code, "--report", text])
        #expect(none.errors.contains("nothing was written to \(text)"))
        #expect(!FileManager.default.fileExists(atPath: text))
    }

    static let misuses: [(arguments: [String], input: String, words: [String])] = [
        ([], "", ["--list"]),
        (["sign-out-agains-push"], "", ["No scenario", "sign-out-against-push"]),
        (["-"], wrong.replacing("scene: A, event: p1", with: "scene: B, event: p1"), ["-:7:", "no window 'B'", "'A'"]),
        (
            ["-"], wrong.replacing("qcommerce://product/p1", with: "qcommerce://nowhere"),
            ["-:7:7", "is refused in every order"]
        ),
        (["wrong-window", "--strategy", "best"], "", ["best", "portfolio"]),
        (["wrong-window", "--mailbox", "lifo"], "", ["fifo, priority, anyOrder"]),
        (["wrong-window", "--granularity", "lock"], "", ["jobs, stops, locks"]),
        (["wrong-window", "--report", "race.pdf"], "", [".html, .json or .txt"]),
        (["wrong-window", "--time", "soon"], "", ["soon", "500ms, 5s"]),
        (["wrong-window", "--replay", "1-zz-fifo"], "", ["hexadecimal", "there is no such file"]),
        (["wrong-window", "--all"], "", ["--all"]),
        (["wrong-window", "--jobs", "-1"], "", ["--jobs"]),
        (
            ["-"],
            "name: one\ndescription: Nothing at once.\nwindows: { A: {} }\nactors:\n  one:\n    - read\n",
            ["nothing to choose", "two actors"]
        ),
    ]

    @Test("says what is wrong with its arguments, and what was expected", arguments: misuses)
    func usage(arguments: [String], input: String, words: [String]) async throws {
        let outcome = try await Self.race(arguments, input: input)
        #expect(outcome.status == .exited(2), "\(outcome.output)\(outcome.errors)")
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    }

    @Test("finds a race, writes its files, and each way to run it again finds it again")
    func found() async throws {
        let directory = try TemporaryDirectory()
        let scenario = "\(directory.path)/wrong.yaml"
        try Self.wrong.write(toFile: scenario, atomically: true, encoding: .utf8)
        let saved = "\(directory.path)/race.json"
        let page = "\(directory.path)/race.html"
        let first = try await Self.race(
            [
                scenario, "--iterations", "500", "--seed", "7", "--jobs", "2", "--save", saved, "--report", page,
                "--json",
            ]
        )
        #expect(first.status == .exited(1), "\(first.output)\(first.errors)")
        let result = try JSONValue(parsing: first.output)
        #expect(result["race"] == true && result["kind"] == "end")
        let code = try #require(result["replay"]?.stringValue)
        let hash = try #require(result["traceHash"]?.stringValue)
        for word in [code, saved] {
            let again = try await Self.race([scenario, "--replay", word, "--json"])
            #expect(again.status == .exited(1), "\(again.output)\(again.errors)")
            let replayed = try JSONValue(parsing: again.output)
            #expect(replayed["kind"] == "end" && replayed["traceHash"]?.stringValue == hash)
            #expect(!again.errors.contains(saved), "the file is of this build: \(again.errors)")
        }
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<html") && html.contains("window A") && html.contains("tab is ignored inTransition"))
        for name in ["race.txt", "race.json"] {
            let file = "\(directory.path)/again-\(name)"
            _ = try await Self.race([scenario, "--replay", code, "--report", file])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("tab is ignored inTransition"), "\(text)")
        }
    }

    @Test(
        "says, in the terminal and on the page, that what is expected may be wrong where the very first order fails",
        arguments: [true, false]
    )
    func doubts(isFirst: Bool) async throws {
        let directory = try TemporaryDirectory()
        let (scenario, page) = ("\(directory.path)/users.yaml", "\(directory.path)/race.html")
        try """
        name: users
        description: Two sign in.
        windows: { A: {} }
        actors:
          anna: [{ sign-in: anna, as: anna }]
          bob: [{ sign-in: bob, as: bob }]
        expect:
          session: { user: \(isFirst ? "carla" : "bob") }
        """.write(toFile: scenario, atomically: true, encoding: .utf8)
        let race = try await Self.race([scenario, "--iterations", "100", "--seed", "1", "--report", page])
        #expect(race.status == .exited(1), "\(race.output)\(race.errors)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for text in [race.output, html] {
            #expect(
                text.contains("The very first order fails: perhaps what is expected is wrong.") == isFirst,
                "\(text)"
            )
        }
        #expect(html.contains("orders passes.") == isFirst)
    }

    @Test(
        "counts how orders end, each end with an order that leads to it; a report says it, and what came beside each end that is expected"
    )
    func ends() async throws {
        let directory = try TemporaryDirectory()
        let (scenario, page) = ("\(directory.path)/wrong.yaml", "\(directory.path)/race.html")
        let second = "    results: { p1: applied, tab: applied }\n    session: { user: anna }\n"
        let two = Self.wrong.replacing("expect:\n  results:", with: "expect:\n  - results:")
            .replacing("tab: applied }\n", with: "tab: applied }\n  -\n\(second)")
        try two.write(toFile: scenario, atomically: true, encoding: .utf8)
        let arguments = [scenario, "--iterations", "300", "--seed", "7", "--ends"]
        let found = try await Self.race(arguments + ["--json"])
        #expect(found.status == .exited(1), "\(found.errors)")
        let result = try JSONValue(parsing: found.output)
        let ends = try #require(result["ends"]?.arrayValue)
        let runs = ends.compactMap { $0["runs"]?.integerValue }
        // The search stops at the race, the count of ends goes on.
        #expect(runs.reduce(0, +) == 300 && result["surveyed"] == 300 && (result["runs"]?.integerValue ?? 300) < 300)
        #expect(Set(ends.map { $0["passes"] == true }) == [true, false])
        #expect(result["neverCame"] == [2])
        for end in ends {
            #expect((end["end"]?.arrayValue?.first == "as expected, 1 of 2") == (end["passes"] == true), "\(end)")
        }
        for end in ends {
            let code = try #require(end["replay"]?.stringValue)
            let again = try await Self.race([scenario, "--replay", code, "--json"])
            #expect(again.status == .exited(end["passes"] == true ? 0 : 1))
            let lines = (end["end"]?.arrayValue ?? []).compactMap(\.stringValue)
            #expect(
                lines.contains { $0.hasPrefix("window A: ") } && lines.contains { $0.hasPrefix("tab: ") },
                "\(lines)"
            )
        }
        let divided = try await Self.race(arguments + ["--json", "--jobs", "2"])
        #expect(try JSONValue(parsing: divided.output)["ends"]?.arrayValue == ends)
        let text = try await Self.race(arguments + ["--report", page])
        #expect(text.output.contains("How 300 orders end:") && text.output.contains("2 ends are expected;"))
        #expect(text.output.contains("The end that is expected as number 2 never came."), "\(text.output)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("How 300 orders end") && html.contains("expected, 2 of 2"))
        for count in runs { #expect(html.contains("<td class=\"number\">\(count)</td>"), "\(count)") }
        #expect(html.contains("<span data-look=\"bad\">✘</span> anna"))
    }

    @Test("a wait of 0 is none, and who finds no race writes no file and says so")
    func waitsForNothing() async throws {
        let directory = try TemporaryDirectory()
        let (scenario, page) = ("\(directory.path)/wait.yaml", "\(directory.path)/race.html")
        let text = """
            name: wait
            description: Somebody signs out while a link comes.
            windows: { A: {} }
            session: { user: anna }
            actors:
              one: [{ wait: 0 }, sign-out]
              two: [{ openurl: "qcommerce://orders", scene: A, event: x }]
            expect:
              - results: { x: applied }
              - results: { x: gated signedIn }
              - results: { x: abandoned userLeft }
            """
        try text.write(toFile: scenario, atomically: true, encoding: .utf8)
        let arguments = [scenario, "--iterations", "200", "--seed", "1", "--ends", "--report", page]
        let outcome = try await Self.race(arguments + ["--json"])
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
        try text.replacing("{ wait: 0 }, ", with: "").write(toFile: scenario, atomically: true, encoding: .utf8)
        let without = try await Self.race(arguments + ["--json"])
        let hashes = try [outcome, without].map { try JSONValue(parsing: $0.output)["tracesHash"]?.stringValue }
        #expect(hashes[0] != nil && hashes[0] == hashes[1])
        #expect(outcome.errors == "scenectl: No race was found, so nothing was written to \(page).\n")
        #expect(!FileManager.default.fileExists(atPath: page))
    }

    @Test("makes the same runs for the same seed in every process, and others for another seed")
    func deterministic() async throws {
        func hashes(_ seed: Int, _ jobs: Int) async throws -> [String?] {
            // As many as the portfolio has strategies, the first run included.
            let arguments = ["--all", "--iterations", "7", "--seed", "\(seed)", "--jobs", "\(jobs)", "--json"]
            let outcome = try await Self.race(arguments)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            return try outcome.output.split(separator: "\n").map { line in
                try JSONValue(parsing: String(line))["tracesHash"]?.stringValue
            }
        }
        let once = try await hashes(5, 0)
        #expect(once.count >= 30)
        #expect(!once.contains(nil))
        let again = try await hashes(5, 0)
        #expect(again == once)
        let divided = try await hashes(5, 2)
        #expect(divided == once)
        let other = try await hashes(6, 0)
        #expect(zip(once, other).allSatisfy { $0 != $1 })
    }

    @Test("refuses the saved race of another scenario, and takes one whose file has moved")
    func otherScenario() async throws {
        let directory = try TemporaryDirectory()
        let (scenario, moved) = ("\(directory.path)/wrong.yaml", "\(directory.path)/elsewhere.yaml")
        let saved = "\(directory.path)/race.json"
        for file in [scenario, moved] { try Self.wrong.write(toFile: file, atomically: true, encoding: .utf8) }
        let found = try await Self.race([scenario, "--iterations", "500", "--seed", "7", "--save", saved])
        #expect(found.status == .exited(1), "\(found.errors)")
        let again = try await Self.race([moved, "--replay", saved])
        #expect(again.status == .exited(1) && again.errors.isEmpty, "\(again.output)\(again.errors)")
        for json in [[], ["--json"]] {
            let other = try await Self.race(["wrong-window", "--replay", saved] + json)
            #expect(other.status == .exited(2), "\(other.output)\(other.errors)")
            #expect(other.output.isEmpty)
            for word in [saved, "'wrong'", "'wrong-window'"] {
                #expect(other.errors.contains(word), "\(other.errors)")
            }
        }
    }

    @Test("warns of a saved race from another build, and runs it all the same")
    func otherBuild() async throws {
        let directory = try TemporaryDirectory()
        let scenario = "\(directory.path)/wrong.yaml"
        let saved = "\(directory.path)/race.json"
        try Self.wrong.write(toFile: scenario, atomically: true, encoding: .utf8)
        _ = try await Self.race([scenario, "--iterations", "500", "--seed", "7", "--save", saved])
        var file = try JSONValue(parsing: String(contentsOfFile: saved, encoding: .utf8)).objectValue ?? [:]
        file["toolchain"] = "swift-5.10 0123456789ab"
        try JSONValue.object(file).text().write(toFile: saved, atomically: true, encoding: .utf8)
        let again = try await Self.race([scenario, "--replay", saved])
        #expect(again.status == .exited(1))
        #expect(again.errors.contains("swift-5.10 0123456789ab"), "\(again.errors)")
        #expect(again.errors.contains("explore anew"))
        file["seed"] = "twelve"
        try JSONValue.object(file).text(.indented).write(toFile: saved, atomically: true, encoding: .utf8)
        let broken = try await Self.race([scenario, "--replay", saved])
        #expect(broken.status == .exited(2))
        #expect(broken.errors.contains("seed: expected") && broken.errors.contains("line "), "\(broken.errors)")
    }

    @Test(
        "Ctrl-C and SIGTERM end a search with what was explored so far, the seed, and their status; so they do of an app's own daemon",
        arguments: [SIGINT, SIGTERM],
        ["scenectl", "shop-daemon"]
    )
    func interrupted(signal: Int32, program: String) async throws {
        let endless = ["--iterations", "1000000000", "--seed", "3"]
        for words in [["--jobs", "0"], ["--jobs", "2"], ["--jobs", "2", "--json"], ["--all"]] {
            let scenario = words == ["--all"] ? [] : ["sign-out-against-push"]
            // One after the other uses it.
            nonisolated(unsafe) let command = try Command(
                [Command.built(program), "race"] + scenario + endless + words,
                mergingErrors: true
            )
            try await until("it handles signals") { Self.handles(signal, command.id) }
            command.signal(signal)
            let (status, text) = try await BlockingCalls.run {
                var lines: [String] = []
                while let line = command.line() { lines.append(line) }
                return (command.end(), lines.joined(separator: "\n"))
            }
            #expect(status == 128 + signal, "\(words): \(text)")
            if words.contains("--json") {
                let result = try JSONValue(parsing: text)
                #expect(result["endedEarly"] == true && result["race"] == nil && result["seed"] == "3", "\(text)")
            } else if scenario.isEmpty {
                #expect(text.hasSuffix("interrupted; no race found so far"), "\(text)")
            } else {
                #expect(text.contains(/[0-9]+ orders? .* seed 3/), "\(text)")
                #expect(text.hasSuffix("Interrupted; no race found so far."), "\(text)")
            }
        }
    }

    /// Whether a process has a handler for a signal.
    private static func handles(_ signal: Int32, _ process: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let mask = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap { UInt64($0.output.1, radix: 16) }
        return (mask ?? 0) >> (signal - 1) & 1 == 1
    }

    @Test("prints the race even if its files cannot be written, and says so")
    func unwritable() async throws {
        let directory = try TemporaryDirectory()
        let full = "\(directory.path)/full.html"
        try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
        for option in ["--report", "--save", "--export"] {
            let search = ["-", "--iterations", "500", "--seed", "7", option]
            let outcome = try await Self.race(search + [full], input: Self.wrong)
            #expect(outcome.output.contains("Race found (end)"), "\(outcome.output)")
            #expect(outcome.errors.contains("\(full): No space left on device"), "\(outcome.errors)")
            #expect(outcome.status == .exited(2))
            // What shows before is told before the search.
            let early = try await Self.race(search + ["/nowhere/race.html"], input: Self.wrong)
            #expect(early.status == .exited(2) && early.output.isEmpty, "\(early.output)")
            #expect(
                early.errors.contains("\(option) /nowhere/race.html: /nowhere: No such file or directory"),
                "\(early.errors)"
            )
        }
    }
}
