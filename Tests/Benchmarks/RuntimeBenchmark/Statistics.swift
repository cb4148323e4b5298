/// How long each of many calls took, and how long they took together.
struct Latencies: Sendable {
    /// In nanoseconds.
    var each: [Double]
    /// In seconds.
    var together: Double
}

enum Statistics {
    struct Summary {
        /// Calls a second.
        let rate: Double
        /// In microseconds.
        let p50: Double
        let p99: Double
    }

    static func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

    /// The median over the rounds, of each figure by itself.
    static func summary(_ rounds: [Latencies]) -> Summary {
        Summary(
            rate: median(rounds.map { Double($0.each.count) / $0.together }),
            p50: median(rounds.map { quantile($0.each.sorted(), 0.5) / 1_000 }),
            p99: median(rounds.map { quantile($0.each.sorted(), 0.99) / 1_000 })
        )
    }

    static func round2(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func quantile(_ sorted: [Double], _ fraction: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(Int(Double(sorted.count) * fraction), sorted.count - 1)]
    }
}
