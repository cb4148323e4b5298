public import Interleaving
public import SceneRouting
internal import SceneRuntime

/// A search for an order of a scenario's events in which something is wrong.
public struct Race: Sendable {
    public let scenario: Scenario
    private let body: ScenarioBody
    /// Which jobs of one window or of the session may overtake each other.
    public let mailbox: MailboxPolicy

    /// How much is searched, and how.
    public struct Options: Sendable {
        /// How many schedules, at least 1.
        public var iterations: Int
        /// When to stop at the latest, in real time; `nil` is never.
        public var timeLimit: Duration?
        /// What all randomness comes from; `nil` makes one.
        public var seed: UInt64?
        public var strategy: StrategyName
        /// Whether a race is made as small as it can be.
        public var shrinks: Bool
        /// How many processes run orders at the same time; 0 is this one, which a run that traps ends.
        public var jobs: Int
        #if DEBUG
            /// A mistake that the runtime is to make, by the name of its `Fault`; one that is not known is none.
            public var fault: String?
            /// The mistakes that it can be told to make.
            public static var knownFaults: [String] { Fault.allCases.map(\.rawValue) }
        #endif

        public init(
            iterations: Int = 1_000,
            timeLimit: Duration? = nil,
            seed: UInt64? = nil,
            strategy: StrategyName = .portfolio,
            shrinks: Bool = false,
            jobs: Int = 0
        ) {
            self.iterations = iterations
            self.timeLimit = timeLimit
            self.seed = seed
            self.strategy = strategy
            self.shrinks = shrinks
            self.jobs = jobs
        }
    }

    /// - Throws: What is wrong with the app, which reading the scenario has ruled out.
    public init(_ scenario: Scenario, mailbox: MailboxPolicy = .fifo) throws(ManifestProblems) {
        self.scenario = scenario
        self.mailbox = mailbox
        body = try ScenarioBody(scenario)
    }

    private var settings: SimulationSettings { SimulationSettings(mailbox: mailbox) }

    /// What of the order counts: windows share the session, so in an exhaustive search every order is a class of its own.
    private var dependency: Dependency { .everything }

    /// Runs the scenario in many orders until one is wrong, all iterations are done, or every order was seen.
    /// - Throws: `ExplorationError` where this process cannot be explored.
    public func search(_ options: Options) async throws -> RaceReport {
        #if DEBUG
            return try await Fault.$injected.withValue(options.fault.flatMap(Fault.init)) {
                try await unbroken(options)
            }
        #else
            return try await unbroken(options)
        #endif
    }

    private func unbroken(_ options: Options) async throws -> RaceReport {
        var exploring = ExplorationOptions(
            iterations: options.iterations,
            timeLimit: options.timeLimit,
            seed: options.seed,
            strategy: options.strategy,
            settings: settings,
            workers: options.jobs
        )
        exploring.coverageDependency = dependency
        let exploration = try await explore(exploring, body: body.run)
        var found: FoundRace?
        if let failing = exploration.failure {
            found = try await self.found(failing, shrinks: options.shrinks)
        }
        return RaceReport(
            scenario: scenario.name,
            summary: scenario.summary,
            strategy: options.strategy,
            exploration: exploration,
            coverage: exploration.coverage ?? Coverage(dependency: dependency),
            found: found
        )
    }

    /// Runs the scenario once in a given order.
    /// - Parameter shrinks: Whether a race is made as small as it can be.
    /// - Returns: The run, and what was wrong if something was.
    public func replay(_ code: ReplayCode, shrinks: Bool = false) async throws -> (run: Run, found: FoundRace?) {
        let run = try await Interleaving.replay(
            code.schedule,
            seed: code.seed,
            settings: settings,
            body: body.run
        )
        guard run.verdict.isFailure else { return (run, nil) }
        if shrinks { return (run, try await found(run, shrinks: true)) }
        return (run, FoundRace(run, body.failure, settings))
    }

    #if DEBUG
        /// Runs the scenario once in a given order, with a mistake in the runtime, by the name of its `Fault`.
        public func replay(
            _ code: ReplayCode,
            shrinks: Bool,
            fault: String?
        ) async throws -> (run: Run, found: FoundRace?) {
            try await Fault.$injected.withValue(fault.flatMap(Fault.init)) {
                try await replay(code, shrinks: shrinks)
            }
        }
    #endif

    /// The failure once more, as small as asked, with the history that its run leaves.
    private func found(_ failing: Run, shrinks: Bool) async throws -> FoundRace {
        // A run that ends its process leaves nothing behind, and would end this one too.
        if failing.verdict.kind == "trapped" { return FoundRace(failing, nil, settings) }
        guard shrinks else {
            let (run, found) = try await replay(ReplayCode(seed: failing.seed, schedule: failing.schedule))
            return found ?? FoundRace(run, nil, settings)
        }
        let (body, settings) = (body, settings)
        let shrinker = Shrinker(dependency: dependency)
        return try await withRunner(settings, body: body.run) { runner in
            func trial(_ run: Run) -> Trial {
                let kind = run.verdict.isFailure ? body.failure.map { "\($0.kind)" } ?? run.verdict.kind : nil
                return Trial(steps: run.steps, failure: kind)
            }
            func run(_ strategy: any Strategy) -> Run {
                var strategy = strategy
                let verdict = runner.run(seed: failing.seed, strategy: &strategy)
                return Run(seed: failing.seed, strategy: strategy.name, steps: runner.steps, verdict: verdict)
            }
            let first = trial(runner.run(seed: failing.seed, schedule: failing.schedule))
            let shrunk = shrinker.shrink(first) { strategy, _ in trial(run(strategy)) }
            let passing = shrunk.passing.map { runner.run(seed: failing.seed, schedule: $0.schedule) }
            let last = runner.run(seed: failing.seed, schedule: shrunk.schedule)
            return FoundRace(last, body.failure, settings, shrunk: shrunk, passing: passing)
        }
    }
}
