/// How much is explored, and how.
public struct ExplorationOptions: Sendable {
    /// How many runs, at least 1.
    public var iterations: Int
    /// When to stop at the latest, in real time; nil is never.
    public var timeLimit: Duration?
    /// What all randomness comes from: data and schedules. nil is a new one, which the result names.
    public var seed: UInt64?
    /// Who chooses, by name. The first run is first-in-first-out whatever it is, for the expected length of a run.
    public var strategyName: StrategyName
    /// Who chooses instead of the one that is named; nil is nobody else.
    public var strategy: (any Strategy)?
    /// What is the same in every run.
    public var settings: SimulationSettings
    /// Whether to go on after a failure, which counts failures and leaks the tasks of deadlocks.
    public var continuesAfterFailure: Bool
    /// How many runs, spread evenly, run a second time to see whether they do the same.
    public var determinismChecks: Int
    /// Whether to count classes of schedules.
    public var measuresCoverage: Bool
    /// Which steps coverage takes as dependent; nil is ``Dependency/unisolated(_:)``.
    public var coverageDependency: Dependency?
    /// How many processes make the runs; 0 is this one. They are forked from this process, so that a run that traps ends only
    /// a worker and is a failure like others. What is found does not depend on their number, but for the time limit.
    ///
    /// A fork has none of the threads of its process, and for ever the locks that they held. So use workers where nothing else
    /// goes on, as in a command, not among tests that run at the same time. What a body leaves behind in memory stays in the
    /// worker, and the observer is called there.
    public var workers: Int
    /// For how long a worker may make no step before it is ended, as blocked by its body.
    public var stallLimit: Duration
    /// Told of every run, on the thread of the simulation: its number, its steps and its verdict.
    public var observer: (@Sendable (Int, Span<Step>, Verdict) -> Void)?

    public init(
        iterations: Int = 1_000,
        timeLimit: Duration? = nil,
        seed: UInt64? = nil,
        strategy: StrategyName = .portfolio,
        settings: SimulationSettings = SimulationSettings(),
        continuesAfterFailure: Bool = false,
        determinismChecks: Int = 10,
        measuresCoverage: Bool = true,
        workers: Int = 0,
        stallLimit: Duration = .seconds(10),
        observer: (@Sendable (Int, Span<Step>, Verdict) -> Void)? = nil
    ) {
        self.iterations = max(1, iterations)
        self.timeLimit = timeLimit
        self.seed = seed
        strategyName = strategy
        self.settings = settings
        self.continuesAfterFailure = continuesAfterFailure
        self.determinismChecks = determinismChecks
        self.measuresCoverage = measuresCoverage
        self.workers = max(0, min(workers, Self.maxWorkers))
        self.stallLimit = stallLimit
        self.observer = observer
    }

    /// With a strategy of one's own.
    public init(
        iterations: Int = 1_000,
        timeLimit: Duration? = nil,
        seed: UInt64? = nil,
        strategy: any Strategy,
        settings: SimulationSettings = SimulationSettings(),
        continuesAfterFailure: Bool = false,
        determinismChecks: Int = 10,
        observer: (@Sendable (Int, Span<Step>, Verdict) -> Void)? = nil
    ) {
        self.init(
            iterations: iterations,
            timeLimit: timeLimit,
            seed: seed,
            settings: settings,
            continuesAfterFailure: continuesAfterFailure,
            determinismChecks: determinismChecks,
            observer: observer
        )
        self.strategy = strategy
    }

    /// The most processes; more than that are no gain on any machine.
    public static let maxWorkers = 256
}
