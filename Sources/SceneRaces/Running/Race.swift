package import Interleaving
package import SceneEntryPoints
package import SceneRouting
package import SceneRuntime

/// A search for an order of a scenario's events in which something is wrong.
package struct Race: Sendable {
    /// What is run.
    package let scenario: Scenario
    let body: ScenarioBody
    /// Whether code in Swift runs, which may trap.
    let hasCode: Bool
    /// Which jobs of a window, or of the session, may overtake each other.
    package let mailbox: MailboxPolicy

    /// How much to search, and how.
    package struct Options: Sendable {
        /// How many orders to run, at least 1.
        package var iterations: Int
        /// How long to search at most, in real time; `nil` sets no limit.
        package var timeLimit: Duration?
        /// The seed of all randomness; `nil` draws one.
        package var seed: UInt64?
        /// The strategy that chooses the orders.
        package var strategy: StrategyName
        /// Where a step of an order may end, so that others come in between: whole jobs, as the windows are judged by their records, unless asked
        /// for more.
        package var granularity = SimulationSettings.Granularity.jobs
        /// Whether to make a race as small as possible.
        package var shrinks: Bool
        /// How many worker processes run orders; 0 means that this process does, which a run that traps ends.
        package var jobs: Int
        /// How many orders, spread evenly, are repeated to check that the app depends on nothing but the seed.
        package var determinismChecks: Int
        /// Whether to count how runs end, and to go on for that after a race was found, to at most ``maxSurveyed`` orders. Where code in
        /// Swift runs in this process, or a run has ended its own, the search does not go on.
        package var countsEnds = false
        /// Asked between runs whether to end with what was found so far.
        package var isAskedToEnd: @Sendable () -> Bool = { false }

        /// How many orders are run at most to count their ends when a race was found before.
        package static let maxSurveyed = 1_000
        /// How long that takes at most, in real time.
        package static let longestSurvey = Duration.seconds(120)

        package init(
            iterations: Int = 1_000,
            timeLimit: Duration? = nil,
            seed: UInt64? = nil,
            strategy: StrategyName = .portfolio,
            shrinks: Bool = false,
            jobs: Int = 0,
            determinismChecks: Int = 10
        ) {
            self.iterations = iterations
            self.timeLimit = timeLimit
            self.seed = seed
            self.strategy = strategy
            self.shrinks = shrinks
            self.jobs = jobs
            self.determinismChecks = determinismChecks
        }
    }

    /// - Parameters:
    ///   - mailbox: Which jobs of a window, or of the session, may overtake each other.
    ///   - code: What the app has in Swift besides its adapters. It is asked for once for each run.
    ///   - adapters: Adapters in Swift, in addition to those that the manifest declares.
    /// - Throws: What is wrong with the app or does not fit its code; never for a scenario that was read, if there is no code.
    package init(
        _ scenario: Scenario,
        mailbox: MailboxPolicy = .fifo,
        code: @escaping @Sendable () -> AppCode = { AppCode() },
        adapters: [any EntryPointAdapter] = []
    ) throws(ManifestProblems) {
        self.scenario = scenario
        self.mailbox = mailbox
        hasCode = !code().isEmpty || !adapters.isEmpty
        body = try ScenarioBody(scenario, code: code, adapters: adapters)
    }

    /// How far the runs of this process have come. Any thread may ask.
    package var progress: RaceProgress { body.progress }

    func settings(_ granularity: SimulationSettings.Granularity = .jobs) -> SimulationSettings {
        var settings = SimulationSettings(mailbox: mailbox, granularity: granularity)
        // What a search says names whole steps as what was not searched within.
        settings.takesJobsWhole = true
        return settings
    }

    /// Every order is a class, because windows share the session.
    private var dependency: StepDependency { .everything }

    /// Runs the scenario in many orders until one goes wrong, all iterations are done, or every order was seen.
    /// - Throws: `ExplorationError` if this process cannot be explored.
    package func search(_ options: Options) async throws -> RaceReport {
        var exploring = exploring(options)
        let exploration = try await explore(exploring, body: body.run)
        var survey = options.countsEnds ? exploration : nil
        if let failing = exploration.failure {
            // What traps or blocks would do so in every other order, too, and each costs a process, or seconds. Here it would end this one.
            if options.countsEnds, exploration.runs < Options.maxSurveyed, !exploration.wasEnded,
                !failing.verdict.isFatal, options.jobs > 0 || !hasCode
            {
                exploring.seed = exploration.seed
                exploring.iterations = min(options.iterations, Options.maxSurveyed)
                exploring.continuesAfterFailure = true
                exploring.determinismChecks = 0
                exploring.timeLimit = Options.longestSurvey
                survey = try await explore(exploring, body: body.run)
            }
        }
        var report = try await report(options, exploration, survey: survey)
        report.planned = options.iterations
        report.note(options.timeLimit)
        return report
    }

    /// How the explorer makes such a search.
    func exploring(_ options: Options) -> ExplorationOptions {
        var exploring = ExplorationOptions(
            iterations: options.iterations,
            timeLimit: options.timeLimit,
            seed: options.seed,
            // Windows share the session, and all that the runtime shares reports its accesses.
            strategy: options.strategy == .exhaustive(preemptions: nil) ? .exhaustiveReported : options.strategy,
            settings: settings(options.granularity),
            determinismChecks: options.determinismChecks,
            workers: options.jobs
        )
        exploring.coverageDependency = dependency
        // It tries the orders of the same run in turn; so the run has the same times each time.
        if options.strategy.isExhaustive { exploring.dataSeed = options.seed ?? 1 }
        exploring.isAskedToEnd = options.isAskedToEnd
        if options.countsEnds {
            exploring.end = { [body] in Self.end(of: body, $0) }
        }
        return exploring
    }

    /// What a search has found; the race is made small if asked.
    /// - Parameter strategy: That by which it was found, if not by that of the options.
    func report(
        _ options: Options,
        _ exploration: Exploration,
        survey: Exploration?,
        by strategy: StrategyName? = nil
    ) async throws -> RaceReport {
        var found: FoundRace?
        if let failing = exploration.failure {
            let passing = survey?.ends.all.first { !$0.isFailure }?.code
            found = try await self.found(failing, shrinks: options.shrinks, passing: passing, options.isAskedToEnd)
        }
        return RaceReport(
            scenario: scenario.name,
            summary: scenario.summary,
            strategy: strategy ?? options.strategy,
            granularity: options.granularity,
            exploration: exploration,
            coverage: exploration.coverage ?? ExplorationCoverage(dependency: dependency),
            survey: survey,
            expectedEnds: scenario.expectations.count,
            found: found
        )
    }

    /// How the latest run ended, in words.
    static func end(of body: ScenarioBody, _ verdict: RunVerdict) -> String {
        let why =
            body.failure.map { $0.kind == .end ? nil : "\($0.kind)" } ?? (verdict.isFailure ? "\(verdict)" : nil)
        let marks = verdict.isFailure ? nil : body.end?.marks
        return EndOfRun.text((why.map { [$0] } ?? marks ?? []) + (body.end?.lines ?? []))
    }

    /// Runs the scenario once in a given order.
    /// - Parameters:
    ///   - shrinks: Whether to make a race as small as possible.
    ///   - inWorker: Whether to run it in a forked process first, so that a run that traps does not end this process.
    ///   - isAskedToEnd: Asked between runs whether to make it no smaller.
    /// - Returns: The run; the race if it went wrong, else how it ended and its history.
    /// - Throws: `ExplorationError` if this process cannot be explored.
    package func replay(
        _ code: ReplayCode,
        shrinks: Bool = false,
        inWorker: Bool = false,
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) async throws -> (run: ExploredRun, found: FoundRace?, passed: PassedRun?) {
        let settings = settings(code.granularity)
        try code.requireSteps(of: settings)
        let body = body
        let (run, passed): (ExploredRun, PassedRun?) = try await withExplorationRunner(settings, body: body.run) {
            runner in
            if inWorker {
                let run = try runner.runApart(seed: code.seed, strategy: Replay(code.schedule))
                if run.verdict.isFatal { return (run, nil) }
            }
            let run = runner.run(seed: code.seed, schedule: code.schedule)
            guard !run.verdict.isFailure else { return (run, nil) }
            return (run, PassedRun(end: Self.end(of: body, run.verdict), records: body.history))
        }
        return (run, passed == nil ? try await found(run, shrinks: shrinks, isAskedToEnd) : nil, passed)
    }

    /// Repeats a failure, small if asked, to get the history that its run leaves behind.
    /// - Parameter passing: An order that passes, to be shown if none is found near the failure.
    private func found(
        _ failing: ExploredRun,
        shrinks: Bool,
        passing known: ReplayCode? = nil,
        _ isAskedToEnd: @escaping @Sendable () -> Bool
    ) async throws -> FoundRace {
        let (body, settings, dependency) = (body, settings(failing.granularity), dependency)
        return try await withExplorationRunner(settings, body: body.run) { runner in
            let again = try runner.again(
                failing,
                shrinks: shrinks,
                budget: 2_000,
                dependency: dependency,
                isAskedToEnd: isAskedToEnd
            ) { verdict in
                body.failure.map { "\($0.kind)" } ?? verdict.kind
            }
            guard !again.ranApart else { return FoundRace(again, nil, settings) }
            let failure = body.failure
            var passing: [String] = []
            var isNear = false
            if let nearest = again.shrunk?.passing {
                _ = runner.run(seed: failing.seed, schedule: nearest.schedule)
                passing = body.history
                isNear = true
            } else if let known {
                _ = runner.run(seed: known.seed, schedule: known.schedule)
                passing = body.history
            }
            return FoundRace(again, failure, passing: passing, isNear: isNear, settings)
        }
    }
}

/// A run in which nothing went wrong.
package struct PassedRun: Sendable {
    /// How it ended, one line for each thing there is to say.
    package let end: String
    /// Its history, one record each, as JSON.
    package let records: [String]
}
