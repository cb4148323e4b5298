internal import Histogram
package import StrictJSON

extension SoakSum {
    /// The percentiles to show, without 100.
    var ranks: [Double] { parts.first?.run.ranks ?? [] }

    /// The sum line by line: verdict, figures, machines.
    package var lines: [SoakReport.Line] {
        let tone: SoakReport.Line.Tone =
            switch conclusion {
            case .guilty: .bad
            case .clean: .good
            case .unknown: .doubtful
            }
        var lines = [SoakReport.Line(text: sentence, tone: tone)]
        if reasons.count > 1 {
            lines += reasons.prefix(Self.mostReasons).map {
                SoakReport.Line(text: "  \($0.isGuilt ? "✘" : "?") \($0.text)", tone: $0.isGuilt ? .bad : .doubtful)
            }
            if reasons.count > Self.mostReasons {
                lines.append(SoakReport.Line(text: "  and \(reasons.count - Self.mostReasons) more", tone: .plain))
            }
        }
        lines.append(SoakReport.Line(text: "", tone: .plain))
        lines += figures.map { name, value in
            SoakReport.Line(text: "  \(SoakReport.padded(name, 12)) \(value)", tone: .plain)
        }
        lines.append(SoakReport.Line(text: "machines", tone: .heading))
        let width = parts.map(\.label.count).max() ?? 0
        lines += parts.map { part in
            let (tone, word): (SoakReport.Line.Tone, String) =
                switch part.verdict.conclusion {
                case .guilty: (.bad, "guilty ")
                case .clean: (.plain, "clean  ")
                case .unknown: (.doubtful, "unknown")
                }
            return SoakReport.Line(
                text: "  \(SoakReport.padded(part.label, width)) \(word) \(part.words.joined(separator: ", "))",
                tone: tone
            )
        }
        return lines
    }

    static let mostReasons = 30

    private static let format = "scened-soak-sum"
    private static let version = 1

    /// Receipts per second of all machines together.
    var rate: Double { parts.map(\.verdict.totals.rate).reduce(0, +) }

    /// The most important figures of all machines together, each with its name.
    var figures: [(name: String, value: String)] {
        let totals = totals
        let asked = parts.compactMap { $0.run.plan?.rate }.reduce(0, +)
        let planned = asked > 0 ? " of \(Wording.short(asked))/s planned" : ""
        var figures = [("answered", "\(Wording.count(totals.answered)), \(Wording.short(rate))/s\(planned)")]
        if latency.totalCount > 0 { figures.append(("latency", Self.words(latency, ranks))) }
        if generatorLag.totalCount > 0 { figures.append(("generator", "late by \(Self.words(generatorLag, [99]))")) }
        figures.append(("refused", SoakReport.breakdown(totals.refused, totals.errors)))
        figures.append(("lost", "\(Wording.count(totals.lost)), cut off \(Wording.count(totals.cutOff))"))
        if totals.due > totals.sent { figures.append(("not sent", Wording.count(totals.due - totals.sent))) }
        figures.append(("outcomes", totals.outcomes.isEmpty ? "none" : SoakReport.ordered(totals.outcomes)))
        return figures
    }

    private static func words(_ latency: Histogram<UInt64>, _ ranks: [Double]) -> String {
        let words = ranks.map {
            "\(Wording.percentile($0)) \(Wording.latency(Double(latency.valueAtPercentile($0))))"
        }
        return (words + ["max \(Wording.latency(Double(latency.maxRecorded)))"]).joined(separator: "  ")
    }

    /// The sum as JSON.
    package var json: JSONValue {
        var totals = totals.json.objectValue ?? [:]
        totals["rate"] = .number(rate)
        return [
            "format": .string(Self.format), "version": .integer(Self.version),
            "conclusion": .string(conclusion.rawValue), "sentence": .string(sentence),
            "reasons": .array(
                reasons.map { ["kind": .string("\($0.kind)"), "guilt": .bool($0.isGuilt), "text": .string($0.text)] }
            ),
            "shards": count.map(JSONValue.integer) ?? .null, "missing": .array(missing.map(JSONValue.integer)),
            "totals": .object(totals), "latency": SoakVerdict.json(latency, ranks),
            "generatorLag": SoakVerdict.json(generatorLag, ranks),
            "machines": .array(
                parts.map { part in
                    [
                        "soak": .string(part.label),
                        "shard": part.run.plan?.shard.map { .integer($0.number) } ?? .null,
                        "conclusion": .string(part.verdict.conclusion.rawValue),
                        "totals": part.verdict.totals.json,
                        "latency": SoakVerdict.json(part.run.latency, part.run.ranks),
                        "system": .string(part.run.place.system), "cores": .integer(part.run.place.cores),
                    ]
                }
            ),
        ]
    }
}

extension SoakSum.Part {
    /// Its figures in a line.
    var words: [String] {
        var words = [Wording.counted(verdict.totals.answered, "event")]
        if run.latency.totalCount > 0, let rank = run.ranks.last {
            words.append("\(Wording.percentile(rank)) \(Wording.latency(Double(run.latency.valueAtPercentile(rank))))")
        }
        if verdict.totals.lost > 0 { words.append("\(Wording.count(verdict.totals.lost)) lost") }
        if let most = memory { words.append("\(Wording.bytes(Double(most))) at most") }
        return words
    }

    /// How many of its objectives are met.
    var objectives: String {
        let met = verdict.objectives.count { if case .met = $0.state { true } else { false } }
        return verdict.objectives.isEmpty ? "–" : "\(met) of \(verdict.objectives.count) met"
    }

    /// The most memory that its daemon had, in bytes; `nil` if that is not known.
    var memory: Int? { run.intervals.compactMap { $0.sample?.resident }.max() }
}
