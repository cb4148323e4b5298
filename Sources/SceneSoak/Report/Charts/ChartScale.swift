internal import Glibc

/// The vertical scale of a chart, with its ticks.
struct ChartScale {
    /// The value at the bottom.
    let low: Double
    /// The value at the top.
    let high: Double
    let isLogarithmic: Bool
    /// The values with a grid line and a label, ascending.
    let ticks: [Double]

    /// The finest step whose ticks differ in words, which have two decimals.
    private static let finest = 0.01

    /// From 0 to above all values, in round steps; to 1 if all are 0.
    static func linear(upTo most: Double) -> ChartScale {
        guard most > 0 else { return ChartScale(low: 0, high: 1, isLogarithmic: false, ticks: [0, 1]) }
        let step = max(Self.round(most / 4), finest)
        // Leaves room, because a line at the very top is hard to see.
        let steps = max(1, (most / step * 1.02).rounded(.up))
        return ChartScale(
            low: 0,
            high: step * steps,
            isLogarithmic: false,
            ticks: (0...Int(steps)).map { Double($0) * step }
        )
    }

    /// Around the values, in round steps, from 0 where that is near.
    static func around(_ values: [Double]) -> ChartScale {
        guard let least = values.min(), let most = values.max() else { return linear(upTo: 1) }
        let spread = most - least
        // Values that vary little would be a line at the top. Variation that does not matter should still look flat.
        guard least > 0.6 * most, most > 0 else { return linear(upTo: most) }
        let step = Self.round(max(spread, 0.1 * most) / 3)
        let low = (least / step).rounded(.down) * step
        let high = max(low + step, (most / step).rounded(.up) * step)
        return ChartScale(
            low: low,
            high: high,
            isLogarithmic: false,
            ticks: stride(from: low, through: high + step / 2, by: step).map { $0 }
        )
    }

    /// The scale in a smaller unit, with the same ticks.
    func times(_ factor: Double) -> ChartScale {
        ChartScale(
            low: low * factor,
            high: high * factor,
            isLogarithmic: isLogarithmic,
            ticks: ticks.map { $0 * factor }
        )
    }

    /// A logarithmic scale for values above 0, with ticks at 1, 2 and 5 times powers of ten.
    static func logarithmic(_ values: [Double]) -> ChartScale {
        let positive = values.filter { $0 > 0 }
        guard let least = positive.min(), let most = positive.max() else {
            return ChartScale(low: 1, high: 10, isLogarithmic: true, ticks: [1, 10])
        }
        let steps = (-1...13).flatMap { decade in [1.0, 2, 5].map { $0 * pow(10, Double(decade)) } }
        let low = steps.last { $0 <= least } ?? least
        let high = steps.first { $0 >= most && $0 > low } ?? max(most, low * 2)
        var ticks = steps.filter { $0 >= low && $0 <= high }
        if ticks.count > 7 { ticks = ticks.filter { log10($0) == log10($0).rounded() } }
        return ChartScale(low: low, high: high, isLogarithmic: true, ticks: ticks)
    }

    /// The place of a value, from 0 at the bottom to 1 at the top; values outside are at the edge.
    func place(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? (log10(max(value, low)) - log10(low)) / (log10(high) - log10(low)) : (value - low) / (high - low)
        return min(max(share, 0), 1)
    }

    /// Rounds up to 1, 2 or 5 times a power of ten.
    private static func round(_ value: Double) -> Double {
        let power = pow(10, log10(value).rounded(.down))
        return [1, 2, 5, 10].first { $0 * power >= value * 0.999 }.map { $0 * power } ?? power
    }
}
