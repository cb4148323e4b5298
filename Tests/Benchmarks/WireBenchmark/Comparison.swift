/// How long something took, and what it is compared with took, in runs that took turns.
struct Comparison {
    /// Seconds per call, a run each.
    let ours: [Double]
    /// The same of the reference, in the same order.
    let reference: [Double]

    /// Our rate as a part of the reference's: the runs' median, least and greatest.
    var rate: (median: Double, least: Double, greatest: Double) { Self.summary(zip(ours, reference).map { $1 / $0 }) }

    /// Our time as a multiple of the reference's.
    var time: (median: Double, least: Double, greatest: Double) { Self.summary(zip(ours, reference).map { $0 / $1 }) }

    static func median(_ values: [Double]) -> Double { summary(values).median }

    private static func summary(_ values: [Double]) -> (median: Double, least: Double, greatest: Double) {
        let sorted = values.sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return (.nan, .nan, .nan) }
        return (sorted[sorted.count / 2], least, greatest)
    }
}
