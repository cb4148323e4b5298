internal import Histogram
internal import Basics
internal import SceneHistory

extension SoakPage {
    var objectives: String {
        guard !verdict.objectives.isEmpty else { return "" }
        let table = HTMLTable(
            caption: "The objectives and the measured values",
            columns: [
                HTMLTable.Column(name: "objective", isNumber: false), HTMLTable.Column(name: "measured"),
                HTMLTable.Column(name: "", isNumber: false),
            ],
            rows: verdict.objectives.map { result in
                let judged: HTMLTable.Cell =
                    switch result.state {
                    case .met: HTMLTable.Cell("✔ met", "good")
                    case .missed: HTMLTable.Cell("✘ missed", "bad")
                    case .unknown(let why): HTMLTable.Cell("? unknown: \(why)", "doubt")
                    }
                return [HTMLTable.Cell(result.objective), HTMLTable.Cell(result.seen ?? "–"), judged]
            }
        )
        return "<section><h2>Objectives</h2>\(table.html)</section>"
    }

    var kinds: String {
        guard !run.latencyByKind.isEmpty else { return "" }
        let table = HTMLTable(
            caption: "Latency by kind of event",
            columns: [HTMLTable.Column(name: "kind", isNumber: false)]
                + ["events", "p50", "p99", "slowest"].map { HTMLTable.Column(name: $0) },
            rows: run.latencyByKind.sorted { $0.key < $1.key }.map { kind, latency in
                [HTMLTable.Cell(kind), HTMLTable.Cell(Wording.count(Int(clamping: latency.totalCount)))]
                    + [50.0, 99, 100].map { HTMLTable.Cell(Wording.latency(Double(latency.valueAtPercentile($0)))) }
            }
        )
        return "<div class=\"small\">\(table.html)</div>"
    }

    var trends: String {
        guard !verdict.trends.isEmpty else { return "" }
        let table = HTMLTable(
            caption:
                "Does anything grow? The slope with its 95 % margin, and p, the chance that noise alone looks like this (below \(Wording.plain(SoakTrend.certainty)) counts as certain).",
            columns: [
                HTMLTable.Column(name: "what", isNumber: false), HTMLTable.Column(name: "daemon", isNumber: false),
                HTMLTable.Column(name: "usually"), HTMLTable.Column(name: "slope per hour"),
                HTMLTable.Column(name: "p"),
                HTMLTable.Column(name: "watched"), HTMLTable.Column(name: "", isNumber: false),
            ],
            rows: verdict.trends.map { trend in
                let cause = trend.cause(in: run).map { " (\($0.kind.rawValue))" } ?? ""
                let colour: String? =
                    switch trend.state {
                    case .growing: "bad"
                    case .unknown: "doubt"
                    default: nil
                    }
                let mark = trend.state == .growing ? "✘ " : colour == nil ? "✔ " : "? "
                return [
                    HTMLTable.Cell(trend.subject.noun), HTMLTable.Cell(trend.host.map(SoakHost.short) ?? "all"),
                    HTMLTable.Cell(trend.samples > 0 ? trend.subject.amount(trend.level) : "–"),
                    HTMLTable.Cell(
                        trend.line.map {
                            "\(Wording.signed($0.perHour, trend.subject.amount)) ± \(trend.subject.amount($0.margin))"
                        } ?? "–"
                    ),
                    HTMLTable.Cell(
                        trend.line.map { $0.chance < 0.001 ? "< 0.001" : Wording.number($0.chance, digits: 3) } ?? "–"
                    ),
                    HTMLTable.Cell(Wording.duration(trend.end - trend.start)),
                    HTMLTable.Cell(mark + trend.meaning + cause, colour),
                ]
            },
            isStacked: true
        )
        return table.html
    }

    var hosts: String {
        guard !run.hosts.isEmpty else { return "" }
        let most = 50
        var rows = run.hosts.prefix(most).map { host -> [HTMLTable.Cell] in
            let judged: HTMLTable.Cell
            if host.violationCount > 0 {
                judged = HTMLTable.Cell("✘ \(Wording.counted(host.violationCount, "violation"))", "bad")
            } else if let doubt = host.doubt {
                judged = HTMLTable.Cell("? \(doubt)", "doubt")
            } else {
                judged = HTMLTable.Cell("✔ every invariant holds", "good")
            }
            let gaps = host.gaps.prefix(5).map { gap in
                "\(Wording.count(gap.first))–\(Wording.count(gap.last)) at \(Wording.moment(gap.at)): \(gap.cause.explanation)"
            }
            let rest = host.gaps.count > 5 ? ["and \(host.gaps.count - 5) more"] : []
            return [
                HTMLTable.Cell(host.id),
                HTMLTable.Cell("\(Wording.moment(host.start)) to \(Wording.moment(host.end))"),
                HTMLTable.Cell(host.ended), HTMLTable.Cell(host.report.map { Wording.count($0.records) } ?? "–"),
                judged, HTMLTable.Cell(gaps.isEmpty ? "none" : (gaps + rest).joined(separator: "; ")),
            ]
        }
        if run.hosts.count > most {
            rows.append(["…", "", "", "", "", HTMLTable.Cell("and \(run.hosts.count - most) more daemons")])
        }
        let table = HTMLTable(
            caption: "Each run of the daemon, what its records say, and which of them are missing",
            columns: [
                HTMLTable.Column(name: "daemon", isNumber: false), HTMLTable.Column(name: "when", isNumber: false),
                HTMLTable.Column(name: "how it ended", isNumber: false), HTMLTable.Column(name: "records"),
                HTMLTable.Column(name: "verdict", isNumber: false),
                HTMLTable.Column(name: "missing records", isNumber: false),
            ],
            rows: rows,
            isStacked: true
        )
        return "<section><h2>Daemons</h2>\(table.html)</section>"
    }

    /// What of the app was reached, the rarest first, so that what never was is on top.
    var coverage: String {
        guard let coverage = run.coverage else { return "" }
        let tables = SoakCoverage.Part.allCases.compactMap { part -> String? in
            let (reached, all) = coverage.share(of: part)
            guard all > 0, let items = coverage.items[part] else { return nil }
            let most = 200
            let sorted = items.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
            var rows = sorted.prefix(most).map { _, item -> [HTMLTable.Cell] in
                guard item.count == 0 else {
                    return [HTMLTable.Cell(item.name), HTMLTable.Cell(Wording.count(item.count)), HTMLTable.Cell("")]
                }
                return [
                    HTMLTable.Cell(item.name), HTMLTable.Cell("0", "doubt"),
                    HTMLTable.Cell(item.why.map { "never: \($0)" } ?? "never", "doubt"),
                ]
            }
            if items.count > most { rows.append(["…", "", HTMLTable.Cell("and \(items.count - most) more")]) }
            return HTMLTable(
                caption: "\(part.rawValue): \(reached) of \(all)",
                columns: [
                    HTMLTable.Column(name: "name", isNumber: false), HTMLTable.Column(name: part.noun),
                    HTMLTable.Column(name: "", isNumber: false),
                ],
                rows: rows
            ).html
        }
        guard !tables.isEmpty else { return "" }
        let pairs = tables.map { "<div>\($0)</div>" }.joined()
        return "<section><h2>What was reached</h2><div class=\"pair\">\(pairs)</div></section>"
    }

    var violations: String {
        let items = run.hosts.flatMap { host in
            host.violations.map { violation in
                let evidence = host.evidence.filter { $0.invariant == violation.invariant }
                let shown = violation.shown.map { shown in
                    "<li>\(Self.linked(shown, evidence)) <span class=\"faint\">(records \(shown.records.map { Wording.count($0) }.joined(separator: ", ")))</span></li>"
                }
                let more =
                    violation.count > violation.shown.count
                    ? "<li>and \(Wording.count(violation.count - violation.shown.count)) more</li>" : ""
                let files = evidence.map { evidence in
                    let replay = evidence.replay.map { replay in
                        " · <a href=\"\(HTMLText.escaped(Self.link(replay)))\">the events</a>, to play with <code>scenectl play \(HTMLText.escaped(replay))</code>"
                    }
                    let page = evidence.page.map { page in
                        "<a href=\"\(HTMLText.escaped(Self.link(page)))\">the windows and the session around it</a> · "
                    }
                    return
                        "<li>\(page ?? "")<a href=\"\(HTMLText.escaped(Self.link(evidence.records)))\">the records around it</a>\(replay ?? "")</li>"
                }
                return """
                    <article><h3>Invariant \(violation.invariant.rawValue), host \(HTMLText.escaped(host.name)): \(HTMLText.escaped(violation.invariant.promise))</h3>
                    <ul>\(shown.joined())\(more)\(files.joined())</ul></article>
                    """
            }
        }
        guard !items.isEmpty else { return "" }
        return "<section><h2>Violations</h2>\(items.joined())</section>"
    }

    /// What a violation is, linked to the record in a page with which it was seen.
    private static func linked(_ violation: Violation, _ evidence: [SoakHost.Evidence]) -> String {
        for evidence in evidence {
            if let page = evidence.page, let seen = violation.records.last, let place = evidence.places[seen] {
                return anchor(violation.explanation, to: page, place)
            }
        }
        return HTMLText.escaped(violation.explanation)
    }

    /// A text linked to a place of a page with records.
    private static func anchor(_ text: String, to page: String, _ place: Int) -> String {
        "<a href=\"\(HTMLText.escaped(link(page)))#\(place)\">\(HTMLText.escaped(text))</a>"
    }

    /// A path relative to the page, escaped so that a browser takes it for nothing else.
    private static func link(_ path: String) -> String {
        let safe = path.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return (path.hasPrefix("/") ? "" : "./") + safe.joined()
    }

    var faults: String {
        guard !run.faults.isEmpty else { return "" }
        let most = 100
        let table = HTMLTable(
            caption: "What the soak broke on purpose"
                + (run.faults.count > most ? ", the first \(most) of \(run.faults.count)" : ""),
            columns: [
                HTMLTable.Column(name: "at"), HTMLTable.Column(name: "for"),
                HTMLTable.Column(name: "fault", isNumber: false),
                HTMLTable.Column(name: "what happened", isNumber: false),
            ],
            rows: run.faults.prefix(most).map { fault in
                [
                    HTMLTable.Cell(Wording.moment(fault.start)),
                    HTMLTable.Cell(Wording.duration(fault.end - fault.start)),
                    fault.page.map { HTMLTable.Cell(html: Self.anchor(fault.kind.rawValue, to: $0.file, $0.place)) }
                        ?? HTMLTable.Cell(fault.kind.rawValue),
                    HTMLTable.Cell(fault.words),
                ]
            }
        )
        return "<section><h2>Faults</h2>\(table.html)</section>"
    }

    var again: String {
        guard let plan = run.plan else { return "" }
        return """
            <section><h2>Run it again</h2>
            <pre>\(HTMLText.escaped(plan.commandLine))</pre>
            <p class="note">The same seed gives the same users and the same events at the same times.</p></section>
            """
    }
}
