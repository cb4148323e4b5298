import CommandConsole
import Foundation
import FoundationXML
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Yams

/// What commands that judge say to CI systems.
@Suite("results for CI systems", .timeLimit(.minutes(15)))
struct CaseReportTests {
    /// Texts as they come from outside.
    private static let hostile = [
        "", "plain", "a\u{2028}line\u{2029}more", "a & b < c > d \"e\" 'f'", "]]>", "two\nlines\twith a tab",
        "\u{0}\u{1B}[31mred\u{7}",
        "\u{FFFE}\u{FFFF}",
        "100 %0A::error::no", "a:b,c", "☃ é e\u{301} \u{202E}turned", "::stop-commands::x", "\r\n::error::second",
        String(repeating: "ü", count: 10_000),
    ]

    /// A report in which each text is once a name, a message and a text.
    private static var report: CaseReport {
        var report = CaseReport("scenectl <test>")
        for text in hostile {
            report.add(CaseReport.Case(text, .passed, file: text, line: 3, milliseconds: 12_345, about: text))
            report.add(CaseReport.Case("failed", .failed(text, text: text)))
            report.add(CaseReport.Case("unjudged", .unjudged(text), file: "a,b:c%", line: 7))
        }
        return report
    }

    @Test("any text makes a file that is XML and says it again, but for what XML cannot have")
    func xml() throws {
        let document = try XMLDocument(xmlString: Self.report.junit)
        let suites = try document.nodes(forXPath: "/testsuites/testsuite")
        let suite = try #require(suites.first as? XMLElement)
        func attribute(_ name: String, _ element: XMLElement) -> String? {
            element.attribute(forName: name)?.stringValue
        }
        #expect(suites.count == 1 && attribute("name", suite) == "scenectl <test>")
        let count = Self.hostile.count
        #expect(attribute("tests", suite) == "\(3 * count)" && attribute("failures", suite) == "\(count)")
        #expect(attribute("errors", suite) == "\(count)" && attribute("skipped", suite) == "0")
        let cases = suite.elements(forName: "testcase")
        try #require(cases.count == 3 * count)
        for (index, text) in Self.hostile.enumerated() {
            let shown = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        let isAllowed = scalar == "\n" || scalar == "\t" || scalar.value >= 0x20
                        return isAllowed && scalar.value < 0xFFFE
                            && !"\u{202E}\u{2028}\u{2029}".unicodeScalars.contains(scalar)
                            ? scalar : "\u{FFFD}"
                    }
                )
            )
            let (passed, failed, unjudged) = (cases[3 * index], cases[3 * index + 1], cases[3 * index + 2])
            #expect(attribute("name", passed) == shown && attribute("file", passed) == shown)
            #expect(attribute("time", passed) == "12.345" && passed.children?.count ?? 0 == (text.isEmpty ? 0 : 1))
            #expect(passed.elements(forName: "system-out").first?.stringValue == (text.isEmpty ? nil : shown))
            let failure = try #require(failed.elements(forName: "failure").first)
            #expect(attribute("message", failure) == shown && failure.stringValue == shown)
            let error = try #require(unjudged.elements(forName: "error").first)
            #expect(attribute("message", error) == shown && error.stringValue == shown)
        }
    }

    /// An annotation as GitHub's runner reads it: the text of each of its properties, and the message.
    private static func read(_ line: Substring) throws -> (properties: [String: String], message: String) {
        let match = try #require(line.wholeMatch(of: /::error ([^:]*)::(.*)/.dotMatchesNewlines()), "\(line)")
        func text(_ data: Substring, isProperty: Bool) -> String {
            var text = data.replacing("%0D", with: "\r").replacing("%0A", with: "\n")
            if isProperty { text = text.replacing("%3A", with: ":").replacing("%2C", with: ",") }
            return String(text.replacing("%25", with: "%"))
        }
        var properties: [String: String] = [:]
        for property in match.output.1.split(separator: ",") {
            let parts = property.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            properties[String(parts[0])] = text(parts[1], isProperty: true)
        }
        return (properties, text(match.output.2, isProperty: false))
    }

    @Test(
        "whatever a text says, there is one annotation for each case that did not pass, and no other command of the runner's"
    )
    func annotations() throws {
        let lines = Self.report.annotations.split(separator: "\n")
        try #require(lines.count == 2 * Self.hostile.count)
        for (index, text) in Self.hostile.enumerated() where text.utf8.count <= 4_000 {
            let (failed, unjudged) = (try Self.read(lines[2 * index]), try Self.read(lines[2 * index + 1]))
            #expect(failed.message == text && failed.properties == ["title": "scenectl <test>: failed"])
            #expect(unjudged.message == text)
            #expect(
                unjudged.properties == ["file": "a,b:c%", "line": "7", "title": "scenectl <test>: unjudged"]
            )
        }
        #expect(lines.allSatisfy { $0.utf8.count <= 4_100 })
    }

    @Test("what could not be judged for one reason is one annotation, with the number; each failure has its own")
    func alike() throws {
        var report = CaseReport("scenectl soak", of: "friday.shard-2-of-7")
        for number in 1...12 { report.add(CaseReport.Case("case \(number)", .unjudged("records are missing"))) }
        for number in 1...3 { report.add(CaseReport.Case("case \(number)", .failed("wrong"))) }
        report.add(CaseReport.Case("other", .unjudged("records are missing"), file: "f", line: 3))
        report.add(CaseReport.Case("more", .unjudged("too many hosts")))
        let read = try report.annotations.split(separator: "\n").map(Self.read)
        let soak = "scenectl soak friday.shard-2-of-7"
        #expect(
            read.map(\.properties["title"]) == [
                "\(soak): 12 cases, such as case 1", "\(soak): case 1", "\(soak): case 2", "\(soak): case 3",
                "scenectl soak: other", "\(soak): more",
            ]
        )
        #expect(read[4].properties["line"] == "3" && read[0].message == "records are missing")
        // The file has them all.
        #expect(report.junit.matches(of: /<error message="records are missing">/).count == 13)
        #expect(report.junit.matches(of: /classname="scenectl soak friday.shard-2-of-7"/).count == 17)
    }

    @Test(
        "an annotation stands at the line that a message names, however it does",
        arguments: [
            ("f.yaml:3:5: no", 3), ("f.yaml: 3:5: no", 3), ("f.yaml:3: no", 3), ("f.yaml: event: 3:5: no", nil),
            ("f.yaml: 3 are wrong", nil), ("g.yaml:3:5: no", nil), ("f.yaml: 99999999999999999999:1: no", nil),
        ] as [(String, Int?)]
    )
    func lines(message: String, line: Int?) throws {
        var report = CaseReport("scenectl adapter test")
        report.add(CaseReport.Case("f", .unjudged(message), file: "f.yaml"))
        let annotation = try Self.read(try #require(report.annotations.split(separator: "\n").first))
        #expect(annotation.properties["line"] == line.map { "\($0)" })
    }

    // MARK: The commands

    /// The cases in a file, each as `failures` and `errors` of junitparser, which nobody here wrote, understand it.
    private static func cases(in file: String) async throws -> [String: [String]] {
        let script = """
            import json, sys
            from junitparser import JUnitXml
            suites = list(JUnitXml.fromfile(sys.argv[1]))
            cases = [case for suite in suites for case in suite]
            assert suites[0].tests == len(cases), (suites[0].tests, len(cases))
            print(json.dumps({case.name: [type(result).__name__ + ": " + result.message for result in case.result] for case in cases}))
            """
        let run = try await Program.run(PythonEnvironment.python, ["-c", script, file])
        let json = try JSONValue(parsing: run.output)
        var cases: [String: [String]] = [:]
        for (name, results) in json.objectValue ?? [:] {
            cases[name] = (results.arrayValue ?? []).compactMap(\.stringValue)
        }
        return cases
    }

    private static func scenectl(_ words: [String]) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), words)
    }

    private static let hasPython = PythonEnvironment.isInstalled

    @Test(
        "a race leaves a folder with page, text, records, scenario, order and script, each of which works; one that passes leaves none",
        .enabled(if: hasPython, "no .build/python-venv; '.ci/setup' makes it")
    )
    func race() async throws {
        let directory = try TemporaryDirectory()
        let (scenario, junit) = ("\(directory.path)/my race.yaml", "\(directory.path)/results.xml")
        try RaceVerbTests.wrong.write(toFile: scenario, atomically: false, encoding: .utf8)
        let words = [
            "race", scenario, "--iterations", "50", "--seed", "1", "--artifacts", "\(directory.path)/left", "--junit",
            junit,
            "--github-annotations",
        ]
        let run = try await Self.scenectl(words)
        #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/left").first)
        let folder = "\(directory.path)/left/\(name)"
        #expect(name.wholeMatch(of: /my-race-[0-9a-f]{6}/) != nil, "\(name)")
        #expect(run.errors.contains("What is known of it: \(folder)\n"), "\(run.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(
            files == [
                "app.json", "provoke.sh", "race.json", "records.jsonl", "replay.txt", "report.html", "report.txt",
                "scenario.yaml",
            ]
        )
        let cases = try await Self.cases(in: junit)
        #expect(cases.count == 1)
        #expect(cases[scenario]?.first?.hasPrefix("Failure: race (end): ") == true, "\(cases)")
        let annotation = try Self.read(try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("::") }))
        #expect(annotation.properties["file"] == scenario)
        #expect(annotation.message.hasPrefix("race (end): ") && annotation.message.contains("--replay"))
        // What the scenario is about, and all that is printed.
        let one = try Self.onlyCase(in: junit)
        let about = "Somebody believes that a tab can always be tapped."
        #expect(one.elements(forName: "system-out").first?.stringValue == about)
        let printed = run.output.replacing(#/ in [0-9.]+ s,/#, with: "")
        let text = one.elements(forName: "failure").first?.stringValue
        #expect(text?.replacing(#/ in [0-9.]+ s,/#, with: "") == printed, "\(text ?? "")")
        // Each file works, where it was put.
        let replay = try String(contentsOfFile: "\(folder)/replay.txt", encoding: .utf8)
        let again = try await Program.run(
            "sh",
            ["-c", replay],
            environment: [
                "PATH": "\(URL(filePath: Command.built("scenectl")).deletingLastPathComponent().path):/usr/bin:/bin"
            ]
        )
        #expect(again.status == .exited(1), "\(replay)\(again.errors)")
        // And elsewhere, as its last line says.
        let elsewhere = "\(directory.path)/elsewhere"
        try FileManager.default.copyItem(atPath: folder, toPath: elsewhere)
        let line = try #require(replay.split(separator: "\n").last).dropFirst(2)
        let saved = try await Program.run(
            "sh",
            ["-c", "cd \"$0\"; \(line)", elsewhere],
            environment: [
                "PATH": "\(URL(filePath: Command.built("scenectl")).deletingLastPathComponent().path):/usr/bin:/bin"
            ]
        )
        #expect(saved.status == .exited(1), "\(line): \(saved.output)\(saved.errors)")
        let checked = try await Self.scenectl(["check", "\(folder)/records.jsonl"])
        #expect(checked.status == .exited(0) || checked.status == .exited(4), "\(checked.output)\(checked.errors)")
        let page = try await Self.scenectl([
            "inspect", "\(folder)/records.jsonl", "--out", "\(directory.path)/page.html",
        ])
        #expect(page.status == .exited(0), "\(page.errors)")
        // Mended, it passes, and nothing of before is left.
        try RaceVerbTests.wrong.replacing("tab: applied", with: "tab: [applied, refused]").replacing(
            "  results: { p1: applied, tab: [applied, refused] }",
            with: "  results: { p1: applied }"
        ).write(toFile: scenario, atomically: false, encoding: .utf8)
        let mended = try await Self.scenectl(words)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await Self.cases(in: junit) == [scenario: mended.status == .exited(0) ? [] : ["?"]], "\(mended)")
        #expect(try Self.onlyCase(in: junit).elements(forName: "system-out").first?.stringValue == about)
    }

    @Test("the script that a race leaves starts a daemon with the manifest beside it, wherever the folder is")
    func script() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.path
        try FileManager.default.createDirectory(atPath: "\(place)/apps", withIntermediateDirectories: false)
        let shop = try await Self.scenectl(["app", "print", "shop"]).output
        try shop.write(toFile: "\(place)/apps/mine.yaml", atomically: false, encoding: .utf8)
        for (name, app, words) in [("own", "app: apps/mine.yaml\n", " --app app.json"), ("usual", "", "")] {
            let scenario = "\(place)/\(name).yaml"
            try (app + RaceVerbTests.wrong).write(toFile: scenario, atomically: false, encoding: .utf8)
            let left = "\(place)/\(name)"
            let run = try await Self.scenectl([
                "race", scenario, "--iterations", "50", "--seed", "1", "--artifacts", left, "--export", "\(left).sh",
            ])
            #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
            let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: left).first)
            let script = try String(contentsOfFile: "\(left)/\(folder)/provoke.sh", encoding: .utf8)
            #expect(script.contains("\n#   scened --transition 100\(words)\n"), "\(script)")
            // The one of --export is run where the scenario is.
            let here = try String(contentsOfFile: "\(left).sh", encoding: .utf8)
            let path = try Regex(
                app.isEmpty
                    ? "\n#   scened --transition 100\n" : "\n#   scened --transition 100 --app .*/apps/mine.yaml"
            )
            #expect(here.contains(path), "\(here)")
        }
    }

    /// The case of a file that has one.
    private static func onlyCase(in file: String) throws -> XMLElement {
        let document = try XMLDocument(contentsOf: URL(filePath: file))
        let cases = try document.nodes(forXPath: "/testsuites/testsuite/testcase")
        try #require(cases.count == 1)
        return try #require(cases.first as? XMLElement)
    }

    /// Whether a text names code: a file in Swift, a closure, or a function of a type.
    private static func namesCode(_ text: String) -> Bool {
        text.contains(/\.swift\b|closure #|\b[A-Z]\w*\.[a-z]\w*\(/)
    }

    @Test("whatever fails, no text names a function, a type or a file of scened's own code")
    func withoutCode() async throws {
        let traces = ["SceneHost+Stopping.swift:7", "closure #1 in", "MailboxConsumer.run()"]
        #expect(traces.allSatisfy(Self.namesCode))
        let directory = try TemporaryDirectory()
        let place = directory.path
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(place)/\(name)", atomically: false, encoding: .utf8)
        }
        try write(RaceVerbTests.wrong, "wrong.yaml")
        try write(RaceVerbTests.wrong.replacing("tab: applied", with: "tab: ignored"), "other.yaml")
        let left = "\(place)/left"
        for (name, options) in [
            ("wrong", []), ("wrong", ["--shrink"]), ("wrong", ["--artifacts", left, "--granularity", "locks"]),
            ("other", ["--prove"]), ("other", ["--jobs", "1", "--ends"]),
        ] {
            let junit = "\(place)/race.xml"
            let words = ["race", "\(place)/\(name).yaml", "--junit", junit] + options
            let run = try await Self.scenectl(
                words + (options == ["--prove"] ? [] : ["--iterations", "50", "--seed", "1"])
            )
            #expect(run.status == .exited(1), "\(words): \(run.output)\(run.errors)")
            let text = try String(contentsOfFile: junit, encoding: .utf8)
            #expect(!Self.namesCode(text), "\(words): \(text)")
            #expect(text.contains("event.admitted") && !text.contains("NOT confirmed"), "\(words): \(text)")
        }
        // A history that breaks invariants.
        let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: left).first)
        let records = try String(contentsOfFile: "\(left)/\(folder)/records.jsonl", encoding: .utf8)
        try write(records.replacing(#""outcome":"ignored""#, with: #""outcome":"gated""#), "records.jsonl")
        // Steps that come otherwise, and one that is refused.
        try write(
            """
            {"call": "Scenes.Connect", "parameters": {"scene": "A"}}
            {"call": "Events.OpenURL", "parameters": {"url": "bank://help", "scene": "A"}, "expect": {"receipt": {"outcome": "gated"}}}
            {"call": "Events.OpenURL", "parameters": {"url": "bank://nowhere/x", "scene": "A"}, "expect": {"receipt": {"outcome": "applied"}}}
            {"call": "Scenes.Connect", "parameters": {"scene": "A"}}

            """,
            "script.jsonl"
        )
        try FileManager.default.createDirectory(atPath: "\(place)/fixtures", withIntermediateDirectories: false)
        for (name, text) in [
            "wrong.yaml": "event: { url: \"bank://accounts\" }\nexpect: { decision: gated, target: x, user: 3 }\n",
            "none.yaml": "event: { aps: { alert: x } }\nexpect: { adapter: push }\n", "odd.yaml": "event: 7\n",
            "bad.json": "{",
        ] { try write(text, "fixtures/\(name)") }
        let scenectl = Command.built("scenectl")
        for (words, status) in [
            (["check", "\(place)/records.jsonl"], 1),
            (["with-daemon", "--app", "bank", "--", scenectl, "play", "\(place)/script.jsonl"], 1),
            (["adapter", "test", "\(place)/fixtures", "--app", "bank"], 1),
        ] as [([String], Int32)] {
            let junit = "\(place)/other.xml"
            let run = try await Self.scenectl(words + ["--junit", junit])
            #expect(run.status == .exited(status), "\(words): \(run.output)\(run.errors)")
            let text = try String(contentsOfFile: junit, encoding: .utf8)
            #expect(text.contains("<failure") && !Self.namesCode(text), "\(words): \(text)")
        }
    }

    @Test("no file but an earlier result gives way to a result, and none is mixed with what is printed")
    func targets() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.path
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(place)/\(name)", atomically: false, encoding: .utf8)
        }
        func text(_ name: String) -> String? { try? String(contentsOfFile: "\(place)/\(name)", encoding: .utf8) }
        try FileManager.default.createDirectory(atPath: "\(place)/fixtures", withIntermediateDirectories: false)
        let fixture = "event: { url: \"bank://help\" }\nexpect: { decision: proceed }\n"
        // A mistyped name: a fixture by its own name, by another, one that is not read this time, and what another tool wrote.
        let others =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"1\" failures=\"0\" errors=\"0\">\n  <testsuite name=\"x\">\n"
        let files = [
            "fixtures/help.yaml": fixture, "fixtures/.later.yaml": fixture, "fixtures/help.md": "Notes.\n",
            "fixtures/pytest.xml": others,
            "script.jsonl": #"{"call": "Scenes.Connect", "parameters": {"scene": "A"}}"# + "\n",
            "app.yaml": try await Self.scenectl(["app", "print", "bank"]).output,
            "race.yaml": "app: app.yaml\n\(RaceVerbTests.wrong)",
        ]
        for (name, text) in files { try write(text, name) }
        try FileManager.default.linkItem(atPath: "\(place)/fixtures/help.yaml", toPath: "\(place)/linked.xml")
        try FileManager.default.createSymbolicLink(
            atPath: "\(place)/pointed.xml",
            withDestinationPath: "fixtures/help.yaml"
        )
        let test = ["adapter", "test", "\(place)/fixtures", "--app", "bank"]
        let play = ["with-daemon", "--app", "bank", "--", Command.built("scenectl"), "play", "\(place)/script.jsonl"]
        let race = ["race", "\(place)/race.yaml", "--iterations", "2", "--seed", "1"]
        for (words, name, message) in [
            (test, "fixtures/help.yaml", "which is read"), (test, "linked.xml", "which is read"),
            (test, "pointed.xml", "which is read"), (test, "fixtures/.later.yaml", "no earlier run has written it"),
            (test, "fixtures/help.md", "no earlier run has written it"),
            (test, "fixtures/pytest.xml", "no earlier run has written it"), (test, "fixtures", "found a folder"),
            (play, "script.jsonl", "which is read"), (play, "fixtures/help.yaml", "no earlier run has written it"),
            (race, "race.yaml", "which is read"), (race, "app.yaml", "--junit"),
        ] {
            let run = try await Self.scenectl(words + ["--junit", "\(place)/\(name)"])
            #expect(run.status == .exited(2) && run.errors.contains(message), "\(words) \(name): \(run.errors)")
        }
        for (name, before) in files { #expect(text(name) == before, "\(name)") }
        for name in ["/dev/stdout", "/dev/stderr", "/proc/self/fd/1", "-"] {
            let run = try await Self.scenectl(test + ["--junit", name])
            #expect(run.status == .exited(2) && run.output.isEmpty, "\(name): \(run.output)")
            #expect(
                run.errors.contains("--junit \(name): it has what the command prints; expected a file"),
                "\(run.errors)"
            )
        }
        let both = try await Program.run(
            "/bin/sh",
            ["-c", "\"$@\" --junit \"$0\" > \"$0\" 2>&1", "\(place)/both.txt", Command.built("scenectl")] + test
        )
        #expect(both.status == .exited(2) && text("both.txt")?.contains("it has what the command prints") == true)
        // An empty file, as mktemp makes it, is replaced, and so is an earlier result, of whichever command.
        try write("", "results.xml")
        for (words, suite) in [(test, "adapter test"), (play, "play"), (test, "adapter test")] {
            let run = try await Self.scenectl(words + ["--junit", "\(place)/results.xml"])
            #expect(run.status == .exited(0), "\(run.output)\(run.errors)")
            #expect(text("results.xml")?.contains("<testsuite name=\"scenectl \(suite)\"") == true)
        }
        // Nothing else is left beside it.
        let names = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        #expect(
            names == [
                "app.yaml", "both.txt", "fixtures", "linked.xml", "pointed.xml", "race.yaml", "results.xml",
                "script.jsonl",
            ]
        )
    }

    @Test("an unproved scenario is an error, and so is what kept a command from its work", .enabled(if: hasPython))
    func unjudged() async throws {
        let directory = try TemporaryDirectory()
        let junit = "\(directory.path)/results.xml"
        let short = try await Self.scenectl(["race", "two-buyers", "--prove", "--time", "1ms", "--junit", junit])
        #expect(short.status == .exited(4))
        #expect(
            try await Self.cases(in: junit) == ["two-buyers": ["Error: not every order was run, so nothing is proved"]]
        )
        // A search that ends with its time says how far it came, and has found no race in that.
        let long = ["race", "sign-out-against-push", "--iterations", "100000000", "--seed", "1", "--time", "300ms"]
        for jobs in ["0", "2"] {
            let cut = try await Self.scenectl(long + ["--jobs", jobs, "--junit", junit])
            #expect(cut.status == .exited(0), "\(cut.errors)")
            let words = cut.output.firstMatch(
                of: /\nNo race found so far: ([0-9]+ of 100000000 orders in the time given)\.\n/
            )
            #expect(words?.output.1.hasPrefix("0 ") == false, "\(cut.output)")
            let said = try Self.onlyCase(in: junit).elements(forName: "system-out").first?.stringValue
            #expect(said?.hasSuffix("\n\(words?.output.1 ?? "?").") == true, "\(said ?? "")")
        }
        for (words, isCut) in [
            (long, true), (["race", "sign-out-against-push", "--iterations", "20", "--time", "10m"], false),
            (["race", "two-buyers", "--prove", "--time", "1ms"], true),
            (["race", "sign-out-against-push", "--prove"], false),
        ] {
            let run = try await Self.scenectl(words + ["--json"])
            let json = try JSONValue(parsing: run.output)
            #expect(json["endedEarly"] == .bool(isCut) && json["race"] == false, "\(words): \(run.output)")
            let planned = words.contains("--prove") ? nil : words.dropFirst(3).first.flatMap { Int($0) }
            #expect(json["planned"]?.integerValue == planned, "\(words): \(run.output)")
        }
        let lost = try await Self.scenectl(["check", "--socket", "\(directory.path)/none", "--junit", junit])
        #expect(lost.status == .exited(3), "\(lost.errors)")
        let cases = try await Self.cases(in: junit)
        #expect(cases.count == 1 && cases["the command itself"]?.first?.hasPrefix("Error: ") == true, "\(cases)")
        let nowhere = try await Self.scenectl([
            "race", "two-buyers", "--iterations", "1", "--junit", "/none/results.xml",
        ])
        #expect(
            nowhere.status == .exited(2) && nowhere.errors.contains("--junit /none/results.xml"),
            "\(nowhere.errors)"
        )
        for words in [
            ["race", "--list"], ["race", "two-buyers", "--print"],
            ["race", "two-buyers", "--shard", "1/2", "--seed", "1"],
            ["play", "x", "--export", "simctl"], ["adapter", "test", "x", "--watch"],
        ] {
            let run = try await Self.scenectl(words + ["--junit", junit])
            #expect(run.status == .exited(2) && run.errors.contains("--junit"), "\(words): \(run.errors)")
        }
    }

    @Test("check has a case for each invariant", .enabled(if: hasPython))
    func check() async throws {
        let directory = try TemporaryDirectory()
        let junit = "\(directory.path)/results.xml"
        let lying = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "protocol/python/tests/lying_scened.py").path
        let run = try await Program.run(
            Command.built("scenectl"),
            [
                "with-daemon", "--scened", lying, "--", "sh", "-c", "\"$0\" connect A && \"$0\" check --junit \"$1\"",
                Command.built("scenectl"), junit,
            ],
            environment: ["REAL_SCENED": Command.built("scened"), "PATH": "/usr/bin:/bin"]
        )
        #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
        let cases = try await Self.cases(in: junit)
        #expect(cases.count > 5)
        let violated = cases.filter { $0.value.first?.hasPrefix("Failure: ") == true }
        #expect(violated.count == 1 && violated.first?.value.first?.contains("shows what nobody may see") == true)
    }

    @Test(
        "play has a case for each step, with its line, and adapter test one for each fixture",
        .enabled(if: hasPython)
    )
    func playAndAdapters() async throws {
        let directory = try TemporaryDirectory()
        let (script, junit) = ("\(directory.path)/script.jsonl", "\(directory.path)/results.xml")
        try """
        {"call": "Scenes.Connect", "parameters": {"scene": "A"}}

        {"call": "Events.OpenURL", "parameters": {"url": "bank://help", "scene": "A"}, "expect": {"receipt": {"outcome": "gated"}}}

        """.write(toFile: script, atomically: false, encoding: .utf8)
        let played = try await Self.scenectl([
            "with-daemon", "--app", "bank", "--", Command.built("scenectl"), "play", script, "--junit", junit,
            "--github-annotations",
        ])
        #expect(played.status == .exited(1), "\(played.output)\(played.errors)")
        let steps = try await Self.cases(in: junit)
        #expect(steps["step 1, Scenes.Connect"] == [])
        #expect(steps["step 2, Events.OpenURL"]?.first?.hasPrefix("Failure: receipt.outcome") == true, "\(steps)")
        let annotation = try Self.read(try #require(played.errors.split(separator: "\n").first { $0.hasPrefix("::") }))
        #expect(annotation.properties["file"] == script && annotation.properties["line"] == "3")

        let fixtures = "\(directory.path)/fixtures"
        try FileManager.default.createDirectory(atPath: fixtures, withIntermediateDirectories: false)
        for (name, text) in [
            "right.yaml": "event: { url: \"bank://help\" }\nexpect: { decision: proceed }\n",
            "wrong.yaml": "event: { url: \"bank://help\" }\nexpect: { decision: gated }\n",
            "odd.yaml": "event: 7\n", "open.yaml": "event: { url: x }\nexpect: [\n",
        ] { try text.write(toFile: "\(fixtures)/\(name)", atomically: false, encoding: .utf8) }
        let tried = try await Self.scenectl([
            "adapter", "test", fixtures, "--app", "bank", "--junit", junit, "--github-annotations",
        ])
        let open = try #require(tried.errors.split(separator: "\n").first { $0.contains("open.yaml") })
        let place = try Self.read(open)
        #expect(
            place.properties["line"] != nil && place.message.contains(": \(place.properties["line"] ?? "?"):"),
            "\(open)"
        )
        #expect(tried.status == .exited(1), "\(tried.output)\(tried.errors)")
        let cases = try await Self.cases(in: junit)
        #expect(cases["right.yaml"] == [], "\(cases)")
        #expect(cases["wrong.yaml"]?.first?.hasPrefix("Failure: decision") == true, "\(cases)")
        #expect(cases["odd.yaml"]?.first?.hasPrefix("Error: ") == true, "\(cases)")
    }

    @Test("a soak has a case for each thing that it is judged by, and for each objective", .enabled(if: hasPython))
    func soak() async throws {
        let directory = try TemporaryDirectory()
        let (junit, out) = ("\(directory.path)/results.xml", "\(directory.path)/soak")
        let run = try await Self.scenectl([
            "soak", "--private", "--duration", "1s", "--rate", "50", "--seed", "3", "--slo", "lost=0,p50<1us", "--out",
            out,
            "--junit", junit,
        ])
        #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
        let cases = try await Self.cases(in: junit)
        #expect(cases["lost=0"] == [] && cases["no event is lost"] == [], "\(cases)")
        #expect(cases["p50<1us"]?.first?.hasPrefix("Failure: missed: ") == true, "\(cases)")
        let again = try await Self.scenectl(["soak", "report", out, "--junit", junit])
        #expect(again.status == .exited(1), "\(again.errors)")
        #expect(try await Self.cases(in: junit) == cases)
    }

    @Test("soaks of several machines are added up, and what is missing is told", .enabled(if: hasPython))
    func shards() async throws {
        let directory = try TemporaryDirectory()
        let (junit, out) = ("\(directory.path)/results.xml", "\(directory.path)/soak")
        let words = [
            "soak", "--private", "--duration", "1s", "--warm-up", "0s", "--rate", "50", "--seed", "3", "--out", out,
        ]
        let programs = URL(filePath: Command.built("scenectl")).deletingLastPathComponent().path
        let environment = ["JOB_COMPLETION_INDEX": "1", "PATH": "\(programs):/usr/bin:/bin"]
        for number in 1...2 {
            let run = try await Program.run(
                Command.built("scenectl"),
                words + ["--shard", "2", "--junit", junit],
                environment: environment.merging(["SLURM_ARRAY_TASK_ID": "\(number)"]) { $1 }
            )
            #expect(run.status == .exited(0) || run.status == .exited(4), "\(run.output)\(run.errors)")
            #expect(run.errors.contains("SLURM_ARRAY_TASK_ID counts, so this is shard \(number)"), "\(run.errors)")
            let text = try String(contentsOfFile: junit, encoding: .utf8)
            #expect(text.contains("classname=\"scenectl soak \(out).shard-\(number)-of-2\""), "\(text)")
            // Its last line repeats it, beside what it left.
            guard number == 1 else { continue }
            let line = try #require(run.output.firstMatch(of: /\nTo run it again: (.*)\n/)?.output.1)
            let again = try await Program.run("/bin/sh", ["-c", String(line)], environment: environment)
            #expect(again.status == .exited(0) || again.status == .exited(4), "\(line): \(again.errors)")
            #expect(FileManager.default.fileExists(atPath: "\(out)-again.shard-1-of-2/soak.json"), "\(line)")
        }
        let folders = (1...2).map { "\(out).shard-\($0)-of-2" }
        let merged = try await Self.scenectl(["soak", "merge"] + folders + ["--out", out, "--json", "--junit", junit])
        let json = try JSONValue(parsing: merged.output)
        let parts = try folders.map { folder in
            try JSONValue(parsing: String(contentsOfFile: "\(folder)/soak.json", encoding: .utf8))
        }
        let answered = parts.compactMap { $0["verdict"]?["totals"]?["answered"]?.integerValue }
        #expect(json["totals"]?["answered"]?.integerValue == answered.reduce(0, +) && answered.count == 2)
        // Each shard sends other events.
        #expect(parts[0]["intervals"] != parts[1]["intervals"])
        #expect(json["files"]?.arrayValue?.count == 3, "\(merged.output)")
        let cases = try await Self.cases(in: junit)
        #expect(folders.allSatisfy { cases["\($0): no event is lost"] == [] }, "\(cases)")
        let short = try await Self.scenectl(["soak", "merge", folders[1], "--junit", junit])
        #expect(short.status == .exited(4), "\(short.output)\(short.errors)")
        #expect(short.output.contains("shard 1 of 2 is missing"))
        #expect(try await Self.cases(in: junit)["shard 1 of 2"] == ["Error: it is missing"])
        let twice = try await Self.scenectl(["soak", "merge", folders[0], folders[0]])
        #expect(twice.status == .exited(2) && twice.errors.contains("both shard 1 of 2"), "\(twice.errors)")
        let replaced = try await Self.scenectl(["soak", "merge", folders[0], "--out", folders[0]])
        #expect(replaced.status == .exited(2) && replaced.errors.contains("it holds a soak"), "\(replaced.errors)")
    }

    @Test("the workflow of the page does what it says, with a container that is none")
    func workflow() async throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources/scened/scened.docc/InCI.md"),
            encoding: .utf8
        )
        let yaml = try #require(
            page.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "\n```").first
        )
        let jobs = try #require(try Yams.load(yaml: yaml) as? [String: Any])["jobs"] as? [String: Any]
        let steps = try #require((jobs?["races"] as? [String: Any])?["steps"] as? [[String: Any]])
        let script = try #require(steps.compactMap { $0["run"] as? String }.first { $0.contains("scenectl race") })
        let directory = try TemporaryDirectory()
        func write(_ text: String, _ name: String) throws {
            let file = URL(filePath: "\(directory.path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        try write(RaceVerbTests.wrong, "Tests/Scenarios/wrong.yaml")
        try write(
            RaceVerbTests.wrong.replacing(
                "  results: { p1: applied, tab: applied }",
                with: "  results: { p1: applied }"
            ),
            "Tests/Scenarios/right.yaml"
        )
        try write("event: { url: \"bank://help\" }\nexpect: { decision: proceed }\n", "Tests/Fixtures/help.yaml")
        try write(#"{"call": "Scenes.Connect", "parameters": {"scene": "A"}}"# + "\n", "Tests/Scripts/help.jsonl")
        let bank = try await Self.scenectl(["app", "print", "bank"])
        try write(bank.output, "App.yaml")
        let docker = try "\(directory.make("bin"))/docker"
        try await Program.write(
            "#!/bin/sh\nwhile [ \"$1\" != scened ]; do shift; done\nshift\nexec \"$@\"\n",
            to: docker
        )
        let programs = URL(filePath: Command.built("scenectl")).deletingLastPathComponent().path
        let run = try await Program.run(
            "/bin/bash",
            ["-e", "-c", "cd \"$0\"; \(script)", directory.path],
            environment: ["PATH": "\(directory.path)/bin:\(programs):/usr/bin:/bin"]
        )
        #expect(run.status == .exited(1), "\(run.output)\(run.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/results").sorted()
        let files = ["adapters.xml", "play-help.jsonl.xml", "race-right.yaml.xml", "race-wrong.yaml.xml"]
        #expect(left.filter { $0.hasSuffix(".xml") } == files, "\(left)")
        #expect(left.count == files.count + 1 && left.contains { $0.hasPrefix("wrong-") }, "\(run.errors)")
        #expect(run.errors.contains("::error file=Tests/Scenarios/wrong.yaml,title="), "\(run.errors)")
    }

    @Test("no file of anybody else's is removed or replaced, and no earlier result is taken for this one")
    func others() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.path
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(place)/\(name)", atomically: false, encoding: .utf8)
        }
        func text(_ name: String) -> String? { try? String(contentsOfFile: "\(place)/\(name)", encoding: .utf8) }
        for folder in ["mine", "one", "other"] {
            try FileManager.default.createDirectory(atPath: "\(place)/\(folder)", withIntermediateDirectories: false)
        }
        let right = RaceVerbTests.wrong.replacing(", tab: applied }", with: " }")
        try write(RaceVerbTests.wrong, "one/same.yaml")
        try write(right, "other/same.yaml")
        try write("mine", "mine/app.json")
        try write("mine", "file")
        let race = ["race", "\(place)/other/same.yaml", "--iterations", "20", "--seed", "1"]
        for (words, message) in [
            (race + ["--artifacts", ""], "--artifacts ''"), (race + ["--artifacts", "\(place)/file"], "file"),
            (race + ["--artifacts", "/proc/none"], "/proc/none"), (race + ["--junit", ""], "--junit ''"),
            (race + ["--junit", "/dev/full"], "--junit"),
            (race + ["--junit", "\(place)/other/same.yaml"], "which is read"),
            (race + ["--save", "\(place)/s.json", "--junit", "\(place)/s.json"], "would replace"),
            (["with-daemon", "--artifacts", "", "--", "false"], "--artifacts ''"),
            (["with-daemon", "--artifacts", "\(place)/mine", "--", "false"], "no earlier run left"),
            (["soak", "--private", "--duration", "1s", "--out", ""], "--out ''"),
        ] {
            let run = try await Self.scenectl(words)
            #expect(run.status == .exited(2) && run.errors.contains(message), "\(words): \(run.status) \(run.errors)")
        }
        #expect(text("mine/app.json") == "mine" && text("file") == "mine" && text("other/same.yaml") == right)
        // Two scenarios of one name in one folder for results: neither is the other's.
        let left = "\(place)/left"
        for (name, status) in [("one", 1), ("other", 0)] as [(String, Int32)] {
            let run = try await Self.scenectl([
                "race", "\(place)/\(name)/same.yaml", "--iterations", "20", "--seed", "1", "--artifacts", left,
            ])
            #expect(run.status == .exited(status), "\(run.output)\(run.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: left).count == 1)
        // What cannot be read is told at its place, and an earlier file is gone whatever happens.
        try write(right.replacing("actors:", with: "actors: 7\nother:"), "one/bad.yaml")
        let earlier = CaseReport("scenectl race").junit
        try write(earlier, "results.xml")
        let bad = try await Self.scenectl([
            "race", "\(place)/one/bad.yaml", "--junit", "\(place)/results.xml", "--github-annotations",
        ])
        #expect(bad.status == .exited(2) && text("results.xml")?.contains("classname") == true)
        let annotation = try Self.read(try #require(bad.errors.split(separator: "\n").first { $0.hasPrefix("::") }))
        #expect(annotation.properties["file"] == "\(place)/one/bad.yaml" && annotation.properties["line"] != nil)
        try write(earlier, "results.xml")
        let ended = try await Program.run(
            "/bin/sh",
            [
                "-c", "mkfifo \"$2\"; timeout --signal=TERM 2 \"$0\" with-daemon -- \"$0\" play \"$2\" --junit \"$1\"",
                Command.built("scenectl"), "\(place)/results.xml", "\(place)/pipe",
            ]
        )
        #expect(ended.status != .exited(0) && text("results.xml") != earlier, "\(ended.errors)")
    }
}
