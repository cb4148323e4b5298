@testable import Interleaving
import StrictJSON
import Testing

@Suite("A report on a failure")
struct FailureReportTests {
    @Test("shows what decides first, then both runs side by side")
    func text() throws {
        #expect(
            try ReportFixture.report().text(width: 100) == """
                ✘ two windows, one logout
                  Expectation failed: committed after the sign-out
                  found by pos in run 12, seed 0xc0ffee
                  shrunk from 5 deviations in 11 steps to 1 in 11, in 47 runs; no schedule with fewer fails
                  confirmed by two replays
                  200 schedules, 6 classes, no new ones expected

                The order of two steps on Session decides:
                  it fails if step  9   sign-out  Session.signOut()  Session.swift:43
                  comes before      10  window B  SceneB.commit(_:)  SceneB.swift:31
                  and passes in the other order.

                fails                                            │ passes
                      ┌ test                                     │       ┌ test
                      │┌ window A                                │       │┌ window A
                      ││┌ sign-out                               │       ││┌ sign-out
                      │││┌ window B                              │       │││┌ window B
                step  ││││ task      line, function and actor    │ step  ││││ task      line, function and actor
                ─────────────────────────────────────────────────┼─────────────────────────────────────────────────
                  1   ●    test      Test.swift:10 body()        │   1   ●    test      Test.swift:10 body()
                    ⋮ 4 steps alike                              │     ⋮
                  6    ●│  window A  SceneA.swift:22 SceneA.ope… │   6    ●│  window A  SceneA.swift:22 SceneA.ope…
                  7     ●  sign-out  Session.swift:42 Session.s… │   7     │● window B  SceneB.swift:30 SceneB.com…
                  8     │● window B  SceneB.swift:30 SceneB.com… │   8     ●│ sign-out  Session.swift:42 Session.s…
                  9 ▶   ◆│ sign-out  Session.swift:43 Session.s… │   9 ▶   │◆ window B  SceneB.swift:31 SceneB.com…
                 10 ▶    ◆ window B  SceneB.swift:31 SceneB.com… │  10 ▶   ◆│ sign-out  Session.swift:43 Session.s…
                 11      ● window B  SceneB.swift:32 SceneB.com… │  11      ● window B  SceneB.swift:32 SceneB.com…

                Run it again:
                  INTERLEAVING_REPLAY='3:1' swift test --filter 'two windows, one logout'

                """
        )
    }

    @Test("shows only the failing run if no passing one was found")
    func alone() throws {
        let text = try ReportFixture.report(withPassing: false).text(width: 80)
        #expect(
            text.contains(
                "No passing run was found nearby, so it is not known which step decides; more runs may find one."
            )
        )
        #expect(text.contains("NOT confirmed: a replay of the same schedule did not fail alike"))
        #expect(text.contains("\nstep  ││││ task      line, function and actor\n───"))
        #expect(text.contains("  9     ●│ sign-out  Session.swift:43 Session.signOut() on Session\n"))
        #expect(!text.contains("passes\n"))
    }

    @Test(
        "says how to run it again only where its order repeats it; else why it does not, and what to do instead",
        arguments: [Interleaving.Confirmation.confirmed, .notTried, .notReproduced, .diverged(step: 3)]
    )
    func advice(confirmation: Interleaving.Confirmation) throws {
        for kind in ["failed", "escaped", "trapped 4", "deadlock"] {
            var report = try ReportFixture.report(withPassing: false, kind: kind, confirmation: confirmation)
            for search in [nil, "swift test --filter 'two'"] {
                report.search = search
                // What trapped keeps its locks, so a new process may do it again.
                let repeats =
                    switch confirmation {
                    case .confirmed, .notTried: true
                    case .notReproduced: kind.hasPrefix("trapped")
                    case .diverged: false
                    }
                Self.expect(report, repeats: repeats)
                Self.expect(report.withoutRepetition, repeats: false)
            }
        }
    }

    private static func expect(_ report: FailureReport, repeats: Bool) {
        for text in [report.text(), report.summary, report.html] {
            #expect(text.contains("Run it again") == repeats, "\(text)")
            #expect(text.contains("Its order does not repeat it") != repeats, "\(text)")
            #expect(text.contains("INTERLEAVING_REPLAY=") == repeats, "\(text)")
            guard !repeats else { continue }
            if report.failure.kind == "escaped" {
                #expect(text.contains("another thread takes part"), "\(text)")
            } else {
                #expect(text.contains("depends on something other than its seed"), "\(text)")
                #expect(text.contains("SWIFT_DETERMINISTIC_HASHING=1"), "\(text)")
            }
        }
        guard !repeats, report.failure.kind != "escaped", let search = report.search else { return }
        let prefix = DeterministicHashing.prefix
        #expect(
            report.summary.contains(
                "  \(prefix)INTERLEAVING_SEED=0xc0ffee INTERLEAVING_CHECK_DETERMINISM=1000 \(search)\n"
            ),
            "\(report.summary)"
        )
        #expect(
            report.summary.contains("  SWIFT_DETERMINISTIC_HASHING=1 INTERLEAVING_SEED=0xc0ffee"),
            "\(report.summary)"
        )
    }

    @Test("a summary that is cut keeps all of what to do", arguments: [true, false])
    func cut(repeats: Bool) throws {
        var report = try ReportFixture.report()
        report.search = "swift test"
        let message = String(repeating: "line\n", count: 80)
        var long = FailureReport(
            title: "long",
            message: message,
            replay: report.replay,
            failure: report.failure,
            origin: report.origin
        )
        long.search = report.search
        if !repeats { long = long.withoutRepetition }
        let lines = long.summary.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 60)
        #expect(lines.contains { $0 == "\(long.advice.title):" })
        for line in long.advice.lines { #expect(lines.contains { $0 == "  \(line)" }) }
    }

    @Test("keeps to the width of the terminal", arguments: [72, 80, 100, 120])
    func width(_ width: Int) throws {
        let report = try ReportFixture.report { step in
            var label = ReportFixture.label(step)
            label.function = String(repeating: "long", count: 40)
            label.task += String(repeating: " and more", count: 10)
            return label
        }
        let lines = report.text(width: width).split(separator: "\n")
        let table = try #require(lines.firstIndex { $0.hasPrefix("───") })
        let heads = try #require(lines.firstIndex { $0.hasPrefix("fails") })
        for line in lines[heads...].dropLast(2) { #expect(line.count <= width, "\(line)") }
        #expect(lines[table...].contains { $0.contains("▶") && $0.contains("sign-") })
    }

    @Test("marks a name that it has no room for")
    func longName() throws {
        let report = try ReportFixture.report { step in
            var label = ReportFixture.label(step)
            label.task = "\(label.task) of the customer who came in first"
            return label
        }
        let text = report.text(width: 120)
        #expect(text.contains("┌ sign-out of the customer who came in first"))
        #expect(text.contains(" sign-out of t…  "))
        #expect(!text.contains(" sign-out of the  "))
    }

    @Test("leaves out long stretches that both runs have")
    func alike() throws {
        var program = ReportFixture.program
        program.tasks[0] += Array(repeating: .init(executor: 0), count: 9)
        program.tasks[0][9].begins = [1, 2, 3]
        program.tasks[0][0].begins = []
        let failing = try #require(program.firstFailure(seed: 7))
        let shrunk = Shrinker(dependency: .executors(.fifo)).shrink(failing, run: program.trial)
        let report = FailureReport(title: "late", message: "m", replay: "r", failure: shrunk)
        let text = report.text(width: 80)
        #expect(text.contains("⋮ "))
        #expect(text.contains(" steps alike"))
        #expect(text.contains("task 0"))
    }

    @Test(
        "says once what comes again and again, in as few lines for a long run as for a short one",
        arguments: [400, 4_000]
    )
    func again(_ steps: Int) async throws {
        let settings = SimulationSettings(maxSteps: steps)
        let body: ExplorationBody = { _ in
            await Task(name: "spinner") { while !Task.isCancelled { await Task.yield() } }.value
        }
        let report = try await withExplorationRunner(settings, body: body) { runner in
            let exploration = try runner.explore(ExplorationOptions(seed: 1, strategy: .random, settings: settings))
            return try exploration.failure.map {
                try runner.report(on: $0, of: exploration, title: "spin") { "\($0)" }
            }
        }
        let text = try #require(report).text(width: 100)
        #expect(text.contains("⋮ these 2 steps \((steps - 5) / 2) times more\n"), "\(text)")
        #expect(text.split(separator: "\n").count < 25)
        // No lane for each yield.
        #expect(text.contains("      │┌ spinner\n") || text.contains("       │┌ spinner\n"))
        #expect(!text.contains("││┌"))
        let html = try #require(report).html
        #expect(html.contains("these 2 steps \((steps - 5) / 2) times more"))
        #expect(html.utf8.count < 20_000)
        try Markup(html).check()
    }

    @Test("finds the shortest stretch that comes again at least three times")
    func stretches() {
        func found(_ text: String, at start: Int = 0) -> [Int] {
            Repetition(in: Array(text), at: start).map { [$0.length, $0.times] } ?? []
        }
        #expect(found("aaaa") == [1, 3])
        #expect(found("aaa") == [])
        #expect(found("xababababay", at: 1) == [2, 3])
        #expect(found("ababab") == [])
        #expect(found("aabaabaabaabc") == [3, 3])
        #expect(found("abcdefghijklm") == [])
        #expect(found("") == [])
    }

    @Test("has colours only on request")
    func colours() throws {
        let report = try ReportFixture.report()
        #expect(!report.text().contains("\u{1B}"))
        let coloured = report.text(isColoured: true)
        #expect(coloured.contains("\u{1B}[1;31m"))
        #expect(coloured.replacingEscapes() == report.text())
    }

    @Test("passes no control character or markup from a label to the terminal or the page")
    func hostile() throws {
        let evil = "\u{1B}]0;x\u{7}</td><script>alert('\"&')</script>\u{202E}\r\u{2028}"
        let report = try ReportFixture.report(
            label: { step in
                StepLabel(task: evil + ReportFixture.label(step).task, actor: evil, function: evil, file: evil, line: 1)
            },
            title: evil
        )
        let text = report.text(width: 120)
        let obeyed: [Unicode.Scalar] = ["\u{1B}", "\u{7}", "\r", "\u{202E}", "\u{2028}"]
        for scalar in obeyed { #expect(!text.unicodeScalars.contains(scalar)) }
        let html = report.html
        #expect(!html.contains("<script"))
        #expect(html.contains("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)"))
        #expect(!html.unicodeScalars.contains("\u{202E}" as Unicode.Scalar))
        #expect(throws: Never.self) { try Markup(html).check() }
        #expect(try JSONValue(parsing: report.json.text()) == report.json)
    }

    @Test("is a well-formed, self-contained page")
    func page() throws {
        let html = try ReportFixture.report().html
        try Markup(html).check()
        for word in ["http:", "https:", "src=", "href=", "@import", "url(", "<script"] { #expect(!html.contains(word)) }
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(html.contains("<span class=\"mark\">first</span><span class=\"function\">Session.signOut()</span>"))
        #expect(html.contains("<th rowspan=\"2\">step</th><th colspan=\"4\">tasks, one in each column"))
        #expect(html.contains("<polyline points="))
        #expect(html.components(of: " marked\"") == 4)
    }

    @Test("says the same to programs")
    func json() throws {
        let report = try ReportFixture.report()
        let json = try JSONValue(parsing: report.json.text(.indented))
        #expect(json["version"] == 1)
        #expect(json["confirmation"] == "confirmed")
        #expect(json["origin"] == ["strategy": "pos", "seed": "0xc0ffee", "run": 12])
        let steps = try #require(json["failing"]?.arrayValue)
        #expect(steps.count == 11)
        let pair = try #require(json["deciding"]?["failing"]?.arrayValue).compactMap { $0.integerValue }
        #expect(pair.map { steps[$0]["task"] } == ["sign-out", "window B"])
        let passing = try #require(json["deciding"]?["passing"]?.arrayValue).compactMap { $0.integerValue }
        #expect(passing.map { json["passing"]?[$0]?["task"] } == ["window B", "sign-out"])
        #expect(json["deciding"]?["actor"] == "Session")
        let deviations = try #require(json["deviations"]?.arrayValue).map {
            RunDeviation(
                step: $0["step"]?.integerValue ?? -1,
                position: $0["position"]?.integerValue ?? -1,
                count: $0["count"]?.integerValue ?? -1
            )
        }
        #expect(RunSchedule(deviations) == report.failure.schedule)
        #expect(json["coverage"]?["runs"] == 200)
    }
}

extension String {
    /// Without ANSI escape sequences for colours.
    fileprivate func replacingEscapes() -> String {
        var rest = Substring(self)
        var text = ""
        while let escape = rest.firstIndex(of: "\u{1B}") {
            text += rest[..<escape]
            rest = rest[escape...].drop { $0 != "m" }.dropFirst()
        }
        // Padding stays between a word in colour and the end of its line.
        return (text + rest).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    fileprivate func components(of part: String) -> Int {
        indices.count { self[$0...].hasPrefix(part) }
    }
}
