/// The style and the coverage curve of a report's page.
enum HTML {
    /// How many colours there are for actors, as the classes `hue0`, `hue1` and so on.
    static let hues = 12
    /// The most tasks that have a column each.
    static let mostLanes = 40

    private static let colours = (0..<hues).map { ".hue\($0) { --hue: \($0 * 150 % 360); }" }.joined(separator: " ")

    static let style = """
        :root { color-scheme: light dark; --text: #1c1e21; --faint: #63676d; --paper: #fff; --line: #d5d8dc;
          --bad: #b3261e; --good: #1a6b33; --fill: 92%; --edge: 45%; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e7e9; --faint: #a0a4aa; --paper: #17181a; --line: #3a3d42;
          --bad: #ff8a80; --good: #7fd89a; --fill: 20%; --edge: 60%; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 110rem; padding: 1.5rem; background: var(--paper); color: var(--text);
          font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.4rem; margin: 0 0 .5rem; } h1::before { content: "✘ "; color: var(--bad); }
        h2 { font-size: 1.05rem; margin: 1.2rem 0 .5rem; }
        pre, code, .function, .place { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; }
        .box span { font-size: .76em; }
        pre { margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        .message { border-color: var(--bad); }
        .runs { display: flex; flex-wrap: wrap; gap: 0 2rem; }
        .run { flex: 1 1 30rem; min-width: 0; }
        .failing h2 { color: var(--bad); } .passing h2 { color: var(--good); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; }
        th { font-weight: 600; font-size: .85em; text-align: left; padding: .2rem .4rem; }
        tbody th { color: var(--faint); font-weight: 400; text-align: right; width: 2.5rem; vertical-align: top;
          font-variant-numeric: tabular-nums; }
        thead .what th { color: var(--faint); font-weight: 400; } thead th { border-bottom: 1px solid var(--line); }
        td { padding: .15rem .25rem; border-left: 1px solid var(--line); vertical-align: top; }
        td.waits { background: linear-gradient(var(--faint), var(--faint)) 1.2rem 0 / 1px 100% no-repeat; }
        .box { border: 1px solid hsl(var(--hue) 45% var(--edge)); border-left-width: 4px; border-radius: 4px;
          background: hsl(var(--hue) 45% var(--fill)); padding: .1rem .3rem; line-height: 1.3; }
        .box.free { border-color: var(--faint); background: none; }
        .box span { display: block; min-width: 6.8rem; overflow-wrap: anywhere; }
        .place, .actor { color: var(--faint); }
        .failing .marked { outline: 3px solid var(--bad); } .passing .marked { outline: 3px solid var(--good); }
        \(colours)
        .mark { font-weight: 700; } .failing .mark { color: var(--bad); } .passing .mark { color: var(--good); }
        svg { display: block; max-width: 30rem; width: 100%; height: auto; color: var(--good); margin-top: .5rem; }
        """

    /// The classes seen over the runs, as a line; the scale of runs is logarithmic.
    static func curve(_ coverage: ExplorationCoverage) -> String {
        let points = coverage.curve
        guard let last = points.last, points.count > 1, last.classes > 0 else { return "" }
        let width = 480
        let height = 120
        let line = points.enumerated().map { index, point in
            // The points are already spread about evenly on a logarithmic scale.
            let x = width * index / (points.count - 1)
            let y = height - height * point.classes / last.classes
            return "\(x),\(y)"
        }
        let label = "\(last.classes) classes after \(last.runs) runs"
        return """
            <svg viewBox="-4 -4 \(width + 8) \(height + 26)" role="img" aria-label="\(label)">
            <polyline points="\(line.joined(separator: " "))" fill="none" stroke="currentColor" stroke-width="2"/>
            <text x="0" y="\(height + 18)" font-size="13" fill="currentColor">\(label)</text>
            </svg>
            """
    }
}
