/// An objective of a soak, such as `p99<20ms`.
package struct SoakObjective: Hashable, Sendable, CustomStringConvertible {
    /// As written, without white space.
    package let text: String
    package let metric: SoakMetric
    package let comparison: Comparison
    package let limit: Limit

    package var description: String { text }

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case less = "<"
        case atMost = "<="
        case equal = "="
        case atLeast = ">="
        case more = ">"

        func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .less: value < limit
            case .atMost: value <= limit
            case .equal: value == limit
            case .atLeast: value >= limit
            case .more: value > limit
            }
        }
    }

    /// A number in the metric's unit: nanoseconds, bytes, bytes or count per hour, events per second, or a count.
    package struct Limit: Hashable, Sendable {
        package var value: Double
        /// Whether the number is a percentage of the events sent.
        package var isPercent: Bool
    }

    /// Why an objective says nothing, as a phrase: no run could miss it, or none could meet it; `nil` if it says something.
    static func emptiness(_ metric: SoakMetric, _ comparison: Comparison, _ limit: Limit) -> String? {
        let most: Double
        switch metric {
        // What grows may also shrink.
        case .growth: return nil
        case .lost, .missed, .cutOff, .errors, .outcome: most = limit.isPercent ? 100 : .infinity
        case .percentile, .mean, .rate, .peak, .violations, .gaps: most = .infinity
        }
        // No metric is below 0, and a comparison that holds or fails at both ends does so between them, but for equality.
        let ends = (low: comparison.holds(0, limit.value), high: comparison.holds(most, limit.value))
        let range = most.isFinite ? "from 0 to 100 %" : "0 or more"
        switch comparison {
        case .equal: return limit.value > most ? "nothing could meet this, because it is \(range)" : nil
        case .less, .atMost, .atLeast, .more:
            if ends == (true, true) { return "everything would meet this, because it is \(range)" }
            if ends == (false, false) { return "nothing could meet this, because it is \(range)" }
            return nil
        }
    }

    /// Reads a list of objectives, such as `p99<20ms, lost=0, errors.QueueFull<1%, p99[push]<50ms`.
    /// - Throws: ``SoakObjectiveError``, which says what is wrong at which column, and what was expected.
    package static func parse(_ list: String) throws(SoakObjectiveError) -> [SoakObjective] {
        var parser = SoakObjectiveParser(list)
        return try parser.objectives()
    }
}

/// Why a text is not a list of objectives.
package struct SoakObjectiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as given.
    package let text: String
    /// The place of the mistake, in characters from 1.
    package let column: Int
    /// What is wrong and what was expected, as a phrase without a full stop.
    package let problem: String

    package var description: String { "'\(text)', column \(column): \(problem)" }
}

/// The result of an objective.
package struct SoakObjectiveResult: Hashable, Sendable {
    package let objective: String
    package let state: State
    /// The measured value as text; `nil` if there is none.
    package let seen: String?
    /// What was measured, for an objective about growth.
    package let growth: SoakGrowth?
    /// About how much longer a soak would have to be to tell, if that is known.
    package let longer: Duration?

    init(
        objective: String,
        state: State,
        seen: String?,
        growth: SoakGrowth? = nil,
        longer: Duration? = nil
    ) {
        self.objective = objective
        self.state = state
        self.seen = seen
        self.growth = growth
        self.longer = longer
    }

    /// Whether the objective was met, with the measured value.
    package enum State: Hashable, Sendable {
        case met(Double)
        case missed(Double)
        /// It cannot be judged, for this reason: there is too little to see, or the limit is within the interval of what was seen.
        case unknown(String)
    }
}
