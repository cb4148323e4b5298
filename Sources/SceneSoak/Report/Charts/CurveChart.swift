internal import Glibc
internal import Histogram
internal import Basics

/// Latency by percentile, with finer steps towards 100 %, as HdrHistogram's plotter draws it.
struct CurveChart {
    var frame: ChartFrame
    var curves: [(name: String, colour: String, isDashed: Bool, latency: Histogram<UInt64>)]

    var html: String {
        let most = curves.map(\.latency.totalCount).max() ?? 0
        // The scale ends at the percentile of a single event.
        let nines = max(1, log10(Double(max(most, 10))).rounded(.up))
        let values = curves.flatMap { curve in
            curve.latency.totalCount == 0
                ? [] : [curve.latency.valueAtPercentile(1), curve.latency.maxRecorded].map { Double($0) }
        }
        let scale = ChartScale.logarithmic(values)
        var frame = frame
        frame.heights = scale.ticks.map { (scale.place($0), Wording.latency($0)) }
        // Leaves out labels that would overlap.
        let every = Int((nines / 5).rounded(.up))
        frame.widths =
            [(0, "0")]
            + stride(from: every, through: Int(nines), by: every).map { (Double($0) / nines, Self.rank(nines: $0)) }
        var drawing = ""
        for curve in curves where curve.latency.totalCount > 0 {
            var path = SVGPath()
            path.line(
                through: (0...200).map { step in
                    let share = Double(step) / 200
                    let rank = 100 * (1 - pow(10, -share * nines))
                    return (share, scale.place(Double(curve.latency.valueAtPercentile(rank))))
                }
            )
            drawing +=
                "<path class=\"line \(curve.colour)\(curve.isDashed ? " dashed" : "")\" d=\"\(path.text)\"><title>\(HTMLText.escaped(curve.name))</title></path>"
        }
        return frame.html(drawing)
    }

    /// `90 %`, `99 %`, `99.9 %`.
    private static func rank(nines: Int) -> String {
        nines == 1 ? "90 %" : "99" + (nines > 2 ? "." + String(repeating: "9", count: nines - 2) : "") + " %"
    }
}
