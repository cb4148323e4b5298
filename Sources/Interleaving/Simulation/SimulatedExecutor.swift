/// An executor for one actor, whose jobs run in the simulation of the thread that enqueues them.
///
/// Give one to each actor that takes its executor from outside, and every hop to that actor is a choice of the simulation; a
/// hop to an actor with the default executor is none while nobody else is in it. It uses public API of Swift only.
public final class SimulatedExecutor: SerialExecutor {
    /// The name in reports.
    public let name: String

    /// The number in a run, and of which simulator and run. Written on the thread of a simulation only, but by the simulations
    /// of different threads if an executor is shared between them, which is a mistake that ``enqueue(_:)`` reports.
    private let number = RunNumber()

    public init(name: String = "") {
        self.name = name
    }

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

    public func isIsolatingCurrentContext() -> Bool? { nil }
}

/// A task executor preference for code that must not use the default executor: tasks with it run in the simulation. It uses
/// public API of Swift only.
public final class SimulatedTaskExecutor: TaskExecutor {
    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let simulator = Simulator.current else {
            if Escapes.catches(job, on: "SimulatedTaskExecutor") { return }
            fatalError("a SimulatedTaskExecutor runs jobs only within explore or replay")
        }
        simulator.enqueue(job, target: .task(asUnownedTaskExecutor()), executor: 0)
    }
}
