extension Runner {
    /// Makes a failing run small. One that trapped is run again in processes of its own.
    /// - Parameter budget: The most runs to make, and a quarter more to confirm and compare.
    /// - Throws: ``ExplorationError``, for want of a process.
    public func shrink(_ failure: Run, budget: Int = 500) throws(ExplorationError) -> ShrunkFailure {
        let shrinker = Shrinker(dependency: .unisolated(settings.mailbox), budget: budget)
        let isFatal = failure.verdict.isFatal
        return try shrinker.shrink(Trial(failure)) { [self] strategy, _ throws(ExplorationError) in
            if isFatal { return Trial(try runApart(seed: failure.seed, strategy: strategy)) }
            var strategy = strategy
            strategy.begin(seed: failure.seed, length: max(1, failure.steps.count))
            let verdict = run(seed: failure.seed, strategy: &strategy)
            strategy.end(log.span)
            return Trial(steps: steps, failure: verdict.isFailure ? verdict.kind : nil)
        }
    }

    /// Makes the failure of an exploration small, and says what decides.
    /// - Parameters:
    ///   - title: The name of the test, or of what else was explored.
    ///   - replay: Makes of a run in one word what a person types to have it again.
    /// - Throws: ``ExplorationError``, for want of a process.
    public func report(
        on failure: Run,
        of exploration: Exploration,
        title: String,
        budget: Int = 500,
        replay: (ReplayCode) -> String
    ) throws(ExplorationError) -> FailureReport {
        let shrunk = try shrink(failure, budget: budget)
        let last = try again(shrunk.schedule, failure)
        var passing: Run?
        if let nearest = shrunk.passing { passing = try again(nearest.schedule, failure) }
        return FailureReport(
            title: title,
            message: last.verdict.isFailure ? last.verdict.description : failure.verdict.description,
            replay: replay(ReplayCode(seed: failure.seed, schedule: shrunk.schedule)),
            failure: shrunk,
            labels: last.labels(),
            passingLabels: passing?.labels() ?? [],
            origin: FailureReport.Origin(
                strategy: failure.strategy,
                seed: exploration.seed,
                run: (exploration.firstFailure ?? 0) + 1
            ),
            coverage: exploration.coverage
        )
    }

    private func again(_ schedule: Schedule, _ failure: Run) throws(ExplorationError) -> Run {
        failure.verdict.isFatal
            ? try runApart(seed: failure.seed, strategy: Replay(schedule)) : run(seed: failure.seed, schedule: schedule)
    }
}

extension Trial {
    init(_ run: Run) {
        self.init(steps: run.steps, failure: run.verdict.isFailure ? run.verdict.kind : nil)
    }
}

extension Verdict {
    /// Whether a run that ends so ends its process.
    var isFatal: Bool {
        switch self {
        case .trapped, .doubleResume: true
        case .passed, .failed, .deadlock, .lostContinuation, .livelock, .taskLeak, .escaped: false
        }
    }
}

extension FailureReport {
    /// The report for where there is not much room: without the runs beside each other if they are long.
    public var summary: String {
        let lines = text().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 60 else { return lines.joined(separator: "\n") }
        return (lines.prefix(50) + ["  … and \(lines.count - 53) lines more"] + lines.suffix(3)).joined(separator: "\n")
    }
}
