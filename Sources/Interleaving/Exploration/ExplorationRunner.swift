internal import CInterleaving
internal import Basics

/// Runs a body again and again on the thread of a simulation, each time in a given order.
///
/// ``withExplorationRunner(_:body:work:)`` makes one. It must stay on its thread.
public final class ExplorationRunner {
    /// What is the same in every run.
    public let settings: SimulationSettings
    private let simulator: Simulator
    private let spawner: Spawner
    /// Notices steps that do not end. A forked process has none: its parent watches.
    private let watch: OpaquePointer?
    /// How long a step may last, in real time.
    var stallLimit: Duration {
        get { simulator.stallLimit }
        set {
            simulator.stallLimit = newValue
            if let watch { interleaving_set_watch(watch, Int64(newValue.milliseconds)) }
        }
    }

    fileprivate init(_ settings: SimulationSettings, spawner: Spawner) throws(ExplorationError) {
        self.settings = settings
        self.spawner = spawner
        simulator = try Simulator(settings)
        watch = simulator.log.watched(leaves: simulator.granularity != .jobs, for: simulator.stallLimit)
        interleaving_name_trapping_runs()
    }

    deinit {
        if let watch { interleaving_end_watch(watch) }
    }

    /// Runs the body once.
    /// - Parameters:
    ///   - seed: The seed of the run's data.
    ///   - strategy: Chooses. The caller calls its `begin` before and its `end` after the run.
    ///   - iteration: The number of the run, where it is one of many.
    /// - Returns: How the run ended; ``steps`` has what happened.
    public func run(seed: UInt64, strategy: inout any ExplorationStrategy, iteration: Int = 0) -> RunVerdict {
        simulator.run(&strategy, iteration: iteration, seed: seed) { spawner.spawn(seed: seed) }
    }

    /// Runs the body once in a given order.
    public func run(seed: UInt64, schedule: RunSchedule) -> ExploredRun {
        var strategy: any ExplorationStrategy = schedule.deviations.isEmpty ? FirstInFirstOut() : Replay(schedule)
        strategy.begin(seed: seed, length: 1)
        let verdict = run(seed: seed, strategy: &strategy)
        return lastRun(seed: seed, strategy: strategy.name, verdict)
    }

    /// Everything that is known of the last run.
    func lastRun(seed: UInt64, strategy: String, _ verdict: RunVerdict) -> ExploredRun {
        var run = ExploredRun(seed: seed, strategy: strategy, steps: steps, verdict: verdict)
        run.accesses = accesses
        run.granularity = simulator.granularity
        run.trail = simulator.trail
        return run
    }

    /// From here on, a run that comes to rest is a deadlock at once: no time is spent waiting for another thread to resume it.
    func expectsRest() { simulator.patience = 0 }

    /// Where jobs are stopped.
    var granularity: SimulationSettings.Granularity { simulator.granularity }

    /// What is known of the jobs that were stopped in all runs.
    var stopped: StoppedJobs { simulator.stopped }

    /// How many hops to default actors all runs made. The runtime performs them without asking an executor, so they were not choices.
    var unseenHops: UInt64 { simulator.unseenHops }

    /// What a run handed to another thread, in words; nil if none did.
    var foreignWork: String? { simulator.foreignWork?.description }

    /// The steps of the last run.
    public var steps: [RunStep] { Array(copying: log.span) }

    /// What the steps of the last run did with what tasks share.
    public var accesses: RunAccesses { simulator.accesses }

    /// The log that holds the steps of the last run.
    var log: StepLog { simulator.log }

    /// From here on, writes the steps of runs to another log, which has to have the same capacity.
    func use(_ log: StepLog) { simulator.log = log }
}

/// Makes a runner on a new thread, and calls `work` there.
///
/// The body runs with the task-locals of the caller. Only one runner works in a process at a time, and others wait for it, because the main
/// actor and everything else that is global to a process belongs to the simulation that runs.
/// - Throws: ``ExplorationError`` if this process cannot be explored, and what `work` throws.
public func withExplorationRunner<Value: Sendable>(
    _ settings: SimulationSettings = SimulationSettings(),
    body: @escaping ExplorationBody,
    work: @escaping @Sendable (ExplorationRunner) throws -> Value
) async throws -> Value {
    try SupportedSystem.require(settings.control)
    guard Simulator.current == nil else { throw ExplorationError.nested }
    if settings.control == .system { try await Probe.require(settings.effectiveGranularity) }
    return try await withUncheckedRunner(settings, body: body, work: work)
}

/// As ``withExplorationRunner(_:body:work:)``, but without the probe, which uses this function.
func withUncheckedRunner<Value: Sendable>(
    _ settings: SimulationSettings,
    body: @escaping ExplorationBody,
    work: @escaping @Sendable (ExplorationRunner) throws -> Value
) async throws -> Value {
    SimulationHook.install
    return try await withUnsafeThrowingContinuation { continuation in
        let spawner = Spawner()
        spawner.begin(body, onDefaultExecutor: settings.control == .system)
        do {
            try SimulationThread.start {
                // Everything that holds the body is gone before the caller goes on: the caller may only have lent it.
                let result = Result { try work(try ExplorationRunner(settings, spawner: spawner)) }
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
    /// Copies a span. Loops that read several elements of a span of steps at once need an array: the optimiser of Swift 6.3 crashes on
    /// borrowing them.
    init(copying span: Span<Element>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}
