/// Runs a body in many orders until one fails, all iterations are done, or every order was seen.
/// - Throws: ``ExplorationError``. A run that fails is not an error but ``Exploration/failure``.
public func explore(
    _ options: ExplorationOptions = ExplorationOptions(),
    body: @escaping Body
) async throws -> Exploration {
    try await withRunner(options.settings, body: body) { runner in try runner.explore(options) }
}

/// Runs a body that needs no random data in many orders.
/// - Throws: ``ExplorationError``. A run that fails is not an error but ``Exploration/failure``.
public func explore(
    _ options: ExplorationOptions = ExplorationOptions(),
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
