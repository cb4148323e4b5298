internal import Basics
internal import Histogram

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
            <p class="what">Soak of \(HTMLText.escaped(app)) on \(Wording.counted(sum.parts.count, "machine")), from \(Wording.date(began)) on</p>
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
            <p class="note">Each machine's folder has its own page, with everything over time.</p>
            </section>
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
            legend: [("all machines", "q5")] + (slowest.map { [("the slowest at 99 %: \($0.label)", "c2")] } ?? []),
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
                    HTMLTable.Cell(Wording.count(totals.lost)),
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
                    HTMLTable.Column(name: "lost"), HTMLTable.Column(name: "memory at most"),
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
}
