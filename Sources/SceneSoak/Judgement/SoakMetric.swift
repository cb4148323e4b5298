package import SceneVocabulary

/// A number measured in a soak that an objective may limit.
package enum SoakMetric: Hashable, Sendable {
    /// A percentile of the latency after the warm-up, above 0 and up to 100 (`p100` is `max`), of one kind of event or of all.
    case percentile(Double, kind: ActionKind?)
    case mean(kind: ActionKind?)
    /// Events sent that were neither answered nor cut off.
    case lost
    /// Events that were due and never sent, because they were late and `--nocatchup` was given.
    case missed
    /// Events whose connection was lost before the answer.
    case cutOff
    /// Refusals: all, or those with this error name.
    case errors(String?)
    /// Receipts with this outcome.
    case outcome(OutcomeName)
    /// Receipts per second.
    case rate
    /// The highest value seen after the warm-up.
    case peak(SoakTrend.Subject)
    /// The growth per hour, of the host that grows fastest.
    case growth(SoakTrend.Subject)
    /// Violations of invariants.
    case violations
    /// Missing records.
    case gaps

    /// The kind of event that it is about; `nil` if it is about all.
    var kind: ActionKind? {
        switch self {
        case .percentile(_, let kind), .mean(let kind): kind
        default: nil
        }
    }

    /// The quantity, which determines the unit of a limit.
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
        /// A number of events, or a percentage of those sent.
        case share
        case rate, bytes, bytesPerHour, count, countPerHour
    }

    /// The names of metrics in objectives, without percentiles.
    static let names =
        ["max", "mean", "lost", "missed", "cutoff", "errors", "outcome", "rate", "violations", "gaps"]
        + SoakTrend.Subject.watched.flatMap { [$0.word, "\($0.word).growth"] }

    /// Percentiles to name in a list of metrics.
    static let usualPercentiles = ["p50", "p90", "p95", "p99", "p99.9", "p99.99"]
}
