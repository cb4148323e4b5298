/// How much is explored, and how.
public struct ExplorationOptions: Sendable {
    /// How many runs, at least 1.
    public var iterations: Int
    /// When to stop at the latest, in real time; nil is never.
    public var timeLimit: Duration?
    /// What all randomness comes from: data and schedules. nil is a new one, which the result names.
    public var seed: UInt64?
    /// Who chooses. The first run is first-in-first-out whatever it is, for the expected length of a run.
    public var strategy: any Strategy
    /// What is the same in every run.
    public var settings: SimulationSettings
    /// Whether to go on after a failure, which counts failures and leaks the tasks of deadlocks.
    public var continuesAfterFailure: Bool
    /// How many runs, spread evenly, run a second time to see whether they do the same.
    public var determinismChecks: Int
    /// Told of every run, on the thread of the simulation: its number, its steps and its verdict.
    public var observer: (@Sendable (Int, Span<Step>, Verdict) -> Void)?

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
        self.iterations = max(1, iterations)
        self.timeLimit = timeLimit
        self.seed = seed
        self.strategy = strategy
        self.settings = settings
        self.continuesAfterFailure = continuesAfterFailure
        self.determinismChecks = determinismChecks
        self.observer = observer
    }
}
