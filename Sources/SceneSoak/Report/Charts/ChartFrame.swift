internal import Basics

/// The frame of a chart: title, legend, labels of the axes, and shades behind the drawing.
///
/// The labels are text of the page, not of the drawing, so their size stays the same while the drawing takes the width of the
/// page.
struct ChartFrame {
    var title: String
    /// A description for screen readers.
    var description: String
    var legend: [(name: String, colour: String)] = []
    /// Labels of the vertical axis, from 0 at the bottom to 1 at the top.
    var heights: [(place: Double, word: String)]
    /// Labels of the horizontal axis, from 0 at the left to 1 at the right.
    var widths: [(place: Double, word: String)]
    var shades: [Shade] = []
    /// A note below the chart.
    var note: String?
    /// Half as wide on a wide page.
    var isSmall = false

    struct Shade {
        var start: Double
        var end: Double
        var colour: String
        var word: String
        var explanation: String
    }

    /// The chart as HTML.
    /// - Parameter drawing: SVG, 1000 wide and 1000 high.
    func html(_ drawing: String) -> String {
        let grid = heights.map { height in
            let level = SVGPath.thousandths(1 - height.place)
            return "<path class=\"grid\" d=\"M0 \(level)H1000\"/>"
        }
        let shaded = shades.map { shade in
            // Even a moment is wide enough to be seen.
            let width = max(0.003, shade.end - shade.start)
            return
                "<rect class=\"\(shade.colour)\" x=\"\(SVGPath.thousandths(shade.start))\" y=\"0\" width=\"\(SVGPath.thousandths(width))\" height=\"1000\"><title>\(HTMLText.escaped(shade.explanation))</title></rect>"
        }
        let keys = legend.map {
            "<span class=\"key\"><i class=\"\($0.colour)\"></i>\(HTMLText.escaped($0.name))</span>"
        }
        return """
            <figure class="chart\(isSmall ? " small" : "")">
            <figcaption><strong>\(HTMLText.escaped(title))</strong> \(keys.joined(separator: " "))</figcaption>
            <div class="plot">
            <div class="above">\(words(above))</div>
            <div class="heights">\(heights.map { "<span style=\"bottom:\(percent($0.place))\">\(HTMLText.escaped($0.word))</span>" }.joined())</div>
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="\(HTMLText.escaped("\(title): \(description)"))">\
            <desc>\(HTMLText.escaped(description))</desc>
            \(shaded.joined())\(grid.joined())
            \(drawing)
            </svg>
            <div class="widths">\(words(widths))</div>
            </div>
            \(note.map { "<p class=\"note\">\(HTMLText.escaped($0))</p>" } ?? "")
            </figure>
            """
    }

    /// The labels of the shades for which there is room.
    private var above: [(place: Double, word: String)] {
        var words: [(place: Double, word: String)] = []
        for shade in shades
        where !shade.word.isEmpty && shade.start - (words.last?.place ?? -1) > (isSmall ? 0.2 : 0.12) {
            words.append((shade.start, shade.word))
        }
        return words
    }

    private func words(_ words: [(place: Double, word: String)]) -> String {
        words.map { place, word in
            let side = place > 0.9 ? " class=\"last\"" : place < 0.03 ? " class=\"first\"" : ""
            return "<span\(side) style=\"left:\(percent(place))\">\(HTMLText.escaped(word))</span>"
        }.joined()
    }

    private func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)%"
    }
}
