internal import Basics

/// A stacked chart over the time of a soak.
struct StackChart {
    static let mostSpots = 240
    /// Half the width of a column, for too few points to be an area.
    private static let halfColumn = 0.02

    var frame: ChartFrame
    var time: ChartTime
    /// From the bottom to the top.
    var layers: [ChartLine]

    /// The means of the layers over stretches of intervals, stacked.
    private var levels: [(place: Double, levels: [Double])] {
        let count = layers.map(\.points.count).min() ?? 0
        let width = max(1, (count + Self.mostSpots - 1) / Self.mostSpots)
        return stride(from: 0, to: count, by: width).map { start in
            let stretch = start..<min(start + width, count)
            var sum = 0.0
            let levels = layers.map { layer in
                sum += layer.points[stretch].reduce(0) { $0 + ($1.value ?? 0) } / Double(stretch.count)
                return sum
            }
            let ends = (layers[0].points[stretch.lowerBound].time, layers[0].points[stretch.upperBound - 1].time)
            return ((time.place(ends.0) + time.place(ends.1)) / 2, levels)
        }
    }

    var html: String {
        let levels = layers.isEmpty ? [] : levels
        let scale = ChartScale.linear(upTo: levels.compactMap(\.levels.last).max() ?? 1)
        var drawing = ""
        let isShort = LineChart.isShort(layers)
        for (index, layer) in layers.enumerated() {
            var path = SVGPath()
            let band = levels.map { level in
                (
                    place: level.place, low: index == 0 ? 0 : scale.place(level.levels[index - 1]),
                    high: scale.place(level.levels[index])
                )
            }
            if isShort {
                for one in band {
                    path.box(
                        one.place - Self.halfColumn...one.place + Self.halfColumn,
                        one.low...max(one.low, one.high)
                    )
                }
            } else {
                path.band(band)
            }
            drawing +=
                "<path class=\"layer \(layer.colour)\" d=\"\(path.text)\"><title>\(HTMLText.escaped(layer.name))</title></path>"
        }
        var frame = frame
        frame.heights = scale.ticks.map { (scale.place($0), "\(Wording.short($0))/s") }
        if isShort, !layers.isEmpty { frame.note = LineChart.shortness(layers) }
        if let first = layers.first, first.points.count > Self.mostSpots {
            let width = (first.points.count + Self.mostSpots - 1) / Self.mostSpots
            frame.note = "Each point is the mean of \(width) intervals."
        }
        return frame.html(drawing)
    }
}
