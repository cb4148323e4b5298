internal import Basics
internal import Interleaving
internal import SceneRaces
internal import SceneViewer

/// A race on one page: what went wrong, the windows and the session in the failing order beside those in the nearest passing one, and the
/// tasks behind them.
enum RacePage {
    /// The page.
    /// - Parameters:
    ///   - found: The race.
    ///   - report: The report about it.
    ///   - search: The search that found it; `nil` for a replay.
    static func text(_ found: FoundRace, _ report: FailureReport, _ search: RaceReport?) -> String {
        // A run that did not end has left no history.
        guard let failing = found.failure?.records, !failing.isEmpty else { return report.html }
        let findings = found.findings.map { HTMLText.escaped($0) }.joined(separator: "\n")
        let lead = """
            \(search.map { "<p>\(HTMLText.escaped($0.summary))</p>" } ?? "")
            <pre class="message">\(findings)</pre>
            \(search.map { "<p>\(HTMLText.escaped(seen($0)))</p>" } ?? "")
            \(found.passing.isEmpty ? "<p>\(HTMLText.escaped(alone(found, search)))</p>" : "")
            """
        let appendix = """
            <details class="tasks"><summary>The tasks and actors behind it, step by step</summary>
            \(report.steps)
            </details>
            \(report.again)
            """
        let page = TracePage(title: report.title, style: FailureReport.style, lead: lead, appendix: appendix)
        var runs = [(TracePage.Run(label: "Fails", isGood: false), failing)]
        if !found.passing.isEmpty { runs.append((TracePage.Run(label: "Passes", isGood: true), found.passing)) }
        return page.text(runs)
    }

    /// How much was seen.
    private static func seen(_ search: RaceReport) -> String {
        let exploration = search.exploration
        let found = exploration.firstFailure.map { ", the race in order \($0 + 1)" } ?? ""
        return "\(exploration.runs == 1 ? "One order was" : "\(exploration.runs) orders were") tried\(found). "
            + (exploration.summary.map { "\($0)." } ?? "\(search.coverage).")
    }

    /// Why no passing order is beside it.
    private static func alone(_ found: FoundRace, _ search: RaceReport?) -> String {
        if found.shrunk == nil { return "No passing order was looked for; --shrink looks for one." }
        if search?.exploration.firstFailure == 0, found.kind == "\(RaceFailure.Kind.end)" {
            return
                "The very first order fails, and no passing one was found near it: perhaps what is expected is wrong."
        }
        return "No passing order was found near it."
    }
}
