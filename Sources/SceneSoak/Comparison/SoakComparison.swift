internal import Histogram
internal import Basics

/// Compares two soaks: what changed, and which changes are more than chance.
package struct SoakComparison: Hashable, Sendable {
    /// Why the two may not be comparable, one sentence each.
    package let warnings: [String]
    package let rows: [Row]
    /// The conclusions of both soaks.
    package let conclusions: [SoakVerdict.Conclusion]

    /// Whether something certainly got worse.
    package var isWorse: Bool { rows.contains { $0.change == .worse } }

    /// One figure of both soaks.
    package struct Row: Hashable, Sendable {
        package let name: String
        /// In nanoseconds, bytes, percent, bytes per hour or a count; `nil` if it was not measured.
        package let before: Double?
        /// In the same unit as `before`.
        package let after: Double?
        package let change: Change
        let form: Form

        /// The second divided by the first.
        package var ratio: Double? {
            guard let before, let after, before > 0 else { return nil }
            return after / before
        }
    }

    package enum Change: String, Hashable, Sendable {
        case better, worse
        /// No more than chance explains, or too little to matter.
        case same
        /// There are too few intervals, or nothing to compare.
        case unknown
    }

    enum Form: Hashable { case time, rate, percent, count, bytes, bytesPerHour }

    /// A change by less than this share does not count, however certain it is.
    static let relevance = 0.02

    /// Compares the second soak with the first.
    package init(_ before: SoakRun, _ after: SoakRun, seed: UInt64 = 1) {
        let verdicts = [SoakVerdict(of: before), SoakVerdict(of: after)]
        conclusions = verdicts.map(\.conclusion)
        warnings = Self.warnings(before, after)
        var bootstrap = Bootstrap(seed: seed)
        var rows: [Row] = []
        let (first, second) = (before.counted, after.counted)
        let ranks = Set(first.flatMap { $0.percentiles.keys }).intersection(second.flatMap { $0.percentiles.keys })
        for rank in ranks.sorted() {
            let values = [first, second].map { $0.compactMap { $0.percentiles[rank].map { Double($0) } } }
            let range = bootstrap.difference(from: values[0], to: values[1]) { $0.median ?? 0 }
            rows.append(
                Self.row(
                    Wording.percentile(rank),
                    .time,
                    before.latency.totalCount > 0 ? Double(before.latency.valueAtPercentile(rank)) : nil,
                    after.latency.totalCount > 0 ? Double(after.latency.valueAtPercentile(rank)) : nil,
                    range
                )
            )
        }
        let totals = verdicts.map(\.totals)
        let rates = [first, second].map { $0.map { $0.length > .zero ? Double($0.receipts) / $0.length.seconds : 0 } }
        rows.append(
            Self.row(
                "rate",
                .rate,
                totals[0].seconds > 0 ? totals[0].rate : nil,
                totals[1].seconds > 0 ? totals[1].rate : nil,
                bootstrap.difference(from: rates[0], to: rates[1], of: \.mean),
                isMoreBetter: true
            )
        )
        let refused = [first, second].map { $0.map { $0.sent > 0 ? 100 * Double($0.refused) / Double($0.sent) : 0 } }
        let shares = totals.map { $0.sent > 0 ? 100 * Double($0.refused) / Double($0.sent) : nil }
        let refusals = bootstrap.difference(from: refused[0], to: refused[1], of: \.mean)
        rows.append(Self.row("refused", .percent, shares[0], shares[1], refusals))
        let lost = totals.map { Double($0.lost) }
        // A loss is not a matter of chance.
        rows.append(Self.row("lost", .count, lost[0], lost[1], (lost[1] - lost[0])...(lost[1] - lost[0])))
        let memory = [first, second].map { $0.compactMap { $0.sample?.resident.map { Double($0) } } }
        let used = bootstrap.difference(from: memory[0], to: memory[1]) { $0.median ?? 0 }
        rows.append(Self.row("memory", .bytes, memory[0].median, memory[1].median, used))
        let lines = verdicts.map { verdict in
            verdict.trends.filter { $0.subject == .resident }.compactMap(\.line).max { $0.perHour < $1.perHour }
        }
        var slopes: ClosedRange<Double>?
        if let one = lines[0], let other = lines[1] {
            slopes = min(other.low - one.high, other.high - one.low)...max(other.low - one.high, other.high - one.low)
        }
        rows.append(Self.row("memory growth", .bytesPerHour, lines[0]?.perHour, lines[1]?.perHour, slopes))
        self.rows = rows
    }

    /// A figure, and the confidence interval of its difference, if known.
    private static func row(
        _ name: String,
        _ form: Form,
        _ before: Double?,
        _ after: Double?,
        _ range: ClosedRange<Double>?,
        isMoreBetter: Bool = false
    ) -> Row {
        var change = Change.unknown
        if let before, let after, let range {
            let isCertain = !range.contains(0)
            let isRelevant = abs(after - before) > relevance * abs(before)
            let isMore = range.lowerBound > 0
            change = !isCertain || !isRelevant ? .same : isMore == isMoreBetter ? .better : .worse
        }
        return Row(name: name, before: before, after: after, change: change, form: form)
    }
}

extension SoakRun {
    /// The intervals after the warm-up.
    fileprivate var counted: [SoakInterval] { intervals.filter { !$0.isWarmUp } }
}

extension [Double] {
    fileprivate var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
