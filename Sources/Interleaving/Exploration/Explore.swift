/// Runs a body in many orders until a run fails, all iterations are done, or every order was seen.
/// - Throws: ``ExplorationError``. A run that fails throws nothing: it is ``Exploration/failure``.
public func explore(
    _ options: ExplorationOptions = ExplorationOptions(),
    body: @escaping ExplorationBody
) async throws -> Exploration {
    try await withExplorationRunner(options.settings, body: body) { runner in try runner.explore(options) }
}

/// Runs a body that needs no random data in many orders.
/// - Throws: ``ExplorationError``. A run that fails throws nothing: it is ``Exploration/failure``.
public func explore(
    _ options: ExplorationOptions = ExplorationOptions(),
    body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
    try await explore(options, body: { _ in try await body() })
}

/// Runs a body once in the order of an earlier run and with its data.
/// - Throws: ``ExplorationError``.
public func replay(
    _ schedule: RunSchedule,
    seed: UInt64 = 0,
    settings: SimulationSettings = SimulationSettings(),
    body: @escaping ExplorationBody
) async throws -> ExploredRun {
    try await withExplorationRunner(settings, body: body) { runner in runner.run(seed: seed, schedule: schedule) }
}

/// Runs a body once in the order of an earlier run and with its data, by the word that names the run.
/// - Throws: ``ExplorationError``, such as ``ExplorationError/otherSteps(_:_:)``.
public func replay(
    _ code: ReplayCode,
    settings: SimulationSettings = SimulationSettings(),
    body: @escaping ExplorationBody
) async throws -> ExploredRun {
    try SupportedSystem.require(settings.control)
    try code.requireSteps(of: settings)
    return try await replay(code.schedule, seed: code.seed, settings: settings, body: body)
}

/// Runs a body that needs no random data once in the order of an earlier run.
/// - Throws: ``ExplorationError``.
public func replay(
    _ schedule: RunSchedule,
    settings: SimulationSettings = SimulationSettings(),
    body: @escaping @Sendable () async throws -> Void
) async throws -> ExploredRun {
    try await replay(schedule, seed: 0, settings: settings, body: { _ in try await body() })
}

/// Fails the run on this thread without ending its body. The first failure of a run counts.
///
/// Meant for checks that do not throw, such as a test library's expectations.
/// - Returns: Whether this thread runs a simulation; false outside of an exploration.
@discardableResult
public func failRun(_ text: String) -> Bool {
    guard let simulator = Simulator.current else { return false }
    simulator.recordFailure(text)
    return true
}

/// Whether a simulation runs on this thread.
public var isSimulated: Bool { Simulator.current != nil }
