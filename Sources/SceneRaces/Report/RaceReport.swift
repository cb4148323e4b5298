package import Interleaving
internal import SceneRuntime
internal import StrictJSON

/// The result of a search.
package struct RaceReport: Sendable {
    /// The name of the scenario.
    package let scenario: String
    /// What could go wrong in it, in its own words.
    package let summary: String
    /// The strategy that chose the orders.
    package let strategy: StrategyName
    /// Where steps of the orders ended.
    package let granularity: SimulationSettings.Granularity
    /// The exploration that the search made.
    package let exploration: Exploration
    /// How many different orders were seen.
    package let coverage: ExplorationCoverage
    /// The exploration whose ``Exploration/ends`` were counted: the search, or more of the same orders where that stopped at a race; `nil` if
    /// ends were not asked for.
    package let survey: Exploration?
    /// How many ends the scenario expects.
    package let expectedEnds: Int
    /// The first order in which something went wrong.
    package let found: FoundRace?
    /// What the result rests on if it is a proof; `nil` for a search.
    package internal(set) var proof: Race.Proof?
    /// How many orders the search was to run; `nil` for a proof, which runs all, and for what shards found.
    package internal(set) var planned: Int?
    /// Whether nothing went wrong in the time that was given, and it was over before all orders were run.
    package private(set) var isCutByTime = false

    /// Notes whether the time was over before all orders were run.
    mutating func note(_ limit: Duration?) {
        isCutByTime =
            limit.map { exploration.duration >= $0 } ?? false && found == nil && !exploration.wasEnded
            && !exploration.isComplete && planned.map { exploration.runs < $0 } ?? true
    }

    /// Of several ends that are expected, the numbers, from 1, of those to which no order came whose end was counted; none if ends were not.
    package var endsThatNeverCame: [Int] {
        guard let ends = survey?.ends, expectedEnds > 1 else { return [] }
        let seen = Set(ends.all.flatMap { $0.text.split(separator: "\n").map(String.init) })
        return (1...expectedEnds).filter { !seen.contains(EndOfRun.mark($0, of: expectedEnds)) }
    }
}

/// An order in which something went wrong.
package struct FoundRace: Sendable {
    /// The run, and the result of making it small where that was asked for.
    private let found: FoundFailure
    /// What went wrong; `nil` if the run did not end, which its verdict says.
    package let failure: RaceFailure?
    /// The history of a passing run, one record each, as JSON; none if none was looked for or found.
    package let passing: [String]
    /// Whether that run is the nearest to the failing one, and not just any.
    package let isPassingNear: Bool
    private let settings: SimulationSettings

    init(
        _ found: FoundFailure,
        _ failure: RaceFailure?,
        passing: [String] = [],
        isNear: Bool = false,
        _ settings: SimulationSettings
    ) {
        self.found = found
        self.failure = failure
        self.passing = passing
        isPassingNear = isNear
        self.settings = settings
    }

    /// The run, made small where that was asked for.
    package var run: ExploredRun { found.run }
    /// The result of making it small, where that was asked for.
    package var shrunk: ShrunkFailure? { found.shrunk }

    /// The run for a replay file.
    /// - Parameter scenario: The name of the scenario.
    package func file(of scenario: String) -> ReplayFile {
        ReplayFile(test: scenario, run: run, settings: settings)
    }

    /// A report on the race: the two steps whose order decides, and the run beside the nearest passing one.
    ///
    /// Finding functions and lines takes about a second.
    /// - Parameters:
    ///   - scenario: The report's title.
    ///   - search: The search that found it; `nil` for a replay.
    ///   - replay: The line that repeats it.
    package func report(of scenario: String, _ search: RaceReport?, replay: String) -> FailureReport {
        let order = (failure?.records ?? []).isEmpty ? [] : ["", "What happened, in this order:"] + story
        return found.report(
            title: scenario,
            message: (findings + order).joined(separator: "\n"),
            kind: kind,
            replay: replay,
            exploration: search?.exploration
        )
    }

    /// What happened to events and windows, one line each.
    private var story: [String] {
        (failure?.records ?? []).compactMap { line in
            guard let record = try? JSONValue(parsing: line), let kind = record["kind"]?.stringValue,
                RecordKind(rawValue: kind)?.family != RecordKind.hostStarted.family
            else { return nil }
            let parts = [
                record["scene"]?.stringValue.map { "window \($0)" }, record["event"]?.stringValue, kind,
                record["verdict"]?.stringValue, record["outcome"]?.stringValue, record["reason"]?.stringValue,
                kind == RecordKind.sessionCommitted.rawValue ? "user \(record["user"]?.stringValue ?? "nobody")" : nil,
                record["stale"] == nil ? nil : "sign-in stale",
                record["revision"]?.integerValue.map { "revision \($0)" },
            ]
            return "  " + parts.compactMap { $0 }.joined(separator: " · ")
        }
    }

    /// The word that repeats it.
    package var code: ReplayCode { found.code }

    /// Whether it is the end that is wrong, in the very first order that was tried: perhaps what is expected is.
    /// - Parameter search: The search that found it; `nil` for a replay.
    package func isDoubtful(in search: RaceReport?) -> Bool {
        search?.exploration.firstFailure == 0 && failure?.kind == .end
    }

    /// What a person is told then.
    package static let doubt = "The very first order fails: perhaps what is expected is wrong."

    /// What went wrong, one line each; tasks that wait in a list. To find their lines may take a second.
    package var findings: [String] { failure?.findings ?? [run.ending()] }

    /// The kind of failure: that of ``RaceFailure``, or of the verdict.
    package var kind: String { failure.map { "\($0.kind)" } ?? run.verdict.kind }
}
