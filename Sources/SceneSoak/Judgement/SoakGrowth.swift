internal import Basics
internal import Glibc

/// How fast a subject grows, as far as a soak can tell: by a number within an interval.
package struct SoakGrowth: Hashable, Sendable {
    /// The slope of the host that grows fastest, in units per hour.
    package let perHour: Double
    /// The interval within which it is with 95 % certainty.
    package let range: ClosedRange<Double>
    private let trends: [SoakTrend]

    /// - Returns: `nil` if most of the time shows no trend.
    init?(of subject: SoakTrend.Subject, in trends: [SoakTrend]) {
        let those = trends.filter { $0.subject == subject }
        let lines = those.compactMap(\.line)
        guard SoakTrend.areJudged(those), let most = lines.map(\.perHour).max(), let low = lines.map(\.low).max(),
            let high = lines.map(\.high).max()
        else { return nil }
        perHour = most
        range = low...high
        self.trends = those
    }

    /// About how much longer a soak would have to be for the interval to end before a limit that is now within it, if the slope
    /// stays as it is; `nil` for more than a month.
    ///
    /// The error of a slope through samples at a steady rate shrinks with the time watched to the power of 1.5: there are more of
    /// them, and the first is farther from the last.
    func longer(toTellFrom limit: Double) -> Duration? {
        let hours = trends.compactMap { trend -> Double? in
            guard let line = trend.line, line.low <= limit, limit <= line.high else { return nil }
            let margin = limit > line.perHour ? line.high - line.perHour : line.perHour - line.low
            let distance = abs(limit - line.perHour)
            return distance > 0 ? trend.hours * (pow(margin / distance, 2.0 / 3) - 1) : .infinity
        }
        guard let most = hours.max(), most <= 24 * 30 else { return nil }
        // An estimate is no better for its minutes and seconds.
        let step = most < 2 ? 300.0 : most < 10 ? 1800 : 3600
        return .seconds(max(1, (most * 3600 / step).rounded(.up)) * step)
    }
}

extension SoakTrend {
    /// Whether the trends of one subject say something. A host that ran for a few minutes shows none, which does not matter if
    /// others ran for most of the time.
    static func areJudged(_ trends: [SoakTrend]) -> Bool {
        let judged = trends.filter { $0.line != nil }
        return !judged.isEmpty && judged.reduce(0) { $0 + $1.hours } >= 0.5 * trends.reduce(0) { $0 + $1.hours }
    }
}

extension SoakObjective.Comparison {
    /// Whether every number of an interval compares so with a limit; `nil` if only some do.
    func holds(throughout range: ClosedRange<Double>, _ limit: Double) -> Bool? {
        if self == .equal {
            guard range.contains(limit) else { return false }
            return range.lowerBound == range.upperBound ? true : nil
        }
        let (low, high) = (holds(range.lowerBound, limit), holds(range.upperBound, limit))
        return low == high ? low : nil
    }
}
