internal import Glibc
internal import Basics

/// Computes when events are due, from the plan and the seed alone.
struct ArrivalSchedule {
    private let arrival: SoakPlan.Arrival
    /// The mean time between events, in nanoseconds.
    private let mean: Double
    private var random: SplitMix
    private var count = 0.0
    private var last = 0.0

    /// - Parameter rate: Events per second, above 0.
    init(rate: Double, arrival: SoakPlan.Arrival, seed: UInt64) {
        self.arrival = arrival
        mean = 1e9 / rate
        random = SplitMix(seed: seed)
    }

    /// The next due time, since the start of the soak.
    mutating func next() -> Duration {
        switch arrival {
        case .uniform:
            // Multiplied, not summed up, so that rounding errors do not accumulate.
            last = count * mean
            count += 1
        case .poisson:
            // From above 0 to 1, so that the logarithm is finite.
            let chance = 1 - Double.random(in: 0..<1, using: &random)
            last += -log(chance) * mean
        }
        return .nanoseconds(Int64(min(last, 9e18)))
    }
}
