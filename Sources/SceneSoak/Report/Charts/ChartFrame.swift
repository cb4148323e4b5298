internal import Markup

/// What every chart has around what it draws: a title, a legend, words at its axes, and faults and restarts behind it.
///
/// Words are text of the page and not of the drawing, so that they stay as large as all text however wide the page is, while
/// the drawing takes whatever width there is.
struct ChartFrame {
    var title: String
    /// What it shows, for who does not see it.
    var description: String
    var legend: [(name: String, colour: String)] = []
    /// Places from 0 at the bottom to 1 at the top.
    var heights: [(place: Double, word: String)]
    /// Places from 0 at the left to 1 at the right.
    var widths: [(place: Double, word: String)]
    /// Shades behind the drawing.
    var shades: [Shade] = []
    /// What is under the chart, for a person.
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

    /// The chart.
    /// - Parameter drawing: SVG, a thousand wide and a thousand high.
    func html(_ drawing: String) -> String {
        let grid = heights.map { height in
            let level = SVGPath.thousandths(1 - height.place)
            return "<path class=\"grid\" d=\"M0 \(level)H1000\"/>"
        }
        let shaded = shades.map { shade in
            // A moment is seen too.
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

    /// The words of the shades, as far as there is room for them.
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
