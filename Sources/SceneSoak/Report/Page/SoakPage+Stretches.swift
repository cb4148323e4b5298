internal import Basics

extension SoakPage {
    /// The soak in at most twelve stretches: the figures behind the charts.
    var stretches: String {
        let count = run.intervals.count
        let most = 12
        let ranks = Array(Set(run.intervals.flatMap { $0.percentiles.keys }).sorted().suffix(5))
        let subjects: [SoakTrend.Subject] = SoakTrend.Subject.watched.filter { subject in
            run.intervals.contains { $0.sample.flatMap(subject.value) != nil }
        }
        let rows = (0..<min(most, count)).map { index -> [HTMLTable.Cell] in
            let stretch = run.intervals[(index * count / min(most, count))..<((index + 1) * count / min(most, count))]
            let seconds = stretch.reduce(0) { $0 + $1.length.seconds }
            let answered = stretch.reduce(0) { $0 + $1.receipts }
            let refused = stretch.reduce(0) { $0 + $1.refused }
            var cells = [
                HTMLTable.Cell(Wording.moment(stretch.first?.start ?? .zero)),
                HTMLTable.Cell(seconds > 0 ? Wording.short(Double(answered) / seconds) : "–"),
                HTMLTable.Cell(Wording.count(refused)),
            ]
            for rank in ranks {
                let values = stretch.compactMap { $0.percentiles[rank].map { Double($0) } }
                let value = rank == 100 ? values.max() : values.median
                cells.append(HTMLTable.Cell(value.map(Wording.latency) ?? "–"))
            }
            for subject in subjects {
                let values = stretch.compactMap { $0.sample.flatMap(subject.value) }
                cells.append(HTMLTable.Cell(values.median.map(subject.amount) ?? "–"))
            }
            return cells
        }
        let columns =
            ["from", "answered/s", "refused"] + ranks.map(Wording.percentile)
            + subjects.map { $0 == .resident ? "memory" : $0.rawValue }
        let table = HTMLTable(
            caption:
                "Percentiles and what the daemon used: the median over the intervals of each stretch; 'max' is its slowest event. The warm-up is included.",
            columns: columns.map { HTMLTable.Column(name: $0) },
            rows: rows
        )
        return table.html
    }
}
