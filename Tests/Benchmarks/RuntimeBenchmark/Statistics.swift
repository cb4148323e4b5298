import Figures
/// How long many calls took, each and together.
struct Latencies: Sendable {
    /// In nanoseconds.
    var each: [Double]
    /// In seconds.
    var together: Double
}

enum Statistics {
    struct Summary {
        /// Calls per second.
        let rate: Double
        /// In microseconds.
        let p50: Double
        let p99: Double

        init(_ round: Latencies) {
            let sorted = round.each.sorted()
            rate = Double(sorted.count) / round.together
            p50 = Statistics.quantile(sorted, 0.5) / 1_000
            p99 = Statistics.quantile(sorted, 0.99) / 1_000
        }
    }

    private static func quantile(_ sorted: [Double], _ fraction: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(Int(Double(sorted.count) * fraction), sorted.count - 1)]
    }
}
