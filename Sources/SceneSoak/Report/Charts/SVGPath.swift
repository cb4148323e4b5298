/// The drawing of a shape, in thousandths of a chart's width and height from the upper left.
struct SVGPath {
    private(set) var text = ""
    private var last = ""

    mutating func move(_ place: Double, _ height: Double) { append("M", place, height) }

    /// A line there; one to where it already is draws a dot.
    mutating func line(_ place: Double, _ height: Double) { append("L", place, height) }

    mutating func close() { text += "z" }

    /// A line through all.
    mutating func line(through points: [(place: Double, height: Double)]) {
        for (index, point) in points.enumerated() {
            if index == 0 { move(point.place, point.height) } else { line(point.place, point.height) }
        }
        if points.count == 1, let point = points.first { line(point.place, point.height) }
    }

    /// What lies between two lines over the same places.
    mutating func band(_ band: [(place: Double, low: Double, high: Double)]) {
        for (index, point) in band.enumerated() {
            if index == 0 { move(point.place, point.high) } else { line(point.place, point.high) }
        }
        for point in band.reversed() { line(point.place, point.low) }
        close()
    }

    mutating func box(_ places: ClosedRange<Double>, _ heights: ClosedRange<Double>) {
        move(places.lowerBound, heights.upperBound)
        line(places.upperBound, heights.upperBound)
        line(places.upperBound, heights.lowerBound)
        line(places.lowerBound, heights.lowerBound)
        close()
    }

    private mutating func append(_ verb: String, _ place: Double, _ height: Double) {
        text += "\(verb)\(Self.thousandths(place)) \(Self.thousandths(1 - height))"
    }

    /// To a tenth, which no screen shows.
    static func thousandths(_ share: Double) -> String {
        let tenths = Int((min(max(share, -1), 2) * 10_000).rounded())
        return tenths.isMultiple(of: 10)
            ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
