package import SceneHistory

/// What went wrong in a run of a scenario.
package struct RaceFailure: Error, Sendable {
    /// The kind of failure. Shrinking keeps only runs of the same kind.
    package let kind: Kind
    /// What was found, one line each.
    package let findings: [String]
    /// The history of the run, one record each, as JSON.
    package let records: [String]
    /// Where the run has ended; `nil` if it did not.
    package internal(set) var end: EndOfRun?
    /// How the steps relate to the records; `nil` if the run did not end.
    var course: RaceCourse?

    init(kind: Kind, findings: [String], records: [String]) {
        self.kind = kind
        self.findings = findings
        self.records = records
    }

    /// The kinds of failure.
    package enum Kind: Hashable, Sendable {
        /// An invariant was violated; of several, the first.
        case invariant(Invariant)
        /// The end is not among those expected.
        case end
        /// The history could not be read or judged, or differs from what was observed.
        case history
    }
}

extension RaceFailure.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invariant(let invariant): "invariant \(invariant.rawValue)"
        case .end: "end"
        case .history: "history"
        }
    }
}

extension RaceFailure: CustomStringConvertible {
    package var description: String { findings.joined(separator: "\n") }
}

/// How the steps of a run relate to its records.
struct RaceCourse: Sendable {
    /// The number of the newest record when the actors began.
    let before: Int
    /// When each step took place, by its name.
    let marks: [String: StepMark]
    /// The result of each step and each event, by its name.
    let results: [String: ExpectedResult]
    /// The order in which the URLs of each set came, as their places from 1, by the name of its step.
    let orders: [String: [Int]]
}
