internal import CAccess
package import Synchronization

/// A serial executor for one actor. In an exploration, its jobs run in the simulation of the thread that enqueues them; everywhere else, such as
/// in production, they run one at a time on the shared thread pool, in the order enqueued.
///
/// Give one to each actor that takes its executor from outside. Then every hop to the actor is a choice of the simulation. It uses only public
/// API of Swift, and nothing that explores is linked with it.
///
/// An actor may be used outside of explorations, then in one, and then outside again. Whoever uses one actor in an exploration and at the
/// same time outside of it has two threads in it: nothing keeps the two apart.
public final class SimulatedExecutor: SerialExecutor {
    /// The actor's name in reports; empty for none.
    public let name: String

    /// Its name in reports of accesses; 0 outside of simulations.
    package let nameOfObject = access_made()

    /// What a simulation keeps about it. Only threads of simulations write it.
    package let mark = Atomic<UInt64>(0)

    /// The queue of jobs outside of simulations, made when there is one: explorations make many executors.
    private let queue = Atomic<Unmanaged<SerialJobQueue>?>(nil)

    /// - Parameter name: The actor's name in reports.
    public init(name: String = "") {
        self.name = name
    }

    deinit {
        queue.load(ordering: .acquiring)?.release()
    }

    /// Adds a job to the simulation of this thread, or runs it outside of simulations after all that were enqueued there before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let hook = InstalledHook.current, hook.takes(job, of: self) { return }
        outside.enqueue(job, of: self)
    }

    /// Unknown: the runtime compares executors itself.
    public func isIsolatingCurrentContext() -> Bool? { nil }

    private var outside: SerialJobQueue {
        if let known = queue.load(ordering: .acquiring) { return known.takeUnretainedValue() }
        let new = Unmanaged.passRetained(SerialJobQueue())
        let (exchanged, original) = queue.compareExchange(
            expected: nil,
            desired: new,
            ordering: .acquiringAndReleasing
        )
        guard !exchanged, let original else { return new.takeUnretainedValue() }
        new.release()
        return original.takeUnretainedValue()
    }
}

/// A task executor preference for code that must not use the default executor. In an exploration, tasks that prefer it run in the simulation;
/// everywhere else they run on the shared thread pool. It uses only public API of Swift.
public final class SimulatedTaskExecutor: TaskExecutor {
    /// An executor that belongs to no simulation yet.
    public init() {}

    /// Adds a job to the simulation of this thread, or hands it to the shared thread pool.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let hook = InstalledHook.current, hook.takes(job, of: self) { return }
        globalConcurrentExecutor.enqueue(ExecutorJob(job))
    }
}
