internal import Basics
package import Interleaving
internal import SceneViewer

/// A race on one page: what went wrong, the windows and the session in the failing order beside those in the nearest passing one, and the
/// tasks behind them.
package enum RacePage {
    /// The page.
    /// - Parameters:
    ///   - found: The race.
    ///   - report: The report about it.
    ///   - search: The search that found it; `nil` for a replay.
    ///   - replay: The line that repeats an order.
    package static func text(
        _ found: FoundRace,
        _ report: FailureReport,
        _ search: RaceReport?,
        replay: (ReplayCode) -> String
    ) -> String {
        // A run that did not end has left no history.
        guard let failing = found.failure, !failing.records.isEmpty else { return report.html }
        let findings = found.findings.map { HTMLText.escaped($0) }.joined(separator: "\n")
        var lead = search.map { paragraph($0.summary) } ?? ""
        lead += "<pre class=\"message\">\(findings)</pre>\n"
        if failing.kind == .end { lead += comparisons(failing.end?.comparisons ?? []) }
        if let search { lead += paragraph(seen(search, found)) }
        if let survey = search?.survey { lead += ends(survey, search?.endsThatNeverCame ?? [], replay) }
        if !found.isPassingNear { lead += paragraph(alone(found, search)) }
        let appendix = """
            <details class="tasks"><summary>The tasks and actors behind it, step by step</summary>
            \(report.steps)
            </details>
            \(report.again)
            """
        let page = TracePage(title: report.title, style: FailureReport.style + style, lead: lead, appendix: appendix)
        var runs = [(TracePage.Run(label: "Fails", isGood: false), failing.records)]
        if !found.passing.isEmpty { runs.append((TracePage.Run(label: "Passes", isGood: true), found.passing)) }
        return page.text(runs)
    }

    /// The page of an order that was run again and passed.
    package static func text(of scenario: Scenario, _ passed: PassedRun) -> String {
        let lead = paragraph(scenario.summary) + "<pre class=\"passed\">\(HTMLText.escaped(passed.end))</pre>\n"
        let page = TracePage(title: "\(scenario.name): an order that passes", style: style, lead: lead, appendix: "")
        return page.text([(TracePage.Run(label: "Passes", isGood: true), passed.records)])
    }

    private static let style = """

        .ends td, .ends th, .compared td, .compared th { vertical-align: top; text-align: left; width: auto; color: inherit; padding: .2rem .5rem; }
        .ends td { white-space: nowrap; } .ends td.number { text-align: right; font-variant-numeric: tabular-nums; }
        .ends td.end { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 15rem; } .ends meter { width: 6rem; }
        .ends td.code { white-space: normal; overflow-wrap: anywhere; min-width: 15rem; }
        .compared td { min-width: 7rem; } .passed { white-space: pre-wrap; overflow-wrap: anywhere; }
        .table { overflow-x: auto; margin: .5rem 0; } .table table { width: auto; }
        """

    private static func paragraph(_ text: String) -> String { "<p>\(HTMLText.escaped(text))</p>\n" }

    private static func table(_ kind: String, _ label: String, _ head: [String], _ rows: [String]) -> String {
        """
        <div class="table" role="region" aria-label="\(label)" tabindex="0"><table class="\(kind)">
        <thead><tr>\(head.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
        <tbody>\(rows.joined(separator: "\n"))</tbody>
        </table></div>

        """
    }

    private static func sign(_ isRight: Bool) -> String {
        isRight ? "<span data-look=\"good\">✔</span>" : "<span data-look=\"bad\">✘</span>"
    }

    /// What came, beside each end that is expected.
    private static func comparisons(_ all: [[ComparedEnd]]) -> String {
        var names: [String] = []
        var rows: [String: String] = [:]
        for part in all.joined() where rows[part.what] == nil {
            names.append(part.what)
            rows[part.what] =
                "<th scope=\"row\">\(HTMLText.escaped(part.what))</th><td>\(HTMLText.escaped(part.actual))</td>"
        }
        for comparison in all {
            let parts = Dictionary(comparison.map { ($0.what, $0) }) { $1 }
            for name in names {
                let cell = parts[name].map { part in
                    "\(sign(part.isRight)) \(HTMLText.escaped(part.expected.joined(separator: " or ")))"
                }
                rows[name]? += "<td>\(cell ?? "<span class=\"faint\">any</span>")</td>"
            }
        }
        let head = all.count == 1 ? ["expected"] : all.indices.map { "expected, \($0 + 1) of \(all.count)" }
        return table(
            "compared",
            "What came, and what is expected",
            ["", "came"] + head,
            names.map { "<tr>\(rows[$0] ?? "")</tr>" }
        )
    }

    /// How the orders end, the most frequent end first.
    private static func ends(_ survey: Exploration, _ never: [Int], _ replay: (ReplayCode) -> String) -> String {
        let ends = survey.ends
        let runs = ends.runs
        var rows = ends.all.prefix(mostEnds).map { end in
            """
            <tr><td class="number">\(end.runs)</td><td><meter min="0" max="\(runs)"\(end.isFailure ? " low=\"0\" high=\"0\" optimum=\"0\"" : "") value="\(end.runs)" aria-label="\(end.runs) of \(runs)"></meter></td>\
            <td>\(sign(!end.isFailure)) \(end.isFailure ? "fails" : "passes")</td><td class="end">\(HTMLText.escaped(end.text))</td>\
            <td class="code">order \(end.example + 1): <code>\(HTMLText.escaped(replay(end.code)))</code></td></tr>
            """
        }
        let left = runs - ends.all.prefix(mostEnds).reduce(0) { $0 + $1.runs }
        if left > 0 { rows.append("<tr><td class=\"number\">\(left)</td><td colspan=\"4\">in other ways</td></tr>") }
        let early = survey.wasEnded ? ", interrupted" : ""
        return "<h2>How \(runs == 1 ? "the order that was tried ends" : "\(runs) orders end")\(early)</h2>\n"
            + table("ends", "How the orders end", ["orders", "", "", "end", "one of them"], rows)
            + never.map { paragraph("The end that is expected as number \($0) never came.") }.joined()
    }

    /// The most ends that the page lists.
    private static let mostEnds = 30

    /// How much was seen.
    private static func seen(_ search: RaceReport, _ found: FoundRace) -> String {
        let all = search.survey ?? search.exploration
        let place = search.exploration.firstFailure.map { ", the race in order \($0 + 1)" } ?? ""
        return "\(all.runs == 1 ? "One order was" : "\(all.runs) orders were") tried\(place). "
            + (all.summary.map { "\($0)." } ?? "\(all.coverage ?? search.coverage).")
            + (found.isDoubtful(in: search) ? " \(FoundRace.doubt)" : "")
    }

    /// What passing order is beside it, or why none is.
    private static func alone(_ found: FoundRace, _ search: RaceReport?) -> String {
        if found.shrunk == nil, found.passing.isEmpty {
            return "No passing order was looked for; --shrink looks for one."
        }
        if !found.passing.isEmpty {
            return
                "No passing order was found near it; beside it is another that passes, which may differ in more than the cause."
        }
        let runs = search?.survey?.runs ?? 1
        return runs == 1 ? "No passing order was found near it." : "None of \(runs) orders passes."
    }
}
