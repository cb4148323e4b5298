public import SceneHistory

/// What a run of a scenario came to that must not be.
public struct RaceFailure: Error, Sendable {
    /// What kind of failure it is; stable, so that shrinking keeps to one.
    public let kind: Kind
    /// What was found, a line each.
    public let findings: [String]
    /// The history of the run, one record each, as JSON writes it.
    public let records: [String]
    /// What the steps had to do with the records; `nil` where the run came to no end.
    var course: RaceCourse?

    init(kind: Kind, findings: [String], records: [String]) {
        self.kind = kind
        self.findings = findings
        self.records = records
    }

    public enum Kind: Hashable, Sendable {
        /// An invariant was violated; the first of them.
        case invariant(Invariant)
        /// The end is not one of those expected.
        case end
        /// A step was refused, and the scenario does not say that it may be.
        case refused
        /// The history could not be read or decided.
        case history
    }
}

extension RaceFailure.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invariant(let invariant): "invariant \(invariant.rawValue)"
        case .end: "end"
        case .refused: "refused"
        case .history: "history"
        }
    }
}

extension RaceFailure: CustomStringConvertible {
    public var description: String { findings.joined(separator: "\n") }
}

/// What the steps of a run had to do with its records.
struct RaceCourse: Sendable {
    /// The number of the newest record when the actors were let go.
    let before: Int
    /// When each step took place, by its name.
    let marks: [String: StepMark]
    /// What became of each step, by its name.
    let results: [String: ExpectedResult]
}
