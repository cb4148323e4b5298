internal import Basics

extension FailureReport {
    /// The report as one self-contained page, without scripts or network access, in the reader's light or dark colours.
    public var html: String {
        let body = """
            <header>
            <h1>\(HTMLText.escaped(title))</h1>
            <pre class="message">\(HTMLText.escaped(message))</pre>
            </header>
            \(steps)
            \(again)
            """
        return HTMLPage.text(title: title, style: Self.style, body: body)
    }

    /// The style of ``html``, ``steps`` and ``again``.
    package static var style: String { HTML.style }

    /// The steps that decide, and both runs step by step, as HTML.
    package var steps: String {
        """
        <section>
        \(decision)
        </section>
        <section class="runs">
        \(lanes("Fails", "failing", failing, deciding.map { [$0.first, $0.second] } ?? []))
        \(passing.map { lanes("Passes", "passing", $0, deciding.map { [$0.passingSecond, $0.passingFirst] } ?? []) } ?? "")
        </section>
        """
    }

    /// How to run it again, and how it was found, as HTML.
    package var again: String {
        let advice = advice
        return """
            <section>
            <h2>\(advice.title)</h2>
            <pre>\(HTMLText.escaped(advice.lines.joined(separator: "\n")))</pre>
            <ul>
            \(remarks.map { "<li>\(HTMLText.escaped($0))</li>" }.joined(separator: "\n"))
            </ul>
            \(coverage.map(HTML.curve) ?? "")
            </section>
            """
    }

    private var decision: String {
        guard let pair = deciding else {
            return passing == nil
                ? "<p>No passing run was found nearby, so it is not known which step decides; more runs may find one.</p>"
                : "<p>The nearest passing run differs in more than the order of two steps.</p>"
        }
        let actor = decidingActor.map { " on <b>\(HTMLText.escaped($0))</b>" } ?? ""
        return """
            <h2>The order of two steps\(actor) decides</h2>
            <ol class="deciding">
            <li>\(words(pair.first))</li>
            <li>\(words(pair.second))</li>
            </ol>
            <p>It fails if they come in this order, and passes in the other.</p>
            """
    }

    private func words(_ index: Int) -> String {
        let label = failing.labels[index]
        var words = "step \(index + 1), <b>\(HTMLText.escaped(label.task))</b>"
        if let function = label.function { words += ": <code>\(HTMLText.escaped(function))</code>" }
        if let file = label.file {
            words += " at <code>\(HTMLText.escaped(file))\(label.line.map { ":\($0)" } ?? "")</code>"
        }
        return words
    }

    /// A run as a table with a column for each task and a row for each step.
    private func lanes(_ heading: String, _ kind: String, _ run: LabelledRun, _ marked: [Int]) -> String {
        let lanes = run.lanes(like: failing.lanes())
        let tasks = "tasks, one in each column: where it goes on, and on which actor"
        // More columns than anybody can compare, and a page of rows times columns, are left out: each step names its task instead.
        let isNarrow = lanes.count <= HTML.mostLanes
        func row(_ index: Int) -> String {
            guard isNarrow else {
                return
                    "<tr><th scope=\"row\">\(index + 1)</th><td>\(box(run, index, marked.firstIndex(of: index), named: true))</td></tr>"
            }
            let task = run.task(at: index)
            let cells = lanes.map { lane in
                if lane.task == task {
                    return "<td>\(box(run, index, marked.firstIndex(of: index)))</td>"
                }
                return lane.first < index && index < lane.last ? "<td class=\"waits\"></td>" : "<td></td>"
            }
            return "<tr><th scope=\"row\">\(index + 1)</th>\(cells.joined())</tr>"
        }
        let heads =
            isNarrow
            ? lanes.map { "<th scope=\"col\">\(HTMLText.escaped($0.name))</th>" }.joined()
            : "<th scope=\"col\">\(lanes.count) tasks</th>"
        let words = run.steps.indices.map { index in
            RowWords(failing: run.labels[index], passing: nil, unlikeOthers: marked.contains(index) ? index : nil)
        }
        var rows: [String] = []
        var index = 0
        while index < words.count {
            let again = Repetition(in: words, at: index)
            rows += (index..<index + (again?.length ?? 1)).map(row)
            index += (again?.length ?? 1) * (1 + (again?.times ?? 0))
            if let again {
                let text = RowPair.again(rows: again.length, times: again.times).words ?? ""
                rows.append(
                    "<tr><th></th><td colspan=\"\(isNarrow ? lanes.count : 1)\" class=\"place\">\(text)</td></tr>"
                )
            }
        }
        return """
            <div class="run \(kind)">
            <h2>\(heading)</h2>
            <div class="scroll"><table>
            <thead>
            <tr class="what"><th rowspan="2">step</th><th colspan="\(isNarrow ? max(1, lanes.count) : 1)">\(tasks)</th></tr>
            <tr>\(heads)</tr>
            </thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            </div>
            """
    }

    private func box(_ run: LabelledRun, _ index: Int, _ mark: Int?, named: Bool = false) -> String {
        let label = run.labels[index]
        var lines: [String] = []
        if let mark { lines.append("<span class=\"mark\">\(mark == 0 ? "first" : "then")</span>") }
        if named { lines.append("<span>\(HTMLText.escaped(label.task))</span>") }
        if let function = label.function {
            lines.append("<span class=\"function\">\(HTMLText.escaped(function))</span>")
        }
        if let place = label.place { lines.append("<span class=\"place\">\(HTMLText.escaped(place))</span>") }
        if let actor = label.actor { lines.append("<span class=\"actor\">on \(HTMLText.escaped(actor))</span>") }
        if lines.isEmpty { lines.append("<span class=\"place\">runs</span>") }
        // A colour for each actor, far apart on the wheel for numbers that are near.
        let executor = run.steps[index].choice.executor
        let colour = executor == 0 ? "free" : "hue\(executor % HTML.hues)"
        return "<div class=\"box \(colour)\(mark == nil ? "" : " marked")\">\(lines.joined())</div>"
    }
}
