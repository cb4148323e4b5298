/// A failing run once more, as it was or made small: all that a report says of it.
public struct FoundFailure: Sendable {
    /// The run that is shown: of one that was made small, what is left.
    public let run: Run
    /// How it was made small, where that was asked for.
    public let shrunk: ShrunkFailure?
    /// The run nearest to it that passes, where it was made small and there is one.
    public let passing: Run?
    /// Whether ``run`` was in a process of its own, because it ends its process; so nothing in this one is left of it.
    public let ranApart: Bool

    /// What runs it again.
    public var code: ReplayCode { ReplayCode(seed: run.seed, schedule: shrunk?.schedule ?? run.schedule) }

    /// The failure as people need it. To find out functions and lines takes a second or so.
    /// - Parameters:
    ///   - title: The name of the test, or of what else was explored.
    ///   - message: What failed; may have several lines.
    ///   - kind: What kind of failure it is, where it was not made small.
    ///   - replay: What a person types to have it again.
    ///   - exploration: How it was found; `nil` for a replay.
    public func report(
        title: String,
        message: String,
        kind: String? = nil,
        replay: String,
        exploration: Exploration?
    ) -> FailureReport {
        FailureReport(
            title: title,
            message: message,
            replay: replay,
            failure: shrunk
                ?? ShrunkFailure(
                    kind: kind ?? run.verdict.kind,
                    steps: run.steps,
                    schedule: run.schedule,
                    original: run.steps,
                    confirmation: .notReproduced
                ),
            labels: run.labels(),
            passingLabels: passing?.labels() ?? [],
            origin: exploration.flatMap { exploration in
                exploration.failure.map { first in
                    FailureReport.Origin(
                        strategy: first.strategy,
                        seed: exploration.seed,
                        run: (exploration.firstFailure ?? 0) + 1
                    )
                }
            },
            coverage: exploration?.coverage
        )
    }
}
