internal import Locking

/// What the intervals of a soak come to.
package struct SoakTotals: Hashable, Sendable {
    /// Of the intervals after the warm-up.
    package private(set) var due = 0
    package private(set) var sent = 0
    /// With a receipt; refusals are counted apart.
    package private(set) var answered = 0
    package private(set) var cutOff = 0
    package private(set) var outcomes: [String: Int] = [:]
    package private(set) var errors: [String: Int] = [:]
    /// How long they are, in seconds.
    package private(set) var seconds = 0.0
    /// Events that were sent, in the warm-up or later, and of which nothing more was heard: neither a receipt nor a refusal,
    /// and nothing cut them off. (Less than 0 would be an answer to nothing, and counts as 0.)
    package private(set) var lost = 0

    /// What all refusals come to.
    package var refused: Int { errors.values.reduce(0, +) }

    /// Receipts a second; 0 where there was no time.
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
}

extension SoakInterval {
    /// What of the answers was no refusal.
    var receipts: Int { max(0, answered - refused) }

    /// All refusals.
    var refused: Int { errors.values.reduce(0, +) }
}
