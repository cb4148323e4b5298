internal import Glibc

/// The straight line through a series of samples, and how sure it is that it rises or falls.
///
/// The slope is the median of those of all pairs (Theil 1950, Sen 1968), which a third of wild samples does not move. Whether
/// it is there at all is the test of Mann (1945) and Kendall (1975): how many pairs rise. Samples that follow one another are
/// alike, and a test that takes them for independent finds trends everywhere, so the variance is raised by what the ranks of
/// the residuals have in common with their neighbours (Hamed and Rao 1998).
package struct TrendLine: Hashable, Sendable {
    /// Units an hour: the slope, and the ends of the interval that holds it with 95 %.
    package let perHour: Double
    package let low: Double
    package let high: Double
    /// The chance that samples without a trend look like this or more so, both ways.
    package let chance: Double
    /// On the line at hour 0.
    package let origin: Double

    /// Half the width of the interval.
    package var margin: Double { (high - low) / 2 }

    /// The line's value at a time.
    func value(at hour: Double) -> Double { origin + perHour * hour }

    /// Fits a line.
    /// - Parameters:
    ///   - hours: when, ascending.
    ///   - values: what, as many; at most a few hundred, for the work grows with the square.
    /// - Returns: `nil` for fewer than 4 samples or all at one time.
    init?(hours: [Double], values: [Double]) {
        let count = values.count
        guard count >= 4, hours.count == count else { return nil }
        var slopes: [Double] = []
        slopes.reserveCapacity(count * (count - 1) / 2)
        var score = 0.0
        for later in 1..<count {
            for earlier in 0..<later {
                let rise = values[later] - values[earlier]
                score += rise > 0 ? 1 : rise < 0 ? -1 : 0
                let time = hours[later] - hours[earlier]
                if time > 0 { slopes.append(rise / time) }
            }
        }
        guard !slopes.isEmpty else { return nil }
        slopes.sort()
        let slope = slopes.medianOfSorted
        let residuals = zip(hours, values).map { $1 - slope * $0 }
        let deviation = Self.variance(of: values, residuals: residuals).squareRoot()

        perHour = slope
        origin = residuals.sorted().medianOfSorted
        // The test takes one step towards 0, because the score is a whole number.
        let distance = deviation > 0 ? max(0, abs(score) - 1) / deviation : 0
        chance = erfc(distance / 2.0.squareRoot())
        let half = 1.959964 * deviation
        let middle = Double(slopes.count)
        func ranked(_ rank: Double) -> Double { slopes[min(max(Int(rank), 0), slopes.count - 1)] }
        low = min(slope, ranked(((middle - half) / 2).rounded(.down)))
        high = max(slope, ranked(((middle + half) / 2).rounded(.up)))
    }

    /// Of the score, where there is no trend.
    private static func variance(of values: [Double], residuals: [Double]) -> Double {
        let count = Double(values.count)
        var variance = count * (count - 1) * (2 * count + 5)
        var ties: [Double: Double] = [:]
        for value in values { ties[value, default: 0] += 1 }
        for tied in ties.values where tied > 1 { variance -= tied * (tied - 1) * (2 * tied + 5) }
        return max(0, variance) / 18 * likeness(of: residuals)
    }

    /// By how much the samples count for fewer than they are, at least 1.
    private static func likeness(of residuals: [Double]) -> Double {
        let ranks = Self.ranks(of: residuals)
        let count = ranks.count
        let mean = Double(count + 1) / 2
        let spread = ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard spread > 0 else { return 1 }
        let bound = 1.959964 / Double(count).squareRoot()
        var sum = 0.0
        var nearest = 0.0
        for lag in 1..<max(2, count / 2) {
            var product = 0.0
            for index in 0..<(count - lag) { product += (ranks[index] - mean) * (ranks[index + lag] - mean) }
            let correlation = product / spread
            // Only the first stretch: what comes after it is chance, and what is negative would make the test surer.
            guard correlation > bound else { break }
            if lag == 1 { nearest = correlation }
            let rest = Double(count - lag)
            sum += rest * (rest - 1) * (rest - 2) * correlation
        }
        guard nearest > 0 else { return 1 }
        let total = Double(count)
        // A short series shows less of what its neighbours have in common than there is (Marriott and Pope 1954), so what
        // the nearest alone come to if each hands on the same share is the least.
        let share = min(0.95, (total * nearest + 1) / (total - 4))
        return max(1 + 2 * sum / (total * (total - 1) * (total - 2)), (1 + share) / (1 - share))
    }

    /// From 1; the same value has the same rank, the mean of theirs.
    private static func ranks(of values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start
            while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
            for place in start...end { ranks[order[place]] = Double(start + end) / 2 + 1 }
            start = end + 1
        }
        return ranks
    }
}

extension [Double] {
    /// The middle one, or between the two in the middle; there is at least one, and they ascend.
    var medianOfSorted: Double {
        let middle = count / 2
        return count.isMultiple(of: 2) ? (self[middle - 1] + self[middle]) / 2 : self[middle]
    }

    /// The middle one; `nil` for none.
    var median: Double? { isEmpty ? nil : sorted().medianOfSorted }
}
