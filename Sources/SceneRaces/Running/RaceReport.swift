public import Interleaving

/// What a search came to.
public struct RaceReport: Sendable {
    public let scenario: String
    public let summary: String
    public let strategy: StrategyName
    public let exploration: Exploration
    public let coverage: Coverage
    /// The first order in which something was wrong.
    public let found: FoundRace?
}

/// An order in which something was wrong.
public struct FoundRace: Sendable {
    public let run: Run
    /// What was wrong; `nil` where the run came to no end that could be judged, which its verdict says.
    public let failure: RaceFailure?
    /// The same made small, where that was asked for.
    public let shrunk: ShrunkFailure?

    init(_ run: Run, _ failure: RaceFailure?, shrunk: ShrunkFailure?) {
        self.run = run
        self.failure = failure
        self.shrunk = shrunk
    }

    /// What runs it again.
    public var code: ReplayCode { ReplayCode(seed: run.seed, schedule: run.schedule) }

    /// What was wrong, a line each.
    public var findings: [String] { failure?.findings ?? ["\(run.verdict)"] }

    /// What kind of failure it is.
    public var kind: String { failure.map { "\($0.kind)" } ?? run.verdict.kind }
}
