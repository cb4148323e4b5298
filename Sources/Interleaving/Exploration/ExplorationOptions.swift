/// How much to explore, and how.
public struct ExplorationOptions: Sendable {
    /// How many runs to make, at least 1.
    public var iterations: Int
    /// How long to go on at most, in real time; nil sets no limit.
    public var timeLimit: Duration?
    /// The seed of all randomness, of data and schedules; nil draws one, which ``Exploration/seed`` names.
    public var seed: UInt64?
    /// The strategy, by name. The first run is always first in, first out; it shows how long a run is.
    public var strategyName: StrategyName
    /// Your own strategy, used instead of the named one; nil by default.
    public var strategy: (any ExplorationStrategy)?
    /// What is the same in every run.
    public var settings: SimulationSettings
    /// Whether to go on after a failure, to count failures. Each deadlock leaks its tasks.
    public var continuesAfterFailure: Bool
    /// How many runs, spread evenly, are repeated to check that the body is deterministic.
    public var determinismChecks: Int
    /// Whether to count classes of schedules.
    public var measuresCoverage: Bool
    /// Which steps count as dependent for coverage; nil means ``StepDependency/unisolated(_:)``.
    public var coverageDependency: StepDependency?
    /// How many forked processes make the runs, 0 to ``maxWorkers``; 0 means that this process makes them. A run that traps ends only
    /// its worker and counts as a failure. What is found does not depend on the number of workers, unless the time limit ends the search.
    ///
    /// A fork has only one thread, and the locks that other threads held stay locked in it for ever. So use workers where nothing else
    /// runs, such as in a command, and not among tests that run at the same time. What a body leaves behind in memory stays in the
    /// worker, and the observer is called there.
    public var workers: Int
    /// How long a step may last, in real time. A run whose step lasts longer is left, and is ``RunVerdict/blocked(_:)``; a worker is ended, its
    /// run made again, if there is time, and it counts as blocked if that makes no step again.
    public var stallLimit: Duration
    /// The seed of the data of every run, where each must have the same; nil gives each its own.
    package var dataSeed: UInt64?
    /// Which of the runs are made, where several machines share them; all by default. Strategies that learn from their runs, such as exhaustive
    /// ones, cannot be shared.
    package var part = ExplorationPart.whole
    /// Asked between runs, by the process that explores and also while others make the runs, whether to end with what was found so far.
    package var isAskedToEnd: @Sendable () -> Bool = { false }
    /// Says how the run ended that was just made, in the process that made it, at most ``ExploredEnds/maxKept`` different ones; ends are
    /// counted in ``Exploration/ends``. A run that ended its process is counted by its verdict.
    package var end: (@Sendable (RunVerdict) -> String)?
    /// Called after every run, on the thread of the simulation, with its number, its steps and its verdict.
    public var observer: (@Sendable (Int, Span<RunStep>, RunVerdict) -> Void)?

    /// - Parameters: As the properties, with `strategy` as ``strategyName``; numbers out of range are clamped.
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
        observer: (@Sendable (Int, Span<RunStep>, RunVerdict) -> Void)? = nil
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

    /// The most worker processes.
    public static let maxWorkers = 256
}
