internal import CInterleaving
internal import Synchronization

/// What is explored: it gets the random numbers of its run and must not depend on anything else that differs from run to run.
public typealias Body = @Sendable (SplitMix) async throws -> Void

/// Runs a body again and again on the thread of a simulation, each time in the order it is told.
///
/// ``withRunner(_:body:work:)`` makes one; it never leaves its thread.
public final class Runner {
    /// What is the same in every run.
    public let settings: SimulationSettings
    private let simulator: Simulator
    private let spawner: Spawner

    fileprivate init(_ settings: SimulationSettings, spawner: Spawner) {
        self.settings = settings
        self.spawner = spawner
        simulator = Simulator(settings)
    }

    /// Runs the body once.
    /// - Parameters:
    ///   - seed: What the data of the run comes from.
    ///   - strategy: Chooses; its own seed is to be given by `begin` before, and `end` is left to the caller.
    public func run(seed: UInt64, strategy: inout any Strategy) -> Verdict {
        simulator.run(&strategy) { spawner.spawn(seed: seed) }
    }

    /// Runs the body once in a given order.
    public func run(seed: UInt64, schedule: Schedule) -> Run {
        var strategy: any Strategy = Following(schedule)
        let verdict = run(seed: seed, strategy: &strategy)
        return Run(seed: seed, strategy: strategy.name, steps: steps, verdict: verdict)
    }

    /// Takes a run that comes to rest for a deadlock at once, without waiting for what may have escaped.
    func expectsRest() { simulator.patience = 0 }

    /// The steps of the last run.
    public var steps: [Step] { simulator.steps }
}

/// Makes a runner on a thread of its own, and gives it to `work`.
///
/// The body runs with the task-locals of the caller. Only one runner works in a process at a time; others wait for it: the main
/// actor, and whatever else is global to a process, belongs to the one simulation that runs.
/// - Throws: ``ExplorationError`` if this process cannot be explored, and what `work` throws.
public func withRunner<Value: Sendable>(
    _ settings: SimulationSettings = SimulationSettings(),
    body: @escaping Body,
    work: @escaping @Sendable (Runner) throws -> Value
) async throws -> Value {
    guard Simulator.current == nil else { throw ExplorationError.nested }
    if settings.control == .system { try await Probe.require() }
    return try await withUncheckedRunner(settings, body: body, work: work)
}

/// Without the probe, for the probe.
func withUncheckedRunner<Value: Sendable>(
    _ settings: SimulationSettings,
    body: @escaping Body,
    work: @escaping @Sendable (Runner) throws -> Value
) async throws -> Value {
    if settings.control == .system { SystemExecutors.install }
    return try await withUnsafeThrowingContinuation { continuation in
        let spawner = Spawner()
        spawner.begin(body, onDefaultExecutor: settings.control == .system)
        do {
            try SimulationThread.start {
                // All that holds the body is gone before the caller goes on: the caller may only have lent it.
                let result = Result { try work(Runner(settings, spawner: spawner)) }
                spawner.end()
                continuation.resume(with: result)
            }
        } catch {
            spawner.end()
            continuation.resume(throwing: error)
        }
    }
}

/// The thread of a simulation.
private enum SimulationThread {
    private static let turn = Mutex(())

    final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work { turn.withLock { _ in body() } })
        let error = interleaving_start_thread(
            { context in Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() },
            work.toOpaque()
        )
        guard error != 0 else { return }
        work.release()
        throw ExplorationError.noThread(errorNumber: error)
    }
}
