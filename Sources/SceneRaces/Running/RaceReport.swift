public import Interleaving
internal import SceneRuntime
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
    /// The run, and how it was made small where that was asked for.
    private let found: FoundFailure
    /// What was wrong; `nil` where the run came to no end that could be judged, which its verdict says.
    public let failure: RaceFailure?
    private let settings: SimulationSettings

    init(_ found: FoundFailure, _ failure: RaceFailure?, _ settings: SimulationSettings) {
        self.found = found
        self.failure = failure
        self.settings = settings
    }

    public var run: Run { found.run }
    /// The same made small, where that was asked for.
    public var shrunk: ShrunkFailure? { found.shrunk }

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
        return found.report(
            title: scenario,
            message: (findings + order).joined(separator: "\n"),
            kind: kind,
            replay: replay,
            exploration: search?.exploration
        )
    }

    /// What happened to events and windows, a line each.
    private var story: [String] {
        (failure?.records ?? []).compactMap { line in
            guard let record = try? JSONValue(parsing: line), let kind = record["kind"]?.stringValue,
                RecordKind(rawValue: kind)?.family != RecordKind.hostStarted.family
            else { return nil }
            let parts = [
                record["scene"]?.stringValue.map { "window \($0)" }, record["event"]?.stringValue, kind,
                record["verdict"]?.stringValue, record["outcome"]?.stringValue, record["reason"]?.stringValue,
                kind == RecordKind.sessionCommitted.rawValue ? "user \(record["user"]?.stringValue ?? "nobody")" : nil,
                record["revision"]?.integerValue.map { "revision \($0)" },
            ]
            return "  " + parts.compactMap { $0 }.joined(separator: " · ")
        }
    }

    /// What runs it again.
    public var code: ReplayCode { found.code }

    /// What was wrong, a line each.
    public var findings: [String] { failure?.findings ?? ["\(run.verdict)"] }

    /// What kind of failure it is.
    public var kind: String { failure.map { "\($0.kind)" } ?? run.verdict.kind }
}
