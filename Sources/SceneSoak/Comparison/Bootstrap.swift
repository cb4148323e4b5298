internal import SeededRandom

/// How much a difference between two series may be chance: what it comes to when both are drawn again, many times.
///
/// Drawn are stretches and not single samples (Künsch 1989), because neighbours are alike.
struct Bootstrap {
    static let rounds = 600
    /// More samples are taken together, stretch by stretch.
    static let most = 120
    /// Fewer tell nothing.
    static let fewest = 10

    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    /// Between which values the difference of a figure lies with 95 %; `nil` for too few samples.
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
