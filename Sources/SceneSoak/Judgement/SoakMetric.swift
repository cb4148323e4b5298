/// Something of a soak that has one number, and that an objective may bound.
package enum SoakMetric: Hashable, Sendable {
    /// Of the latency after the warm-up, in percent above 0 up to 100 (`p100` and `max` are the same); of one kind of event or all.
    case percentile(Double, kind: String?)
    case mean(kind: String?)
    /// Events sent that were neither answered nor refused, though nothing cut them off.
    case lost
    /// Events that were due and never sent, because the generator was late and was told not to catch up.
    case missed
    /// Events whose answer went away with a connection or the daemon.
    case cutOff
    /// Refusals, all or by the error's name.
    case errors(String?)
    /// Receipts with this outcome.
    case outcome(String)
    /// Receipts a second.
    case rate
    /// The most that was seen after the warm-up.
    case peak(SoakTrend.Subject)
    /// How fast it grows, by the steepest of the hosts.
    case growth(SoakTrend.Subject)
    /// Of the invariants.
    case violations
    /// Records that are not there.
    case gaps

    /// What a limit of it is written in.
    var quantity: Quantity {
        switch self {
        case .percentile, .mean: .time
        case .lost, .missed, .cutOff, .errors, .outcome: .share
        case .rate: .rate
        case .peak(.resident): .bytes
        case .growth(.resident): .bytesPerHour
        case .growth: .countPerHour
        case .peak, .violations, .gaps: .count
        }
    }

    enum Quantity {
        case time
        /// Events, or percent of those sent.
        case share
        case rate, bytes, bytesPerHour, count, countPerHour
    }

    /// Every name that may stand in an objective, as far as it is not made of a number.
    static let names =
        ["max", "mean", "lost", "missed", "cutoff", "errors", "outcome", "rate", "violations", "gaps"]
        + SoakTrend.Subject.watched.flatMap { [$0.word, "\($0.word).growth"] }

    /// What stands for a percentile in a list of names.
    static let usualPercentiles = ["p50", "p90", "p95", "p99", "p99.9", "p99.99"]
}
