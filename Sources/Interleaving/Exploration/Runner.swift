// The body of a run is given one, so that whoever imports this module has it.
@_exported public import SeededRandom
internal import CInterleaving
internal import Locking

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

    fileprivate init(_ settings: SimulationSettings, spawner: Spawner) throws(ExplorationError) {
        self.settings = settings
        self.spawner = spawner
        simulator = try Simulator(settings)
        interleaving_name_trapping_runs()
    }

    /// Runs the body once.
    /// - Parameters:
    ///   - seed: What the data of the run comes from.
    ///   - strategy: Chooses; its own seed is to be given by `begin` before, and `end` is left to the caller.
    ///   - iteration: The number of the run, where it is one of many.
    public func run(seed: UInt64, strategy: inout any Strategy, iteration: Int = 0) -> Verdict {
        simulator.run(&strategy, iteration: iteration, seed: seed) { spawner.spawn(seed: seed) }
    }

    /// Runs the body once in a given order.
    public func run(seed: UInt64, schedule: Schedule) -> Run {
        var strategy: any Strategy = schedule.deviations.isEmpty ? FirstInFirstOut() : Replay(schedule)
        strategy.begin(seed: seed, length: 1)
        let verdict = run(seed: seed, strategy: &strategy)
        return lastRun(seed: seed, strategy: strategy.name, verdict)
    }

    /// All that is known of the last run.
    func lastRun(seed: UInt64, strategy: String, _ verdict: Verdict) -> Run {
        var run = Run(seed: seed, strategy: strategy, steps: steps, verdict: verdict)
        run.trail = simulator.trail
        return run
    }

    /// Takes a run that comes to rest for a deadlock at once, without waiting for what may have escaped.
    func expectsRest() { simulator.patience = 0 }

    /// How many hops to default actors there were in all runs, where nothing else was offered.
    var unseenHops: UInt64 { simulator.unseenHops }

    /// The steps of the last run.
    public var steps: [Step] { Array(copying: log.span) }

    /// Where the steps of the last run are.
    var log: StepLog { simulator.log }

    /// Writes the steps of the runs from here on elsewhere; of a log of the same length.
    func use(_ log: StepLog) { simulator.log = log }
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
    try await withUnsafeThrowingContinuation { continuation in
        let spawner = Spawner()
        spawner.begin(body, onDefaultExecutor: settings.control == .system)
        do {
            try SimulationThread.start {
                // All that holds the body is gone before the caller goes on: the caller may only have lent it.
                let result = Result { try work(try Runner(settings, spawner: spawner)) }
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
    private static let turn = Guarded(())

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

extension Array {
    /// The elements of a span. Loops that read several elements of a span of steps at once go over such an array instead: on borrowing
    /// them the optimiser of Swift 6.3 fails.
    init(copying span: Span<Element>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}
