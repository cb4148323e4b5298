extension ExplorationRunner {
    /// Makes a failing run small. A run that ends its process is repeated in forked processes.
    /// - Parameters:
    ///   - budget: The most runs to make; a quarter as many are added to confirm and compare.
    ///   - dependency: For which steps the order can make a difference; `nil` means ``StepDependency/unisolated(_:)``.
    ///   - isAskedToEnd: Asked before each run whether to be content with what was found.
    ///   - kind: What tells failures of runs in this process apart. Shrinking keeps only runs that fail in the same way.
    /// - Throws: ``ExplorationError`` if no process can be forked.
    package func shrink(
        _ failure: ExploredRun,
        budget: Int = 500,
        dependency: StepDependency? = nil,
        isAskedToEnd: @escaping @Sendable () -> Bool = { false },
        kind: @escaping (RunVerdict) -> String = \.cause
    ) throws(ExplorationError) -> ShrunkFailure {
        var shrinker = Shrinker(dependency: dependency ?? .unisolated(settings.mailbox), budget: budget)
        shrinker.isAskedToEnd = isAskedToEnd
        let isFatal = failure.endsItsProcess(with: settings)
        // Each trial would last as long.
        let limit = stallLimit
        if failure.verdict.kind == "blocked" {
            shrinker = Shrinker(dependency: shrinker.dependency, budget: 1)
            stallLimit = limit / 5
        }
        defer { stallLimit = limit }
        var first = failure.verdict.cause
        // Another process may have found and judged it. What trapped here before may have left a lock, so that it fails otherwise
        // now.
        let hasTrapped = failure.verdict.isFatal
        if !hasTrapped, case let verdict = run(seed: failure.seed, schedule: failure.schedule).verdict,
            verdict.isFailure
        {
            first = kind(verdict)
        }
        let trial = Trial(steps: failure.steps, failure: first)
        return try shrinker.shrink(trial) { [self] strategy, _ throws(ExplorationError) in
            if isFatal {
                let run = try runApart(seed: failure.seed, strategy: strategy)
                return Trial(steps: run.steps, failure: run.verdict.isFailure ? run.verdict.cause : nil)
            }
            var strategy = strategy
            strategy.begin(seed: failure.seed, length: max(1, failure.steps.count))
            let verdict = run(seed: failure.seed, strategy: &strategy)
            strategy.end(log.span, accesses)
            return Trial(
                steps: steps,
                accesses: accesses,
                failure: verdict.isFailure ? (hasTrapped ? verdict.cause : kind(verdict)) : nil
            )
        }
    }

    /// Repeats a failing run, so that what it leaves behind in this process can be examined. A run that ends its process is repeated in a
    /// forked process, and leaves nothing behind.
    /// - Parameters:
    ///   - shrinks: Whether to make it small first, as ``shrink(_:budget:dependency:isAskedToEnd:kind:)`` does with the other parameters.
    /// - Throws: ``ExplorationError`` if no process can be forked.
    package func again(
        _ failure: ExploredRun,
        shrinks: Bool = true,
        budget: Int = 500,
        dependency: StepDependency? = nil,
        isAskedToEnd: @escaping @Sendable () -> Bool = { false },
        kind: @escaping (RunVerdict) -> String = \.cause
    ) throws(ExplorationError) -> FoundFailure {
        let isFatal = failure.endsItsProcess(with: settings)
        var shrunk: ShrunkFailure?
        if shrinks {
            shrunk = try shrink(
                failure,
                budget: budget,
                dependency: dependency,
                isAskedToEnd: isAskedToEnd,
                kind: kind
            )
        }
        var passing: ExploredRun?
        if let nearest = shrunk?.passing { passing = try again(nearest.schedule, failure) }
        // Last, so that what is left behind is its own.
        let last = isFatal && !shrinks ? failure : try again(shrunk?.schedule ?? failure.schedule, failure)
        return FoundFailure(run: last, shrunk: shrunk, passing: passing, ranApart: isFatal)
    }

    /// Makes the failure of an exploration small, and says what decides.
    /// - Parameters:
    ///   - failure: The run that failed.
    ///   - exploration: The exploration that found it.
    ///   - title: The name of the test, or of what else was explored.
    ///   - budget: The most runs to make; a quarter as many are added to confirm and compare.
    ///   - replay: Turns a replay code into the line that a person types to repeat the run.
    /// - Throws: ``ExplorationError``, such as ``ExplorationError/otherSteps(_:_:)`` if the runner's settings are not those of the exploration.
    public func report(
        on failure: ExploredRun,
        of exploration: Exploration,
        title: String,
        budget: Int = 500,
        replay: (ReplayCode) -> String
    ) throws(ExplorationError) -> FailureReport {
        try failure.code.requireSteps(of: settings)
        let found = try again(failure, budget: budget)
        // One that trapped may have left a lock in this process, so that its repetition ends otherwise.
        let isAlike = !failure.verdict.isFatal || found.run.verdict.cause == failure.verdict.cause
        return found.report(
            title: title,
            message: (found.run.verdict.isFailure && isAlike ? found.run : failure).ending(),
            replay: replay(found.code),
            exploration: exploration
        )
    }

    private func again(_ schedule: RunSchedule, _ failure: ExploredRun) throws(ExplorationError) -> ExploredRun {
        failure.endsItsProcess(with: settings)
            ? try runApart(seed: failure.seed, strategy: Replay(schedule)) : run(seed: failure.seed, schedule: schedule)
    }
}

extension RunVerdict {
    /// Whether a run with this verdict ends its process where it cannot be left: where jobs run whole.
    public var isFatal: Bool {
        switch self {
        case .trapped, .doubleResume, .blocked: true
        case .passed, .failed, .deadlock, .lostContinuation, .livelock, .taskLeak, .escaped: false
        }
    }
}

extension FailureReport {
    /// The text of the report, shortened in the middle to fewer than 60 lines where it has more.
    public var summary: String {
        let lines = text().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 60 else { return lines.joined(separator: "\n") }
        // What to do, its title, and the line end after it.
        let last = advice.lines.count + 2
        return (lines.prefix(50) + ["  … and \(lines.count - 50 - last) more lines"] + lines.suffix(last))
            .joined(separator: "\n")
    }
}
