extension FailureReport {
    /// The report for a terminal: what failed and what decides, then both runs side by side, with a lane for each task.
    /// - Parameters:
    ///   - width: The columns of the terminal; fewer than 72 are taken as 72.
    ///   - isColoured: Whether to add colours (ANSI escape sequences).
    public func text(width: Int = 100, isColoured: Bool = false) -> String {
        let page = TextPage(width: max(72, width), isColoured: isColoured)
        var lines = [page.strong("✘ \(TextPage.clean(title))")]
        lines += message.split(separator: "\n").map { "  \(TextPage.clean(String($0)))" }
        lines += remarks.map { "  \(TextPage.clean($0))" }
        lines += [""] + decision(page)
        lines += [""] + (passing == nil ? page.alone(self) : page.sideBySide(self))
        lines += ["", "\(advice.title):"] + advice.lines.map { "  \(TextPage.clean($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func decision(_ page: TextPage) -> [String] {
        guard let pair = deciding else {
            return [
                passing == nil
                    ? "No passing run was found nearby, so it is not known which step decides; more runs may find one."
                    : "The nearest passing run differs in more than the order of two steps."
            ]
        }
        let actor = decidingActor.map { " on \(TextPage.clean($0))" } ?? ""
        let rows = [pair.first, pair.second].map { index in
            let label = failing.labels[index]
            return [
                "\(index + 1)", label.task,
                [label.function, label.actor.map { "on \($0)" }].compactMap(\.self).first ?? "",
                label.place ?? "",
            ].map(TextPage.clean)
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let aligned = rows.map { row in
            zip(row, widths).map { TextPage.pad($0, to: $1) }.joined(separator: "  ").trimmed()
        }
        return [
            page.strong("The order of two steps\(actor) decides:"),
            "  it fails if step  \(page.bad(aligned[0]))",
            "  comes before      \(page.bad(aligned[1]))",
            "  and passes in the other order.",
        ]
    }
}

extension String {
    /// The text without spaces at its end.
    func trimmed() -> String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
