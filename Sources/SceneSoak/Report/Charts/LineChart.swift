internal import Basics

/// A chart of lines over the time of a soak.
struct LineChart {
    /// The most spots of a line: a wide screen has room for no more, and the page stays small.
    static let mostSpots = 360
    /// Fewer points than this say nothing of how a value goes: they are drawn as points, and a note says so.
    static let fewest = 5

    var frame: ChartFrame
    var time: ChartTime
    var scale: ChartScale
    var lines: [ChartLine]
    /// Straight lines on top, for trends that matter.
    var trends: [(start: (Duration, Double), end: (Duration, Double))] = []
    /// When a new daemon was first seen.
    var restarts: [Duration] = []

    var html: String {
        var drawing = restarts.map { restart in
            "<path class=\"restart\" d=\"M\(SVGPath.thousandths(time.place(restart))) 0V1000\"><title>a new daemon at \(Wording.moment(restart))</title></path>"
        }.joined()
        var isThinned = false
        let isShort = Self.isShort(lines)
        for line in lines {
            var band = SVGPath()
            var middle = SVGPath()
            for run in line.runs(time, atMost: Self.mostSpots) {
                let points = run.map { ($0.place, scale.place($0.middle)) }
                // A line of length 0 is a point.
                if isShort { points.forEach { middle.line(through: [$0]) } } else { middle.line(through: points) }
                guard line.points.count > Self.mostSpots else { continue }
                isThinned = true
                band.band(run.map { ($0.place, scale.place($0.low), scale.place($0.high)) })
            }
            if !band.text.isEmpty { drawing += "<path class=\"band \(line.colour)\" d=\"\(band.text)\"/>" }
            drawing +=
                "<path class=\"line\(isShort ? " points" : "") \(line.colour)\" d=\"\(middle.text)\"><title>\(HTMLText.escaped(line.name))</title></path>"
        }
        for trend in trends {
            var path = SVGPath()
            path.line(through: [trend.start, trend.end].map { (time.place($0.0), scale.place($0.1)) })
            drawing += "<path class=\"trend\" d=\"\(path.text)\"><title>trend</title></path>"
        }
        var frame = frame
        if isShort { frame.note = frame.note.map { "\(Self.shortness(lines)) \($0)" } ?? Self.shortness(lines) }
        if isThinned, let count = lines.map(\.points.count).max() {
            let width = (count + Self.mostSpots - 1) / Self.mostSpots
            let thinning =
                "Each point stands for \(width) intervals: the line is their median, the shade spans from their lowest to their highest value."
            frame.note = frame.note.map { "\($0) \(thinning)" } ?? thinning
        }
        return frame.html(drawing)
    }

    /// How many intervals were measured.
    private static func measured(_ lines: [ChartLine]) -> Int {
        lines.map { line in line.points.count { $0.value != nil } }.max() ?? 0
    }

    static func isShort(_ lines: [ChartLine]) -> Bool { measured(lines) < fewest }

    /// What is said of a chart of too few points.
    static func shortness(_ lines: [ChartLine]) -> String {
        "\(Wording.counted(measured(lines), "interval")): too few to show how it goes."
    }
}
