/// Two runs of the suite beside each other.
package struct BenchmarkComparison: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let area: String
        package let name: String
        package let before: Figure?
        package let after: Figure?

        /// What became of a figure.
        package enum Change: String, Hashable, Sendable {
            case better, worse
            /// It moved, and nothing says which way is good.
            case moved
            /// Within what either run varied by itself, or less than a twentieth.
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
    /// What makes the runs less comparable.
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

    /// A table for a person, the figures that changed first.
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
