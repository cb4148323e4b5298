import Figures
/// How long something took, and what it is compared with took, in runs that took turns.
struct Comparison {
    /// Seconds per call, a run each.
    let ours: [Double]
    /// The same of the reference, in the same order.
    let reference: [Double]

    /// Our rate as a part of the reference's, a run each.
    var rates: [Double] { zip(ours, reference).map { $1 / $0 } }

    /// Our time as a multiple of the reference's, a run each.
    var times: [Double] { zip(ours, reference).map { $0 / $1 } }
}
