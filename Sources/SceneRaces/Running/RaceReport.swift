public import Interleaving
internal import StrictJSON

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

    /// The run nearest to it that passes, where it was made small.
    private let passing: Run?
    private let settings: SimulationSettings

    init(
        _ run: Run,
        _ failure: RaceFailure?,
        _ settings: SimulationSettings,
        shrunk: ShrunkFailure? = nil,
        passing: Run? = nil
    ) {
        self.run = run
        self.failure = failure
        self.settings = settings
        self.shrunk = shrunk
        self.passing = passing
    }

    /// The run as a file keeps it.
    /// - Parameter scenario: What the file says that it is a run of.
    public func file(of scenario: String) -> ReplayFile {
        ReplayFile(test: scenario, run: run, settings: settings)
    }

    /// The race as people need it: the two steps whose order decides, beside the nearest run that passes.
    ///
    /// It finds out functions and lines, which takes a second or so.
    /// - Parameters:
    ///   - scenario: The report's title.
    ///   - search: How it was found; `nil` for a replay.
    ///   - replay: The line that runs it again.
    public func report(of scenario: String, _ search: RaceReport?, replay: String) -> FailureReport {
        let order = (failure?.records ?? []).isEmpty ? [] : ["", "What happened, in this order:"] + story
        return FailureReport(
            title: scenario,
            message: (findings + order).joined(separator: "\n"),
            replay: replay,
            failure: shrunk
                ?? ShrunkFailure(
                    kind: kind,
                    steps: run.steps,
                    schedule: run.schedule,
                    original: run.steps,
                    confirmation: .notReproduced
                ),
            labels: run.labels(),
            passingLabels: passing?.labels() ?? [],
            origin: search.flatMap { search in
                search.exploration.failure.map { first in
                    FailureReport.Origin(
                        strategy: first.strategy,
                        seed: search.exploration.seed,
                        run: (search.exploration.firstFailure ?? 0) + 1
                    )
                }
            },
            coverage: search?.coverage
        )
    }

    /// What happened to events and windows, a line each.
    private var story: [String] {
        (failure?.records ?? []).compactMap { line in
            guard let record = try? JSONValue(parsing: line), let kind = record["kind"]?.stringValue,
                !kind.hasPrefix("host.")
            else { return nil }
            let parts = [
                record["scene"]?.stringValue.map { "window \($0)" }, record["event"]?.stringValue, kind,
                record["verdict"]?.stringValue, record["outcome"]?.stringValue, record["reason"]?.stringValue,
                kind == "session.committed" ? "user \(record["user"]?.stringValue ?? "nobody")" : nil,
                record["revision"]?.integerValue.map { "revision \($0)" },
            ]
            return "  " + parts.compactMap { $0 }.joined(separator: " · ")
        }
    }

    /// What runs it again.
    public var code: ReplayCode { ReplayCode(seed: run.seed, schedule: run.schedule) }

    /// What was wrong, a line each.
    public var findings: [String] { failure?.findings ?? ["\(run.verdict)"] }

    /// What kind of failure it is.
    public var kind: String { failure.map { "\($0.kind)" } ?? run.verdict.kind }
}
