internal import Synchronization

/// A serial executor for one actor, whose jobs run in the simulation of the thread that enqueues them.
///
/// Give one to each actor that takes its executor from outside. Then every hop to the actor is a choice of the simulation; a
/// hop to an actor with the default executor is one only with ``SimulationSettings/Granularity/stops``, or if another task is in the actor.
/// It uses only public API of Swift.
public final class SimulatedExecutor: SerialExecutor {
    /// The actor's name in reports; empty for none.
    public let name: String

    /// Its number in the current run. Only threads of simulations write it.
    private let number = RunNumber()

    /// - Parameter name: The actor's name in reports.
    public init(name: String = "") {
        self.name = name
    }

    /// Adds a job to the simulation of this thread. Outside of a simulation it traps.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let simulator = Simulator.current else {
            if Escapes.catches(job, on: "SimulatedExecutor “\(name)”") { return }
            fatalError("a SimulatedExecutor runs jobs only within explore or replay")
        }
        simulator.enqueue(
            job,
            target: .serial(asUnownedSerialExecutor()),
            executor: number.value(in: simulator) { simulator.register(self) }
        )
    }

    /// Unknown: the runtime compares executors itself.
    public func isIsolatingCurrentContext() -> Bool? { nil }
}

/// A task executor preference for code that must not use the default executor: tasks that prefer it run in the simulation. It uses
/// only public API of Swift.
public final class SimulatedTaskExecutor: TaskExecutor {
    /// An executor that belongs to no simulation yet.
    public init() {}

    /// Adds a job to the simulation of this thread. Outside of a simulation it traps.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let simulator = Simulator.current else {
            if Escapes.catches(job, on: "SimulatedTaskExecutor") { return }
            fatalError("a SimulatedTaskExecutor runs jobs only within explore or replay")
        }
        simulator.enqueue(job, target: .task(asUnownedTaskExecutor()), executor: 0)
    }
}

/// The number of an executor in one run of one simulator.
///
/// The run and the number share one word, so that no thread sees one without the other.
struct RunNumber: ~Copyable {
    /// The low 16 bits are the number, the other bits the run.
    private let word = Atomic<UInt64>(0)

    /// The number; a new one if the run is not the same as last time.
    @inline(__always)
    func value(in simulator: Simulator, make: () -> Int) -> Int {
        let known = word.load(ordering: .relaxed)
        if known >> 16 == simulator.run { return Int(known & 0xffff) }
        let number = make()
        word.store(simulator.run << 16 | UInt64(number), ordering: .relaxed)
        return number
    }
}
