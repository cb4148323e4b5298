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
        var lines = [
            bad(Self.pad("fails", to: half)) + " │ " + good("passes"),
            String(repeating: "─", count: half + 1) + "┼" + String(repeating: "─", count: half + 1),
        ]
        for row in report.rows {
            switch row {
            case .alike(let count):
                let text = "\(left.indent)⋮ \(FailureReport.count(count, "step")) alike"
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
        return [bad("fails"), String(repeating: "─", count: width)] + report.failing.steps.indices.map(side.row)
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

    init(_ run: LabelledRun, like other: LabelledRun, width: Int, marked: [Int]) {
        self.run = run
        self.width = width
        self.marked = marked
        let all = run.lanes(like: other.lanes())
        lanes = all.count <= min(Self.mostLanes, width / 5) ? all : []
        taskWidth = min(width / 4, all.map { TextPage.clean($0.name).count }.max() ?? 0)
    }

    var indent: String { "    " }

    /// `  4 ▶ │●│ window B  Session.swift:41 commit(_:) on session`
    func row(_ index: Int) -> String {
        let number = String(index + 1)
        let isMarked = marked.contains(index)
        var text = String(repeating: " ", count: max(0, 3 - number.count)) + number + (isMarked ? " ▶ " : "   ")
        if !lanes.isEmpty {
            for lane in lanes {
                let isHere = run.steps[index].choice.event.task == lane.task
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
