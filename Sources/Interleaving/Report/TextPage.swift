/// Lays out runs in the columns of a terminal.
struct TextPage {
    let width: Int
    let isColoured: Bool

    func strong(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    func bad(_ text: String) -> String { isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text }
    func good(_ text: String) -> String { isColoured ? "\u{1B}[1;32m\(text)\u{1B}[0m" : text }
    func faint(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Both runs, the failing one on the left.
    func sideBySide(_ report: FailureReport) -> [String] {
        guard let passing = report.passing else { return alone(report) }
        let half = (width - 3) / 2
        let pair = report.deciding
        let left = Side(
            report.failing,
            like: report.failing,
            width: half,
            marked: pair.map { [$0.first, $0.second] } ?? []
        )
        let right = Side(
            passing,
            like: report.failing,
            width: half,
            marked: pair.map { [$0.passingFirst, $0.passingSecond] } ?? []
        )
        var lines = [bad(Self.pad("fails", to: half)) + " │ " + good("passes")]
        let heads = (left.heads, right.heads)
        let height = max(heads.0.count, heads.1.count)
        for row in 0..<height {
            // The names of the columns stand right above them.
            let one = row - (height - heads.0.count)
            let two = row - (height - heads.1.count)
            lines.append(
                faint(Self.pad(one < 0 ? "" : heads.0[one], to: half)) + " │ " + faint(two < 0 ? "" : heads.1[two])
            )
        }
        lines.append(String(repeating: "─", count: half + 1) + "┼" + String(repeating: "─", count: half + 1))
        for row in report.rows {
            switch row {
            case .alike, .again:
                let text = Self.cut(left.indent + (row.words ?? ""), to: half)
                lines.append(faint((Self.pad(text, to: half) + " │ \(right.indent)⋮").trimmed()))
            case .steps(let failing, let other):
                let one = Self.pad(failing.map(left.row) ?? "", to: half)
                let two = other.map(right.row) ?? ""
                let isOneMarked = failing.map(left.marked.contains) ?? false
                let isTwoMarked = other.map(right.marked.contains) ?? false
                lines.append((isOneMarked ? bad(one) : one) + " │ " + (isTwoMarked ? good(two) : two))
            }
        }
        return lines.map { $0.trimmed() }
    }

    /// The failing run alone.
    func alone(_ report: FailureReport) -> [String] {
        let side = Side(report.failing, like: report.failing, width: width, marked: [])
        return [bad("fails")] + side.heads.map(faint) + [String(repeating: "─", count: width)]
            + report.rows.map { row in
                guard case .steps(let step?, _) = row else { return faint(side.indent + (row.words ?? "")) }
                return side.row(step)
            }
    }

    static func pad(_ text: String, to width: Int) -> String {
        text.count < width ? text + String(repeating: " ", count: width - text.count) : text
    }

    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// The text without characters that control a terminal: labels can come from outside.
    static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
                    default: scalar
                    }
                }
            )
        )
    }
}

/// One run in one column: number, lanes, task, place and function.
private struct Side {
    let run: LabelledRun
    let width: Int
    let marked: [Int]
    /// The most tasks that are drawn as lanes; more would leave no room for words.
    static let mostLanes = 12

    private let lanes: [TaskLane]
    private let taskWidth: Int
    private let numberWidth: Int

    init(_ run: LabelledRun, like other: LabelledRun, width: Int, marked: [Int]) {
        self.run = run
        self.width = width
        self.marked = marked
        numberWidth = max(3, String(run.steps.count).count)
        let all = run.lanes(like: other.lanes())
        lanes = all.count <= min(Self.mostLanes, width / 5) ? all : []
        taskWidth = max(Self.task.count, min(width / 4, all.map { TextPage.clean($0.name).count }.max() ?? 0))
    }

    var indent: String { String(repeating: " ", count: numberWidth + 1) }

    private static let task = "task"

    /// What the columns are for: a line for the name of each lane's task, and one for the rest.
    var heads: [String] {
        let names = lanes.indices.map { lane in
            let text =
                String(repeating: " ", count: numberWidth + 3) + String(repeating: "│", count: lane) + "┌ "
                + TextPage.clean(lanes[lane].name)
            return TextPage.cut(text, to: width)
        }
        var columns = TextPage.pad("step", to: numberWidth + 3)
        if !lanes.isEmpty { columns += String(repeating: "│", count: lanes.count) + " " }
        columns += TextPage.pad(Self.task, to: taskWidth) + "  line, function and actor"
        return names + [TextPage.cut(columns, to: width)]
    }

    /// `  4 ▶ │●│ window B  Session.swift:41 commit(_:) on session`
    func row(_ index: Int) -> String {
        let number = String(index + 1)
        let isMarked = marked.contains(index)
        var text =
            String(repeating: " ", count: numberWidth - number.count) + number + (isMarked ? " ▶ " : "   ")
        if !lanes.isEmpty {
            for lane in lanes {
                let isHere = run.task(at: index) == lane.task
                text += isHere ? (isMarked ? "◆" : "●") : lane.first < index && index < lane.last ? "│" : " "
            }
            text += " "
        }
        let label = run.labels[index]
        text += TextPage.pad(TextPage.cut(TextPage.clean(label.task), to: taskWidth), to: taskWidth) + "  "
        let words = [label.place, label.function, label.actor.map { "on \($0)" }].compactMap(\.self)
        text += TextPage.clean(words.joined(separator: " "))
        return TextPage.cut(text, to: width).trimmed()
    }
}
