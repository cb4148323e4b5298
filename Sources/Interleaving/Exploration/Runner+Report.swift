extension Runner {
    /// Makes a failing run small. One that ends its process is run in processes of its own.
    /// - Parameters:
    ///   - budget: The most runs to make, and a quarter more to confirm and compare.
    ///   - dependency: Which steps' order can make a difference; `nil` for what the simulation knows of actors.
    ///   - kind: What kind of failure the run is that has just failed in this process; shrinking keeps to one.
    /// - Throws: ``ExplorationError``, for want of a process.
    public func shrink(
        _ failure: Run,
        budget: Int = 500,
        dependency: Dependency? = nil,
        kind: @escaping (Verdict) -> String = \.kind
    ) throws(ExplorationError) -> ShrunkFailure {
        let shrinker = Shrinker(dependency: dependency ?? .unisolated(settings.mailbox), budget: budget)
        let isFatal = failure.verdict.isFatal
        var first = failure.verdict.kind
        // Where it was found it may have been judged by another process.
        if !isFatal, case let verdict = run(seed: failure.seed, schedule: failure.schedule).verdict, verdict.isFailure {
            first = kind(verdict)
        }
        let trial = Trial(steps: failure.steps, failure: first)
        return try shrinker.shrink(trial) { [self] strategy, _ throws(ExplorationError) in
            if isFatal {
                let run = try runApart(seed: failure.seed, strategy: strategy)
                return Trial(steps: run.steps, failure: run.verdict.isFailure ? run.verdict.kind : nil)
            }
            var strategy = strategy
            strategy.begin(seed: failure.seed, length: max(1, failure.steps.count))
            let verdict = run(seed: failure.seed, strategy: &strategy)
            strategy.end(log.span)
            return Trial(steps: steps, failure: verdict.isFailure ? kind(verdict) : nil)
        }
    }

    /// Runs a failing run again, so that what it leaves behind is there to be looked at. One that ends its process is run in
    /// processes of its own only, and leaves nothing behind.
    /// - Parameters:
    ///   - shrinks: Whether it is made small first, as ``shrink(_:budget:dependency:kind:)`` does with the other parameters.
    /// - Throws: ``ExplorationError``, for want of a process.
    public func again(
        _ failure: Run,
        shrinks: Bool = true,
        budget: Int = 500,
        dependency: Dependency? = nil,
        kind: @escaping (Verdict) -> String = \.kind
    ) throws(ExplorationError) -> FoundFailure {
        let isFatal = failure.verdict.isFatal
        var shrunk: ShrunkFailure?
        if shrinks { shrunk = try shrink(failure, budget: budget, dependency: dependency, kind: kind) }
        var passing: Run?
        if let nearest = shrunk?.passing { passing = try again(nearest.schedule, failure) }
        // Last, so that it is what is left.
        let last = isFatal && !shrinks ? failure : try again(shrunk?.schedule ?? failure.schedule, failure)
        return FoundFailure(run: last, shrunk: shrunk, passing: passing, ranApart: isFatal)
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
        let found = try again(failure, budget: budget)
        let verdict = found.run.verdict.isFailure ? found.run.verdict : failure.verdict
        return found.report(
            title: title,
            message: verdict.description,
            replay: replay(found.code),
            exploration: exploration
        )
    }

    private func again(_ schedule: Schedule, _ failure: Run) throws(ExplorationError) -> Run {
        failure.verdict.isFatal
            ? try runApart(seed: failure.seed, strategy: Replay(schedule)) : run(seed: failure.seed, schedule: schedule)
    }
}

extension Verdict {
    /// Whether a run that ends so ends its process.
    public var isFatal: Bool {
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
