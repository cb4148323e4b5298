internal import Basics

/// Estimates how much of a difference between two series may be chance, by resampling both many times.
///
/// It resamples blocks, not single samples (Künsch 1989), because neighbours are correlated.
struct Bootstrap {
    static let rounds = 600
    /// A longer series is reduced to this many values.
    static let most = 120
    /// The fewest samples that allow an estimate.
    static let fewest = 10

    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    /// The 95 % confidence interval of the difference between a statistic of both series; `nil` for too few samples.
    mutating func difference(
        from one: [Double],
        to other: [Double],
        of figure: ([Double]) -> Double
    ) -> ClosedRange<Double>? {
        guard one.count >= Self.fewest, other.count >= Self.fewest else { return nil }
        let (one, other) = (Self.thinned(one, figure), Self.thinned(other, figure))
        var differences: [Double] = []
        for _ in 0..<Self.rounds { differences.append(figure(drawn(from: other)) - figure(drawn(from: one))) }
        differences.sort()
        return differences[Self.rounds * 25 / 1000]...differences[Self.rounds * 975 / 1000]
    }

    private static func thinned(_ values: [Double], _ figure: ([Double]) -> Double) -> [Double] {
        guard values.count > most else { return values }
        return (0..<most).map { figure(Array(values[($0 * values.count / most)..<(($0 + 1) * values.count / most)])) }
    }

    private mutating func drawn(from values: [Double]) -> [Double] {
        let length = max(1, Int(Double(values.count).squareRoot()))
        var drawn: [Double] = []
        while drawn.count < values.count {
            let start = random.below(values.count - length + 1)
            drawn += values[start..<(start + length)]
        }
        return Array(drawn.prefix(values.count))
    }
}
