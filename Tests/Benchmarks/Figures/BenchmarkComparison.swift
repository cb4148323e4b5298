/// Compares two runs of the suite.
package struct BenchmarkComparison: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let area: String
        package let name: String
        package let before: Figure?
        package let after: Figure?

        /// How a figure changed.
        package enum Change: String, Hashable, Sendable {
            case better, worse
            /// It changed, and has no goal that says which direction is better.
            case moved
            /// By less than a twentieth, or by less than either run varied.
            case same
            case new, gone
        }

        package var change: Change {
            guard let before else { return .new }
            guard let after else { return .gone }
            let moved = abs(after.median - before.median) > abs(before.median) / 20
            guard moved, !before.spread.overlaps(after.spread) else { return .same }
            let grew = after.median > before.median
            switch after.goal ?? before.goal {
            case .atMost: return grew ? .worse : .better
            case .atLeast: return grew ? .better : .worse
            case nil: return .moved
            }
        }
    }

    package let rows: [Row]
    /// Reasons why the runs may not be comparable.
    package let warnings: [String]

    package init(_ before: BenchmarkResults, _ after: BenchmarkResults) {
        var rows = after.figures.map { figure in
            Row(
                area: figure.area,
                name: figure.name,
                before: before.figures.first { $0.area == figure.area && $0.name == figure.name },
                after: figure
            )
        }
        for figure in before.figures where !rows.contains(where: { $0.area == figure.area && $0.name == figure.name }) {
            rows.append(Row(area: figure.area, name: figure.name, before: figure, after: nil))
        }
        self.rows = rows
        var warnings: [String] = []
        if before.machine != after.machine {
            warnings.append("not the same machine or compiler: \(before.machine); \(after.machine)")
        }
        self.warnings = warnings
    }

    /// The comparison as a table, with changed figures first.
    package var text: String {
        let order: [Row.Change] = [.worse, .better, .moved, .gone, .new, .same]
        var lines = warnings.map { "warning: \($0)" }
        lines += ["| | figure | before | after | after ÷ before |", "|---|---|---|---|---|"]
        for change in order {
            for row in rows where row.change == change {
                let ratio =
                    if let before = row.before, let after = row.after, before.median != 0 {
                        Figure.digits(after.median / before.median)
                    } else { "" }
                let cells = [
                    change.rawValue, "\(row.area): \(row.name)", row.before.map { $0.value($0.median) } ?? "",
                    row.after.map { $0.value($0.median) } ?? "", ratio,
                ]
                lines.append("| \(cells.joined(separator: " | ")) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
