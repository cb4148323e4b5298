/// An SVG path, in thousandths of a chart's width and height from the upper left.
struct SVGPath {
    private(set) var text = ""
    private var last = ""

    mutating func move(_ place: Double, _ height: Double) { append("M", place, height) }

    /// Draws a line to a point; a line of length 0 draws a dot.
    mutating func line(_ place: Double, _ height: Double) { append("L", place, height) }

    mutating func close() { text += "z" }

    /// Draws a line through points.
    mutating func line(through points: [(place: Double, height: Double)]) {
        for (index, point) in points.enumerated() {
            if index == 0 { move(point.place, point.height) } else { line(point.place, point.height) }
        }
        if points.count == 1, let point = points.first { line(point.place, point.height) }
    }

    /// Draws the area between two lines.
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

    /// A share in thousandths with one decimal, finer than any screen.
    static func thousandths(_ share: Double) -> String {
        let tenths = Int((min(max(share, -1), 2) * 10_000).rounded())
        return tenths.isMultiple(of: 10)
            ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
