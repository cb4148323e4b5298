/// A row of two runs side by side: a step of each, a number of equal steps that are not shown, or how often the rows above come again.
enum RowPair: Hashable {
    case steps(failing: Int?, passing: Int?)
    case alike(Int)
    case again(rows: Int, times: Int)

    /// Such as `⋮ these 2 steps 4,998 times more`; nil for steps.
    var words: String? {
        switch self {
        case .steps: nil
        case .alike(let count): "⋮ \(FailureReport.count(count, "step")) alike"
        case .again(1, let times): "⋮ this step \(times) times more"
        case .again(let rows, let times): "⋮ these \(rows) steps \(times) times more"
        }
    }
}

/// What two rows have in common that look alike: the words of their steps.
struct RowWords: Hashable {
    private let failing: StepLabel?
    private let passing: StepLabel?
    /// Set for a row that looks like no other.
    private let row: Int?

    init(failing: StepLabel?, passing: StepLabel?, unlikeOthers row: Int?) {
        (self.failing, self.passing, self.row) = (failing, passing, row)
    }
}

/// A stretch of items that comes again and again.
struct Repetition: Hashable {
    /// The items of the stretch.
    let length: Int
    /// How often it comes again right after it.
    let times: Int

    /// The most items that are looked for as one stretch.
    static let longest = 12
    /// The fewest times that a stretch comes again for it to be one.
    static let fewest = 3

    /// The shortest stretch that begins at an item.
    /// - Complexity: Linear in the items that it covers, or constant if there is none.
    init?(in items: [some Hashable], at start: Int) {
        for length in 1...Self.longest where start + length * (Self.fewest + 1) <= items.count {
            var end = start + length
            while end < items.count, items[end] == items[end - length] { end += 1 }
            let times = (end - start) / length - 1
            guard times >= Self.fewest else { continue }
            (self.length, self.times) = (length, times)
            return
        }
        return nil
    }
}

extension FailureReport {
    /// The two runs row by row. Of a long stretch of equal steps only both ends are shown, and of steps that come again and again the first.
    var rows: [RowPair] {
        let other = passing?.steps ?? []
        let count = max(failing.steps.count, other.count)
        let marked = Set(deciding.map { [$0.first, $0.second, $0.passingFirst, $0.passingSecond] } ?? [])
        func isAlike(_ row: Int) -> Bool {
            guard row < failing.steps.count, row < other.count, !marked.contains(row) else { return false }
            return failing.steps[row].choice.event == other[row].choice.event
        }
        let words = (0..<count).map { row in
            RowWords(
                failing: row < failing.labels.count ? failing.labels[row] : nil,
                passing: passing.flatMap { row < $0.labels.count ? $0.labels[row] : nil },
                unlikeOthers: marked.contains(row) ? row : nil
            )
        }
        func pair(_ row: Int) -> RowPair {
            .steps(
                failing: row < failing.steps.count ? row : nil,
                passing: row < other.count ? row : nil
            )
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
            if let again = Repetition(in: words, at: row) {
                rows += (row..<row + again.length).map(pair) + [.again(rows: again.length, times: again.times)]
                row += again.length * (again.times + 1)
                continue
            }
            rows.append(pair(row))
            row += 1
        }
        return rows
    }
}
