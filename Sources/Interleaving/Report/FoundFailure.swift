/// A failing run, repeated as it was or made small, with everything that a report says about it.
package struct FoundFailure: Sendable {
    /// The run to show: the small one, if it was made small.
    package let run: ExploredRun
    /// The result of making it small, where that was asked for.
    package let shrunk: ShrunkFailure?
    /// The nearest passing run, where it was made small and one was found.
    package let passing: ExploredRun?
    /// Whether ``run`` was made in a forked process, because it ends its process. Then it left nothing behind in this one.
    package let ranApart: Bool

    /// The word that repeats it.
    package var code: ReplayCode {
        ReplayCode(seed: run.seed, schedule: shrunk?.schedule ?? run.schedule, granularity: run.granularity)
    }

    /// The report about it. Finding functions and lines takes about a second.
    /// - Parameters:
    ///   - title: The name of the test, or of what else was explored.
    ///   - message: What failed, in one line or several.
    ///   - kind: The kind of failure; used only if it was not made small.
    ///   - replay: The line that a person types to repeat it.
    ///   - exploration: The exploration that found it; `nil` for a replay.
    package func report(
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
                    confirmation: .notTried
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
