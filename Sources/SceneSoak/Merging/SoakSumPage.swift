internal import Basics
internal import Histogram
internal import StrictJSON

/// The page of several machines' soaks: first the verdict on all, then each.
struct SoakSumPage {
    let sum: SoakSum

    var html: String {
        let app = sum.parts.first?.run.place.app ?? ""
        let sentence = HTMLText.escaped(sum.sentence)
        let colon = sentence.firstIndex(of: ":") ?? sentence.startIndex
        let began = sum.parts.map(\.run.began).min() ?? 0
        let body = """
            <header class="\(sum.conclusion.rawValue)">
            <p class="what">Soak of \(HTMLText.escaped(app)) on \(Wording.counted(sum.parts.count, "machine")), the first begun \(Wording.date(began))</p>
            <h1><b>\(sentence[..<colon])</b>\(sentence[colon...])</h1>
            \(reasons)
            </header>
            <main>
            \(SoakPage.html(of: tiles))
            <section><h2>Latency</h2>
            \(curve)
            </section>
            <section><h2>Machines</h2>
            \(machines)
            <p class="note">The folder of each machine's soak has its own page, <code>report.html</code>, with everything over time.</p>
            </section>
            <section><h2>Outcomes</h2>
            \(outcomes)
            </section>
            \(plan)
            </main>
            """
        return HTMLPage.text(
            title: "Soak of \(app): \(sum.conclusion.rawValue)",
            style: SoakPage.style,
            body: body
        )
    }

    private var reasons: String {
        guard sum.reasons.count > 1 else { return "" }
        var items = sum.reasons.prefix(SoakSum.mostReasons).map { reason in
            "<li class=\"\(reason.isGuilt ? "bad" : "doubt")\">\(HTMLText.escaped(reason.text))</li>"
        }
        if sum.reasons.count > items.count { items.append("<li>and \(sum.reasons.count - items.count) more</li>") }
        return "<ul class=\"reasons\">\(items.joined())</ul>"
    }

    private var tiles: [SoakPage.Tile] {
        let totals = sum.totals
        let planned = sum.parts.compactMap { $0.run.plan?.rate }.reduce(0, +)
        let asked = planned > 0 ? "; \(Wording.short(planned))/s planned" : ""
        return [("answered", "\(Wording.short(sum.rate))/s", "\(Wording.count(totals.answered)) events\(asked)")]
            + SoakPage.tiles(of: sum.latency, sum.ranks) + SoakPage.tiles(ofLost: totals)
    }

    private var curve: String {
        guard sum.latency.totalCount > 0 else { return "<p>No latency was measured.</p>" }
        let slowest = sum.parts.max { $0.run.latency.valueAtPercentile(99) < $1.run.latency.valueAtPercentile(99) }
        let frame = ChartFrame(
            title: "Latency by percentile",
            description:
                "of all machines together: \(Wording.latency(Double(sum.latency.valueAtPercentile(99)))) at 99 %",
            legend: [("all machines", "q5")] + (slowest.map { [("\($0.label), the slowest at 99 %", "c2")] } ?? []),
            heights: [],
            widths: [],
            note: "From when an event was due to its answer, after the warm-up.",
            isSmall: true
        )
        return CurveChart(
            frame: frame,
            curves: [("all machines", "q5", false, sum.latency)]
                + (slowest.map { [($0.label, "c2", true, $0.run.latency)] } ?? [])
        ).html
    }

    /// How often each outcome and each refusal came, on all machines.
    private var outcomes: String {
        let totals = sum.totals
        func rows(_ counts: [String: Int], _ word: String) -> [[HTMLTable.Cell]] {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
                [HTMLTable.Cell(name), HTMLTable.Cell(word), HTMLTable.Cell(Wording.count(count))]
            }
        }
        return HTMLTable(
            caption: "How events ended, and what was refused at the door",
            columns: [
                HTMLTable.Column(name: "name", isNumber: false), HTMLTable.Column(name: "what it is", isNumber: false),
                HTMLTable.Column(name: "events"),
            ],
            rows: rows(totals.outcomes, "outcome") + rows(totals.errors, "refused")
        ).html
    }

    /// The command of the first machine.
    private var plan: String {
        guard let plan = sum.parts.first?.run.plan else { return "" }
        return
            "<section><h2>Run it again</h2><p class=\"note\">On the first machine: <code>\(HTMLText.escaped(plan.commandLine))</code></p></section>"
    }

    private var machines: String {
        let ranks = Array(sum.ranks.suffix(2))
        let rows = sum.parts.map { part -> [HTMLTable.Cell] in
            let totals = part.verdict.totals
            let judged: HTMLTable.Cell =
                switch part.verdict.conclusion {
                case .clean: HTMLTable.Cell("✔ clean", "good")
                case .guilty: HTMLTable.Cell("✘ \(part.verdict.sentence(of: part.run))", "bad")
                case .unknown: HTMLTable.Cell("? \(part.verdict.sentence(of: part.run))", "doubt")
                }
            let latency = part.run.latency
            return [HTMLTable.Cell(part.label), judged, HTMLTable.Cell(Wording.count(totals.answered))]
                + ranks.map {
                    HTMLTable.Cell(
                        latency.totalCount > 0 ? Wording.latency(Double(latency.valueAtPercentile($0))) : "–"
                    )
                } + [
                    HTMLTable.Cell(Wording.count(totals.lost)), HTMLTable.Cell(part.objectives),
                    HTMLTable.Cell(part.memory.map { Wording.bytes(Double($0)) } ?? "–"),
                    HTMLTable.Cell("\(part.run.place.system), \(Wording.counted(part.run.place.cores, "core"))"),
                ]
        }
        return HTMLTable(
            caption: "The soak of each machine, and what is known of it",
            columns: [
                HTMLTable.Column(name: "soak", isNumber: false), HTMLTable.Column(name: "verdict", isNumber: false),
            ]
                + [HTMLTable.Column(name: "answered")] + ranks.map { HTMLTable.Column(name: Wording.percentile($0)) }
                + [
                    HTMLTable.Column(name: "lost"), HTMLTable.Column(name: "objectives", isNumber: false),
                    HTMLTable.Column(name: "memory at most"),
                    HTMLTable.Column(name: "machine", isNumber: false),
                ],
            rows: rows,
            isStacked: true
        ).html
    }
}

extension SoakSum {
    /// The page as one file, without scripts or network access, in light or dark mode as the reader prefers.
    package var html: String { SoakSumPage(sum: self).html }

    /// Writes `sum.json`, `latency.hgrm` and `report.html` into a folder, which is created if necessary.
    /// - Returns: Their paths.
    package func write(to folder: String) throws(SoakFolder.Failure) -> [String] {
        try SoakFolder.make(folder)
        var files: [String] = []
        for (name, text) in [
            (SoakReport.sum, json.text(.indented) + "\n"), (SoakReport.latency, SoakReport.hgrm(latency)),
            (SoakReport.page, html),
        ] {
            try SoakFolder.write(Array(text.utf8), to: "\(folder)/\(name)")
            files.append("\(folder)/\(name)")
        }
        return files
    }
}
