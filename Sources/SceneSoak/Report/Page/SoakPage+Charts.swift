internal import Histogram
internal import Basics
internal import SceneVocabulary

extension SoakPage {
    /// Shades for the faults and the warm-up.
    private var shades: [ChartFrame.Shade] {
        var shades: [ChartFrame.Shade] = []
        if let last = run.intervals.last(where: \.isWarmUp) {
            let end = last.start + last.length
            shades.append(
                ChartFrame.Shade(
                    start: 0,
                    end: time.place(end),
                    colour: "warmup",
                    word: time.place(end) > 0.04 ? "warm-up" : "",
                    explanation: "warm-up until \(Wording.moment(end)); not counted"
                )
            )
        }
        for fault in run.faults {
            shades.append(
                ChartFrame.Shade(
                    start: time.place(fault.start),
                    end: time.place(fault.end),
                    colour: "fault",
                    word: fault.kind.rawValue,
                    explanation: "\(fault.kind.rawValue) at \(Wording.moment(fault.start)): \(fault.words)"
                )
            )
        }
        return shades
    }

    /// When a new daemon was first seen.
    private var restarts: [Duration] {
        run.hosts.dropFirst().map(\.start)
    }

    private func frame(_ title: String, _ description: String, scale: ChartScale, _ word: (Double) -> String)
        -> ChartFrame
    {
        ChartFrame(
            title: title,
            description: description,
            heights: scale.ticks.map { (scale.place($0), word($0)) },
            widths: time.ticks,
            shades: shades
        )
    }

    private func middle(_ interval: SoakInterval) -> Duration { interval.start + interval.length / 2 }

    // MARK: Latency

    var latencyOverTime: String {
        let ranks = Set(run.intervals.flatMap { $0.percentiles.keys }).sorted()
        guard !ranks.isEmpty else { return "<p>No latency was measured.</p>" }
        let shown = ranks.suffix(5)
        let colours = ["q1", "q2", "q3", "q4", "q5"].suffix(shown.count)
        let lines = zip(shown, colours).map { rank, colour in
            ChartLine(
                name: Wording.percentile(rank),
                colour: colour,
                points: run.intervals.map { (middle($0), $0.percentiles[rank].map { Double($0) }) }
            )
        }
        let scale = ChartScale.logarithmic(lines.flatMap { $0.points.compactMap(\.value) })
        var frame = frame(
            "Latency over time",
            "percentiles of every interval on a logarithmic scale; the figures are under 'Over time'",
            scale: scale,
            Wording.latency
        )
        frame.legend = lines.reversed().map { ($0.name, $0.colour) }
        let every = run.plan.map { " of \(Wording.duration($0.every))" } ?? ""
        frame.note =
            "From when an event was due to its answer, for each interval\(every); so waiting for a slow daemon counts. Shaded: faults that the soak caused on purpose. Dashed line: a new daemon."
        return LineChart(frame: frame, time: time, scale: scale, lines: lines, restarts: restarts).html
    }

    var curve: String {
        guard run.latency.totalCount > 0 else { return "" }
        let frame = ChartFrame(
            title: "Latency by percentile",
            description:
                "the distribution of latencies in the whole soak after the warm-up: \(Wording.latency(Double(run.latency.valueAtPercentile(99)))) at 99 %",
            legend: [("from when it was due", "q5"), ("from when it was sent", "c2")]
                + (run.generatorLag.totalCount > 0 ? [("the generator's own delay", "o6")] : []),
            heights: [],
            widths: [],
            note:
                "Where the first two curves differ, events waited before they were sent: behind calls that the daemon had not answered, or because the generator itself was late.",
            isSmall: true
        )
        return CurveChart(
            frame: frame,
            curves: [
                ("due", "q5", false, run.latency), ("sent", "c2", true, run.serviceTime),
                ("generator", "o6", true, run.generatorLag),
            ]
        ).html
    }

    // MARK: Outcomes

    var outcomes: String {
        let names = [OutcomeName.applied, .unchanged, .delivered, .ignored, .gated].map(\.rawValue)
        let seen = Set(run.intervals.flatMap { $0.outcomes.keys })
        var layers: [ChartLine] = []
        func layer(_ name: String, _ colour: String, _ count: (SoakInterval) -> Int) {
            let points = run.intervals.map { interval -> (time: Duration, value: Double?) in
                let seconds = interval.length.seconds
                return (middle(interval), seconds > 0 ? Double(count(interval)) / seconds : 0)
            }
            if points.contains(where: { ($0.value ?? 0) > 0 }) {
                layers.append(ChartLine(name: name, colour: colour, points: points))
            }
        }
        for (index, name) in names.enumerated() where seen.contains(name) {
            layer(name, "o\(index + 1)") { $0.outcomes[name] ?? 0 }
        }
        let others = seen.subtracting(names).sorted()
        if !others.isEmpty {
            layer(others.count > 3 ? "other outcomes" : others.joined(separator: ", "), "o6") { interval in
                others.reduce(0) { $0 + (interval.outcomes[$1] ?? 0) }
            }
        }
        layer("refused", "o7", \.refused)
        layer("cut off", "o8", \.cutOff)
        let total = verdict.totals.outcomes.sorted { $1.value < $0.value }.prefix(4)
            .map { "\($0.key) \(Wording.count($0.value))" }
        var frame = frame(
            "Events a second, by outcome",
            "stacked; in all \(Wording.list(total)), refused \(Wording.count(verdict.totals.refused))",
            scale: .linear(upTo: 1),
            { _ in "" }
        )
        frame.legend = layers.reversed().map { ($0.name, $0.colour) }
        return StackChart(frame: frame, time: time, layers: layers).html
    }

    // MARK: What the daemon used

    private static let mebibyte = 1_048_576.0

    var taken: [String] {
        [
            chart("Resident memory", [.resident], Wording.bytes),
            chart("Descriptors and threads", [.descriptors, .threads], Wording.short),
            chart("Events not settled and intents parked", [.pending, .parked], Wording.short),
            chart("Coordinators", [.coordinators], Wording.short), processors,
        ]
    }

    private func chart(_ title: String, _ subjects: [SoakTrend.Subject], _ word: (Double) -> String) -> String {
        let lines = zip(subjects, ["c1", "c2"]).compactMap { subject, colour -> ChartLine? in
            let line = ChartLine(
                name: subject.noun,
                colour: colour,
                points: run.intervals.map { ($0.start + $0.length, $0.sample.flatMap(subject.value)) }
            )
            return line.points.contains { $0.value != nil } ? line : nil
        }
        guard !lines.isEmpty else { return "" }
        let values = lines.flatMap { $0.points.compactMap(\.value) }
        let scale =
            subjects.contains(.resident)
            ? ChartScale.around(values.map { $0 / Self.mebibyte }).times(Self.mebibyte)
            : .linear(upTo: values.max() ?? 1)
        let ends = lines.map { line in
            let values = line.points.compactMap(\.value)
            return
                "\(line.name) from \(word(values.first ?? 0)) to \(word(values.last ?? 0)), at most \(word(values.max() ?? 0))"
        }
        var frame = frame(title, ends.joined(separator: "; "), scale: scale, word)
        frame.legend = lines.count > 1 ? lines.map { ($0.name, $0.colour) } : []
        frame.isSmall = true
        if scale.low > 0 { frame.note = "The scale begins at \(word(scale.low))." }
        let trends = verdict.trends.filter { subjects.contains($0.subject) && $0.state == .growing }.compactMap {
            trend in
            trend.line.map { line in
                (
                    start: (trend.start, line.value(at: trend.start.seconds / 3600)),
                    end: (trend.end, line.value(at: trend.end.seconds / 3600))
                )
            }
        }
        return LineChart(frame: frame, time: time, scale: scale, lines: lines, trends: trends, restarts: restarts).html
    }

    /// Processors in use: by how much the processor time grew in an interval, as long as the daemon is the same.
    private var processors: String {
        var points: [(time: Duration, value: Double?)] = []
        for (before, interval) in zip(run.intervals, run.intervals.dropFirst()) {
            var value: Double?
            if let one = before.sample, let other = interval.sample, one.host == other.host,
                let earlier = one.processorTime, let later = other.processorTime, interval.length > .zero,
                later >= earlier
            {
                value = (later - earlier).seconds / interval.length.seconds
            }
            points.append((middle(interval), value))
        }
        let values = points.compactMap(\.value)
        guard let most = values.max() else { return "" }
        let scale = ChartScale.linear(upTo: most)
        var frame = frame(
            "Processors in use",
            "of \(run.place.cores); \(Wording.short(values.median ?? 0)) usually, \(Wording.short(most)) at most",
            scale: scale,
            Wording.short
        )
        frame.isSmall = true
        let line = ChartLine(name: "processors", colour: "c1", points: points)
        return LineChart(frame: frame, time: time, scale: scale, lines: [line], restarts: restarts).html
    }

    // MARK: Scenes

    var scenes: String {
        guard !run.scenes.isEmpty else { return "" }
        let frame = ChartFrame(
            title: "State of each scene",
            description: "one row per scene, coloured by its activation",
            legend: SceneChart.colours.map { ($0.0, $0.1) } + (hasOtherStates ? [("other", "s5")] : []),
            heights: [],
            widths: time.ticks,
            shades: shades.filter { $0.colour == "fault" }
        )
        return "<section><h2>Scenes</h2>\(SceneChart(frame: frame, time: time, spans: run.scenes).html)</section>"
    }

    private var hasOtherStates: Bool {
        run.scenes.contains { span in !SceneChart.colours.contains { $0.0 == span.state } }
    }
}
