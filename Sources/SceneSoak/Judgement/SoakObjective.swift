/// What is asked of a soak, such as `p99<20ms`.
package struct SoakObjective: Hashable, Sendable, CustomStringConvertible {
    /// As written, without white space around it.
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

    /// A number in the metric's own unit: nanoseconds, bytes, bytes or number an hour, events a second, or a number.
    package struct Limit: Hashable, Sendable {
        package var value: Double
        /// Whether the number is percent of the events sent.
        package var isPercent: Bool

        package init(value: Double, isPercent: Bool) {
            self.value = value
            self.isPercent = isPercent
        }
    }

    init(text: String, metric: SoakMetric, comparison: Comparison, limit: Limit) {
        self.text = text
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
    }

    /// Reads objectives that stand in a row, such as `p99<20ms, lost=0, errors.QueueFull<1%, p99[push]<50ms`.
    /// - Throws: ``SoakObjectiveError``, which says what is wrong, at which column, and what would be right.
    package static func parse(_ list: String) throws(SoakObjectiveError) -> [SoakObjective] {
        var parser = SoakObjectiveParser(list)
        return try parser.objectives()
    }
}

/// Why a text is no objective.
package struct SoakObjectiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as given.
    package let text: String
    /// Where it goes wrong, in characters from 1.
    package let column: Int
    /// What is wrong and what would be right, as a phrase without full stop.
    package let problem: String

    package var description: String { "'\(text)', column \(column): \(problem)" }
}

/// What came of an objective.
package struct SoakObjectiveResult: Hashable, Sendable {
    package let objective: String
    package let state: State
    /// What was seen, for a person, in the unit of the objective; `nil` where nothing was.
    package let seen: String?

    package enum State: Hashable, Sendable {
        case met(Double)
        case missed(Double)
        /// It was not measured, for this reason.
        case unknown(String)
    }
}
