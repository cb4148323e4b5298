internal import Basics

/// The sums over the intervals of a soak; all but `lost` without the warm-up.
package struct SoakTotals: Hashable, Sendable {
    package private(set) var due = 0
    package private(set) var sent = 0
    /// Events answered with a receipt, without refusals.
    package private(set) var answered = 0
    package private(set) var cutOff = 0
    package private(set) var outcomes: [String: Int] = [:]
    package private(set) var errors: [String: Int] = [:]
    /// The length of the intervals, in seconds.
    package private(set) var seconds = 0.0
    /// Events sent, in the warm-up or later, that were neither answered nor cut off; at least 0.
    package private(set) var lost = 0

    /// The number of refusals.
    package var refused: Int { errors.values.reduce(0, +) }

    /// Receipts per second; 0 if no time passed.
    package var rate: Double { seconds > 0 ? Double(answered) / seconds : 0 }

    package init(of run: SoakRun) {
        var open = 0
        for interval in run.intervals {
            open += interval.sent - interval.answered - interval.cutOff
            if interval.isWarmUp { continue }
            due += interval.due
            sent += interval.sent
            answered += interval.receipts
            cutOff += interval.cutOff
            outcomes.merge(interval.outcomes, uniquingKeysWith: +)
            errors.merge(interval.errors, uniquingKeysWith: +)
            seconds += interval.length.seconds
        }
        lost = max(0, open)
    }

    /// The sums over several runs. Their times are added, so a rate is the mean.
    init(_ all: [SoakTotals]) {
        for totals in all {
            due += totals.due
            sent += totals.sent
            answered += totals.answered
            cutOff += totals.cutOff
            outcomes.merge(totals.outcomes, uniquingKeysWith: +)
            errors.merge(totals.errors, uniquingKeysWith: +)
            seconds += totals.seconds
            lost += totals.lost
        }
    }
}

extension SoakInterval {
    /// The number of answers that are receipts.
    var receipts: Int { max(0, answered - refused) }

    /// The number of refusals.
    var refused: Int { errors.values.reduce(0, +) }
}
