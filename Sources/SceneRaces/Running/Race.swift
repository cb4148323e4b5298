public import Interleaving
package import SceneEntryPoints
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
        try self.init(scenario, mailbox: mailbox, adapters: [])
    }

    /// With adapters in Swift, besides those that the manifest declares.
    package init(
        _ scenario: Scenario,
        mailbox: MailboxPolicy = .fifo,
        adapters: [any EntryPointAdapter]
    ) throws(ManifestProblems) {
        self.scenario = scenario
        self.mailbox = mailbox
        body = try ScenarioBody(scenario, adapters: adapters)
    }

    private var settings: SimulationSettings { SimulationSettings(mailbox: mailbox) }

    /// What of the order counts: windows share the session, so in an exhaustive search every order is a class of its own.
    private var dependency: Dependency { .everything }

    /// Runs the scenario in many orders until one is wrong, all iterations are done, or every order was seen.
    /// - Throws: `ExplorationError` where this process cannot be explored.
    public func search(_ options: Options) async throws -> RaceReport {
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
        return (run, run.verdict.isFailure ? try await found(run, shrinks: shrinks) : nil)
    }

    /// The failure once more, as small as asked, with the history that its run leaves.
    private func found(_ failing: Run, shrinks: Bool) async throws -> FoundRace {
        let (body, settings, dependency) = (body, settings, dependency)
        return try await withRunner(settings, body: body.run) { runner in
            let again = try runner.again(failing, shrinks: shrinks, budget: 2_000, dependency: dependency) { verdict in
                body.failure.map { "\($0.kind)" } ?? verdict.kind
            }
            return FoundRace(again, again.ranApart ? nil : body.failure, settings)
        }
    }
}
