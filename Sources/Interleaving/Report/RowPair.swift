/// A row of two runs side by side: a step of each, or a number of steps that both have and that need not be shown.
enum RowPair: Hashable {
    case steps(failing: Int?, passing: Int?)
    case alike(Int)
}

extension FailureReport {
    /// The two runs row by row, with all but the ends of long stretches that both have left out.
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
            // A gap takes a row itself, and each end stays for orientation.
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
