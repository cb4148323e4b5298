internal import Histogram
internal import Basics

/// The page of a soak: first the verdict, then the details.
struct SoakPage {
    let run: SoakRun
    let verdict: SoakVerdict
    let time: ChartTime

    init(run: SoakRun, verdict: SoakVerdict) {
        self.run = run
        self.verdict = verdict
        time = ChartTime(run.length)
    }

    var html: String {
        let app = HTMLText.escaped(run.place.app)
        let body = """
            <header class="\(verdict.conclusion.rawValue)">
            <p class="what">Soak of \(app), \(Wording.date(run.began)), \(HTMLText.escaped(setting))</p>
            <h1>\(headline)</h1>
            \(reasons)
            </header>
            <main>
            \(tiles)
            \(violations)
            \(objectives)
            <section><h2>Latency</h2>
            \(latencyOverTime)
            <div class="pair">\(curve)\(kinds)</div>
            </section>
            <section><h2>Outcomes</h2>
            \(outcomes)
            </section>
            \(coverage)
            <section><h2>Resources used by the daemon</h2>
            <div class="pair">
            \(taken.joined(separator: "\n"))
            </div>
            \(trends)
            </section>
            <section><h2>Over time</h2>
            \(stretches)
            </section>
            \(scenes)
            \(hosts)
            \(faults)
            \(again)
            </main>
            <footer><p>\(HTMLText.escaped(machine))</p></footer>
            """
        let title = "Soak of \(run.place.app): \(verdict.conclusion.rawValue)"
        return HTMLPage.text(title: title, style: Self.style, body: body)
    }

    /// The sentence, with its first word coloured by the verdict.
    private var headline: String {
        let sentence = HTMLText.escaped(verdict.sentence(of: run))
        guard let colon = sentence.firstIndex(of: ":") else { return sentence }
        return "<b>\(sentence[...colon])</b>\(sentence[sentence.index(after: colon)...])"
    }

    private var setting: String {
        guard let plan = run.plan else { return "read from a journal" }
        var words =
            "\(Wording.short(plan.rate)) events/s for \(Wording.duration(plan.duration)) from \(Wording.counted(plan.clients, "client")) to \(Wording.counted(plan.scenes, "scene"))"
        switch run.ending {
        case .completed: break
        case .interrupted: words += ", interrupted after \(Wording.duration(run.length))"
        case .failed: words += ", ended early after \(Wording.duration(run.length))"
        }
        return words
    }

    private var machine: String {
        "scened \(run.place.daemon) on \(run.place.system), \(Wording.counted(run.place.cores, "core")), \(Wording.bytes(Double(run.place.memory)))"
    }

    /// The list of reasons, if there is more than the sentence says.
    private var reasons: String {
        guard verdict.reasons.count > 1 else { return "" }
        let most = 30
        var items = verdict.reasons.prefix(most).map { reason in
            "<li class=\"\(reason.isGuilt ? "bad" : "doubt")\">\(HTMLText.escaped(reason.text))</li>"
        }
        if verdict.reasons.count > most { items.append("<li>and \(verdict.reasons.count - most) more</li>") }
        return "<ul class=\"reasons\">\(items.joined())</ul>"
    }

    // MARK: Figures

    private var tiles: String {
        var tiles: [Tile] = []
        let totals = verdict.totals
        let asked = run.plan.map { "\(Wording.short($0.rate))/s planned" } ?? "not planned"
        tiles.append(
            ("answered", "\(Wording.short(totals.rate))/s", "\(Wording.count(totals.answered)) events; \(asked)")
        )
        tiles += Self.tiles(of: run.latency, run.plan?.percentiles ?? [50, 99]) + Self.tiles(ofLost: totals)
        let memory = run.intervals.filter { !$0.isWarmUp }.compactMap { $0.sample?.resident }
        if let first = memory.first, let last = memory.last {
            tiles.append(("memory", Wording.bytes(Double(last)), "\(Wording.bytes(Double(first))) at first"))
        }
        tiles.append(
            (
                "daemons", Wording.count(run.hosts.count),
                run.hosts.count > 1
                    ? "restarted \(run.hosts.count == 2 ? "once" : "\(run.hosts.count - 1) times")"
                    : "the same from start to end"
            )
        )
        return Self.html(of: tiles)
    }

    /// A figure in large type: what it is called, itself, and what it means.
    typealias Tile = (name: String, value: String, more: String)

    static func tiles(of latency: Histogram<UInt64>, _ percentiles: [Double]) -> [Tile] {
        guard latency.totalCount > 0 else { return [] }
        let ranks = percentiles.filter { $0 > 0 && $0 < 100 }.suffix(4)
        return ranks.map { rank in
            let value = Wording.latency(Double(latency.valueAtPercentile(rank)))
            return (Wording.percentile(rank), value, explained(rank))
        } + [("slowest", Wording.latency(Double(latency.maxRecorded)), "of all, after the warm-up")]
    }

    static func tiles(ofLost totals: SoakTotals) -> [Tile] {
        let share = totals.sent > 0 ? 100 * Double(totals.refused) / Double(totals.sent) : 0
        return [
            (
                "lost", Wording.count(totals.lost),
                totals.cutOff > 0 ? "\(Wording.count(totals.cutOff)) cut off by faults" : "nothing cut off"
            ), ("refused", Wording.count(totals.refused), "\(Wording.number(share, digits: 3)) % of those sent"),
        ]
    }

    static func html(of tiles: [Tile]) -> String {
        let items = tiles.map { name, value, more in
            "<div class=\"tile\"><dt>\(HTMLText.escaped(name))</dt><dd>\(HTMLText.escaped(value))<small>\(HTMLText.escaped(more))</small></dd></div>"
        }
        return "<dl class=\"tiles\">\(items.joined())</dl>"
    }

    /// What a percentile means.
    private static func explained(_ rank: Double) -> String {
        if rank == 50 { return "half were faster" }
        let rest = 100 / (100 - rank)
        return "one in \(Wording.count(Int(rest.rounded()))) was slower"
    }
}

extension SoakReport {
    /// The page as one file, without scripts or network access, in light or dark mode as the reader prefers.
    package static func html(of run: SoakRun, verdict: SoakVerdict) -> String {
        SoakPage(run: run, verdict: verdict).html
    }
}
