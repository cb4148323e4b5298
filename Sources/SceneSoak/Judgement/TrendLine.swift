internal import Glibc

/// The straight line through a series of samples, and the chance that the series has no trend.
///
/// The slope is the median of the slopes of all pairs (Theil 1950, Sen 1968), which is robust even if a quarter of the samples
/// are outliers. Whether there is a trend is tested after Mann (1945) and Kendall (1975), who count the pairs that rise. Successive
/// samples are correlated, and a test that takes them for independent finds trends everywhere; so the variance is raised
/// according to the autocorrelation of the residuals' ranks (Hamed and Rao 1998).
package struct TrendLine: Hashable, Sendable {
    /// The slope, in units per hour.
    package let perHour: Double
    /// The lower end of the slope's 95 % confidence interval.
    package let low: Double
    /// The upper end of the slope's 95 % confidence interval.
    package let high: Double
    /// The two-sided p-value: the chance that a series without a trend looks like this or more extreme.
    package let chance: Double
    /// The line's value at hour 0.
    package let origin: Double

    /// Half the width of the confidence interval.
    package var margin: Double { (high - low) / 2 }

    /// The line's value at a time.
    func value(at hour: Double) -> Double { origin + perHour * hour }

    /// Fits a line.
    /// - Parameters:
    ///   - hours: The times, ascending.
    ///   - values: As many values; at most a few hundred, because the work grows with the square.
    /// - Returns: `nil` for fewer than 4 samples, or if all have the same time.
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
        // The correction of the test for continuity, because the score is a whole number.
        let distance = deviation > 0 ? max(0, abs(score) - 1) / deviation : 0
        chance = erfc(distance / 2.0.squareRoot())
        let half = 1.959964 * deviation
        let middle = Double(slopes.count)
        func ranked(_ rank: Double) -> Double { slopes[min(max(Int(rank), 0), slopes.count - 1)] }
        low = min(slope, ranked(((middle - half) / 2).rounded(.down)))
        high = max(slope, ranked(((middle + half) / 2).rounded(.up)))
    }

    /// The variance of the score if there is no trend.
    private static func variance(of values: [Double], residuals: [Double]) -> Double {
        let count = Double(values.count)
        var variance = count * (count - 1) * (2 * count + 5)
        var ties: [Double: Double] = [:]
        for value in values { ties[value, default: 0] += 1 }
        for tied in ties.values where tied > 1 { variance -= tied * (tied - 1) * (2 * tied + 5) }
        return max(0, variance) / 18 * correction(of: residuals)
    }

    /// The factor, at least 1, by which correlation between the samples raises the variance.
    private static func correction(of residuals: [Double]) -> Double {
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
            // Only the first stretch: later correlation is chance, and negative correlation would make the test less cautious.
            guard correlation > bound else { break }
            if lag == 1 { nearest = correlation }
            let rest = Double(count - lag)
            sum += rest * (rest - 1) * (rest - 2) * correlation
        }
        guard nearest > 0 else { return 1 }
        let total = Double(count)
        // A short series underestimates its autocorrelation (Marriott and Pope 1954). So the correction is at least that of
        // an autoregressive series with the corrected correlation of neighbours.
        let share = min(0.95, (total * nearest + 1) / (total - 4))
        return max(1 + 2 * sum / (total * (total - 1) * (total - 2)), (1 + share) / (1 - share))
    }

    /// The ranks from 1. Equal values share the mean of their ranks.
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
    /// The median of ascending values, of which there is at least one.
    var medianOfSorted: Double {
        let middle = count / 2
        return count.isMultiple(of: 2) ? (self[middle - 1] + self[middle]) / 2 : self[middle]
    }

    /// The median; `nil` for no values.
    var median: Double? { isEmpty ? nil : sorted().medianOfSorted }
}
