/// A row of two runs side by side: a step of each, or a number of equal steps that are not shown.
enum RowPair: Hashable {
    case steps(failing: Int?, passing: Int?)
    case alike(Int)
}

extension FailureReport {
    /// The two runs row by row. Of a long stretch of equal steps only both ends are shown.
    var rows: [RowPair] {
        let other = passing?.steps ?? []
        let count = max(failing.steps.count, other.count)
        let marked = Set(deciding.map { [$0.first, $0.second, $0.passingFirst, $0.passingSecond] } ?? [])
        func isAlike(_ row: Int) -> Bool {
            guard row < failing.steps.count, row < other.count, !marked.contains(row) else { return false }
            return failing.steps[row].choice.event == other[row].choice.event
        }
        var rows: [RowPair] = []
        var row = 0
        while row < count {
            let alike = (row..<count).prefix(while: isAlike).count
            // The gap itself takes a row, and both ends of the stretch stay for orientation.
            if alike > 4 {
                rows.append(.steps(failing: row, passing: row))
                rows.append(.alike(alike - 2))
                row += alike - 1
            }
            rows.append(
                .steps(
                    failing: row < failing.steps.count ? row : nil,
                    passing: row < other.count ? row : nil
                )
            )
            row += 1
        }
        return rows
    }
}
