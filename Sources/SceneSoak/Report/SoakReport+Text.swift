internal import Histogram
internal import SceneHistory

extension SoakReport {
    /// A line of the summary, with a tone for the colour on a terminal.
    package struct Line: Hashable, Sendable {
        package var text: String
        package var tone: Tone

        package enum Tone: Hashable, Sendable { case plain, heading, good, bad, doubtful, faint }
    }

    /// The summary as text: verdict, figures, objectives, trends, hosts.
    package static func text(of run: SoakRun, verdict: SoakVerdict) -> String {
        lines(of: run, verdict: verdict).map { "\($0.text)\n" }.joined()
    }

    /// The summary line by line.
    package static func lines(of run: SoakRun, verdict: SoakVerdict) -> [Line] {
        var lines: [Line] = []
        let tone: Line.Tone =
            switch verdict.conclusion {
            case .guilty: .bad
            case .clean: .good
            case .unknown: .doubtful
            }
        lines.append(Line(text: verdict.sentence(of: run), tone: tone))
        if verdict.reasons.count > 1 {
            lines += verdict.reasons.map {
                Line(text: "  \($0.isGuilt ? "✘" : "?") \($0.text)", tone: $0.isGuilt ? .bad : .doubtful)
            }
        }
        lines.append(Line(text: "", tone: .plain))
        lines += figures(of: run, verdict.totals).map { name, value in
            Line(text: "  \(padded(name, 12)) \(value)", tone: .plain)
        }
        if let coverage = run.coverage { lines += Self.lines(of: coverage) }
        if !verdict.objectives.isEmpty {
            lines.append(Line(text: "objectives", tone: .heading))
            let width = verdict.objectives.map(\.objective.count).max() ?? 0
            lines += verdict.objectives.map { line($0, width) }
        }
        if !verdict.trends.isEmpty {
            lines.append(Line(text: "trends", tone: .heading))
            if let meaning = commonDoubt(verdict.trends) {
                // A short soak shows no trends; one line says so.
                lines.append(Line(text: "  \(meaning)", tone: .faint))
            } else {
                let width = verdict.trends.map { name($0, of: run).count }.max() ?? 0
                lines += verdict.trends.map { line($0, of: run, width) }
            }
        }
        if !run.hosts.isEmpty {
            lines.append(Line(text: "hosts", tone: .heading))
            let width = run.hosts.map(\.id.count).max() ?? 0
            lines += run.hosts.map { line($0, width) }
        }
        return lines
    }

    /// What was reached of the app, and what never was.
    package static func lines(of coverage: SoakCoverage) -> [Line] {
        var lines = [Line(text: "reached", tone: .heading)]
        for part in SoakCoverage.Part.allCases {
            let (reached, all) = coverage.share(of: part)
            if all == 0 { continue }
            let missed = coverage.missed(part)
            let most = 5
            let names = missed.prefix(most).map { item in "\(item.name)\(item.why.map { " (\($0))" } ?? "")" }
            let rest = missed.count > most ? ", and \(missed.count - most) more" : ""
            let never = missed.isEmpty ? "" : "; never \(names.joined(separator: ", "))\(rest)"
            lines.append(
                Line(text: "  \(padded(part.rawValue, 12)) \(reached) of \(all)\(never)", tone: .plain)
            )
        }
        return lines
    }

    /// Why several trends are unknown, if the reason is the same for all.
    private static func commonDoubt(_ trends: [SoakTrend]) -> String? {
        let reasons = trends.map { trend in
            if case .unknown(let reason) = trend.state { reason } else { nil as String? }
        }
        guard reasons.count > 1, let first = reasons[0], reasons.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// The most important figures, each with its name.
    static func figures(of run: SoakRun, _ totals: SoakTotals) -> [(name: String, value: String)] {
        var figures: [(String, String)] = []
        let asked = run.plan.map { " of \(Wording.short($0.rate))/s planned" } ?? ""
        figures.append(("answered", "\(Wording.count(totals.answered)), \(Wording.short(totals.rate))/s\(asked)"))
        if run.latency.totalCount > 0 {
            let words = run.ranks.map {
                "\(Wording.percentile($0)) \(Wording.latency(Double(run.latency.valueAtPercentile($0))))"
            }
            figures.append(
                (
                    "latency",
                    (words + ["max \(Wording.latency(Double(run.latency.maxRecorded)))"]).joined(separator: "  ")
                )
            )
        }
        if run.generatorLag.totalCount > 0 {
            let lag = Wording.latency(Double(run.generatorLag.valueAtPercentile(99)))
            figures.append(
                ("generator", "late by \(lag) at p99, \(Wording.latency(Double(run.generatorLag.maxRecorded))) at most")
            )
        }
        figures.append(("refused", breakdown(totals.refused, totals.errors)))
        figures.append(("lost", "\(Wording.count(totals.lost)), cut off \(Wording.count(totals.cutOff))"))
        if totals.due > totals.sent { figures.append(("not sent", Wording.count(totals.due - totals.sent))) }
        figures.append(("outcomes", totals.outcomes.isEmpty ? "none" : ordered(totals.outcomes)))
        let memory = run.intervals.filter { !$0.isWarmUp }.compactMap { $0.sample?.resident }
        if let first = memory.first, let last = memory.last, let most = memory.max() {
            let words = [first, last, most].map { Wording.bytes(Double($0)) }
            figures.append(("memory", "\(words[0]) at first, \(words[1]) at last, \(words[2]) at most"))
        }
        return figures
    }

    static func breakdown(_ total: Int, _ parts: [String: Int]) -> String {
        total == 0 ? "0" : "\(Wording.count(total)): \(ordered(parts))"
    }

    static func ordered(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \(Wording.count($0.value))" }
            .joined(separator: ", ")
    }

    private static func line(_ result: SoakObjectiveResult, _ width: Int) -> Line {
        let name = padded(result.objective, width)
        switch result.state {
        case .met: return Line(text: "  met      \(name) \(result.seen ?? "")", tone: .good)
        case .missed: return Line(text: "  MISSED   \(name) \(result.seen ?? "")", tone: .bad)
        case .unknown(let why): return Line(text: "  unknown  \(name) \(why)", tone: .doubtful)
        }
    }

    private static func name(_ trend: SoakTrend, of run: SoakRun) -> String {
        trend.subject.noun + (run.hosts.count > 1 ? trend.host.map { " of \(SoakHost.short($0))" } ?? "" : "")
    }

    private static func line(_ trend: SoakTrend, of run: SoakRun, _ width: Int) -> Line {
        let figures = trend.figures.map { " (\($0))" } ?? ""
        let cause = trend.cause(in: run).map { ", during the fault \($0.kind.rawValue)" } ?? ""
        let tone: Line.Tone =
            switch trend.state {
            case .growing: .bad
            case .unknown: .faint
            default: .plain
            }
        return Line(
            text: "  \(padded(name(trend, of: run), width)) \(trend.meaning)\(cause)\(figures)",
            tone: tone
        )
    }

    private static func line(_ host: SoakHost, _ width: Int) -> Line {
        var words = ["\(Wording.moment(host.start)) to \(Wording.moment(host.end))", host.ended]
        if let report = host.report { words.append(Wording.counted(report.records, "record")) }
        let violations = host.violations
        if !violations.isEmpty {
            words.append("violates \(Wording.list(violations.map { "invariant \($0.invariant.rawValue)" }))")
        } else if let doubt = host.doubt {
            words.append(doubt)
        } else {
            words.append("every invariant holds")
        }
        let tone: Line.Tone = violations.isEmpty ? host.doubt == nil ? .plain : .doubtful : .bad
        return Line(text: "  \(padded(host.id, width)) \(words.joined(separator: ", "))", tone: tone)
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension SoakHost {
    /// How it ended and how often it had gone on, in a few words.
    var ended: String {
        restarts == 0 ? ending.word : "went on \(restarts == 1 ? "once" : "\(restarts) times"), \(ending.word)"
    }
}

extension SoakHost.Ending {
    /// The ending in a few words.
    var word: String {
        switch self {
        case .running: "still running at the end"
        case .stopped: "stopped normally"
        case .replaced: "reset"
        case .killed: "killed on purpose"
        case .cutOff: "stopped, its last records not sent"
        case .vanished(let why): "disappeared\(why.map { ": \($0)" } ?? "")"
        }
    }
}
