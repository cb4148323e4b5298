extension Runner {
    /// Runs the body in many orders, as ``explore(_:body:)`` does.
    public func explore(_ options: ExplorationOptions) throws -> Exploration {
        let clock = ContinuousClock()
        let start = clock.now
        let seed = options.seed ?? UInt64.random(in: 1...UInt64.max)
        let plan = Plan(options, seed: seed, deadline: options.timeLimit.map { start + $0 })
        var exploration =
            options.workers == 0 ? try explore(plan, share: .whole) : try exploreInWorkers(plan, count: options.workers)
        exploration.duration = clock.now - start
        return exploration
    }

    /// Makes a part of the runs of an exploration.
    /// - Parameters:
    ///   - limit: Told of a run that failed; says before which run to stop because an earlier one did.
    ///   - report: Told now and then what was found since the last time, and before which run; nil is never.
    /// - Returns: What was found and not reported yet.
    func explore(
        _ plan: Plan,
        share: Share,
        limit: (_ failed: Int?) -> Int = { $0 ?? .max },
        report: ((_ found: Exploration, _ next: Int) -> Void)? = nil
    ) throws -> Exploration {
        let options = plan.options
        var exploration = plan.exploration(settings)
        var strategy = plan.strategy(settings)
        var length = 1
        var stop = Int.max
        for iteration in 0..<options.iterations where share.includes(iteration) {
            if iteration % 64 == share.index { stop = options.continuesAfterFailure ? .max : limit(nil) }
            if iteration >= stop { break }
            if let report, exploration.runs >= 512 {
                report(exploration, iteration)
                exploration = plan.exploration(settings)
            }
            if let deadline = plan.deadline, iteration % 16 == share.index % 16, ContinuousClock.now >= deadline {
                break
            }

            let seed = plan.seed(of: iteration)
            let isBaseline = iteration == 0
            var baseline: any Strategy = FirstInFirstOut()
            if !isBaseline {
                strategy.next(run: iteration)
                strategy.begin(seed: mix(seed, 1), length: length)
            }
            let verdict =
                isBaseline
                ? run(seed: seed, strategy: &baseline, iteration: iteration)
                : run(seed: seed, strategy: &strategy, iteration: iteration)
            if !isBaseline { strategy.end(log.span) }
            if iteration <= firstRuns { length = max(length, log.count) }
            if share.contains(iteration) {
                exploration.count(iteration, log.span, verdict)
                options.observer?(iteration, log.span, verdict)
                if verdict.isFailure {
                    let name = (isBaseline ? baseline : strategy).memberName
                    if exploration.failure == nil {
                        exploration.failure = lastRun(seed: seed, strategy: name, verdict)
                    }
                    if !options.continuesAfterFailure { stop = limit(iteration) }
                }
                if plan.isChecked(iteration) { try checkDeterminism(seed: seed, iteration: iteration) }
                if verdict.isFailure, !options.continuesAfterFailure { break }
            }
            if !isBaseline, strategy.isExhausted { break }
        }
        if let search = strategy as? ExhaustiveSearch {
            exploration.isComplete = search.isComplete
            exploration.summary = search.summary
        } else {
            exploration.isComplete = strategy.isExhausted
        }
        if exploration.isComplete, unseenHops > 0 {
            exploration.isComplete = false
            exploration.summary =
                "not complete: the body goes over to default actors, where what comes in between is not explored; give them a SimulatedExecutor"
        }
        return exploration
    }

    /// Runs what ran last once more, and compares.
    private func checkDeterminism(seed: UInt64, iteration: Int) throws {
        let first = steps
        var strategy: any Strategy = Replay(Schedule(following: first))
        strategy.begin(seed: seed, length: first.count)
        _ = run(seed: seed, strategy: &strategy, iteration: iteration)
        if let difference = Difference(first, steps) {
            throw ExplorationError.nondeterministic(difference)
        }
    }
}

extension Strategy {
    /// The name of the one of several that the last run followed, or its own.
    fileprivate var memberName: String {
        if let injection = self as? FaultInjection { return injection.base.memberName }
        return (self as? Portfolio)?.member ?? name
    }
}

/// What all processes of an exploration agree on.
struct Plan: Sendable {
    let options: ExplorationOptions
    let seed: UInt64
    let deadline: ContinuousClock.Instant?
    /// Every so-manieth run runs twice; 0 is none.
    private let checked: Int

    init(_ options: ExplorationOptions, seed: UInt64, deadline: ContinuousClock.Instant?) {
        self.options = options
        self.seed = seed
        self.deadline = deadline
        checked = options.determinismChecks > 0 ? max(1, options.iterations / options.determinismChecks) : 0
    }

    func strategy(_ settings: SimulationSettings) -> any Strategy {
        if let strategy = options.strategy { return strategy }
        let strategy = options.strategyName.strategy(mailboxes: settings.mailbox)
        // An exhaustive search tries each fault everywhere, and one that takes what came first takes none.
        if settings.faults.isEmpty || strategy is ExhaustiveSearch || strategy is FirstInFirstOut { return strategy }
        return FaultInjection(strategy, limit: settings.faults.limit)
    }

    /// Nothing yet.
    func exploration(_ settings: SimulationSettings) -> Exploration {
        var exploration = Exploration(seed: seed)
        if options.measuresCoverage {
            exploration.coverage = Coverage(dependency: options.coverageDependency ?? .unisolated(settings.mailbox))
        }
        return exploration
    }

    /// What the data of a run comes from.
    func seed(of iteration: Int) -> UInt64 { mix(seed, UInt64(iteration)) }

    func isChecked(_ iteration: Int) -> Bool { checked > 0 && iteration % checked == 0 }
}
