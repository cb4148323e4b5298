/// What an exploration found.
public struct Exploration: Sendable {
    /// What all randomness came from: the same seed and options explore the same.
    public let seed: UInt64
    /// How many runs there were, without those that only checked others.
    public internal(set) var runs = 0
    /// How many of them failed.
    public internal(set) var failures = 0
    /// The first that failed.
    public internal(set) var failure: Run?
    /// Whether the strategy says that every class of schedules was seen.
    public internal(set) var isComplete = false
    /// The most steps a run took.
    public internal(set) var longest = 0
    /// Whether any run had a step with more than one choice. If not, there was nothing to explore.
    public internal(set) var hadChoices = false
    /// Real time.
    public internal(set) var duration: Duration = .zero

    init(seed: UInt64) {
        self.seed = seed
    }
}

/// Runs a body in many orders until one fails, all iterations are done, or every order was seen.
/// - Throws: ``ExplorationError``. A run that fails is not an error but ``Exploration/failure``.
public func explore(_ options: ExplorationOptions, body: @escaping Body) async throws -> Exploration {
    try await withRunner(options.settings, body: body) { runner in try runner.explore(options) }
}

/// Runs a body that needs no random data in many orders.
/// - Throws: ``ExplorationError``. A run that fails is not an error but ``Exploration/failure``.
public func explore(
    _ options: ExplorationOptions,
    body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
    try await explore(options, body: { _ in try await body() })
}

/// Runs a body once more in the order, and with the data, of a run that was seen before.
public func replay(
    _ schedule: Schedule,
    seed: UInt64 = 0,
    settings: SimulationSettings = SimulationSettings(),
    body: @escaping Body
) async throws -> Run {
    try await withRunner(settings, body: body) { runner in runner.run(seed: seed, schedule: schedule) }
}

/// Runs a body that needs no random data once more in the order of a run that was seen before.
public func replay(
    _ schedule: Schedule,
    settings: SimulationSettings = SimulationSettings(),
    body: @escaping @Sendable () async throws -> Void
) async throws -> Run {
    try await replay(schedule, seed: 0, settings: settings, body: { _ in try await body() })
}

extension Runner {
    /// Runs the body in many orders, as ``explore(_:body:)`` does.
    public func explore(_ options: ExplorationOptions) throws -> Exploration {
        var exploration = Exploration(seed: options.seed ?? UInt64.random(in: 1...UInt64.max))
        let clock = ContinuousClock()
        let start = clock.now
        var strategy = options.strategy
        let checked = options.determinismChecks > 0 ? max(1, options.iterations / options.determinismChecks) : 0
        for iteration in 0..<options.iterations {
            if let limit = options.timeLimit, iteration % 16 == 0, clock.now - start >= limit { break }
            let seed = mix(exploration.seed, UInt64(iteration))
            var baseline: any Strategy = Following(.firstInFirstOut)
            let isBaseline = iteration == 0
            if !isBaseline { strategy.begin(seed: mix(seed, 1), length: max(1, exploration.longest)) }
            let verdict =
                isBaseline ? run(seed: seed, strategy: &baseline) : run(seed: seed, strategy: &strategy)
            exploration.count(steps, verdict)
            if !isBaseline { strategy.end(steps.span) }
            options.observer?(iteration, steps.span, verdict)
            if verdict.isFailure, exploration.failure == nil {
                exploration.failure = Run(
                    seed: seed,
                    strategy: isBaseline ? baseline.name : strategy.name,
                    steps: steps,
                    verdict: verdict
                )
            }
            if checked > 0, iteration % checked == 0 { try checkDeterminism(seed: seed) }
            if verdict.isFailure, !options.continuesAfterFailure { break }
            if !isBaseline, strategy.isExhausted {
                exploration.isComplete = true
                break
            }
        }
        exploration.duration = clock.now - start
        return exploration
    }

    /// Runs what ran last once more, and compares.
    private func checkDeterminism(seed: UInt64) throws {
        let first = steps
        let second = run(seed: seed, schedule: Schedule(following: first))
        if let difference = Difference(first, second.steps) {
            throw ExplorationError.nondeterministic(difference)
        }
    }
}

extension Exploration {
    mutating func count(_ steps: [Step], _ verdict: Verdict) {
        runs += 1
        if verdict.isFailure { failures += 1 }
        longest = max(longest, steps.count)
        if !hadChoices { hadChoices = steps.contains { $0.alternatives > 1 } }
    }
}
