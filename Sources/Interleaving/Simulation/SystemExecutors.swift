internal import Basics

// Elsewhere the standard library does not offer this, and tasks have to be given their executor: `SimulationSettings.Control.injected`.
#if os(Linux)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

    /// The main executor and the default executor of a process that links this module. On the thread of a simulation, jobs go to the
    /// simulation; on every other thread, they go to the executors that Swift provides.
    enum SystemExecutors {
        struct Factory: ExecutorFactory {
            static var mainExecutor: any MainExecutor { SystemExecutors.main }
            static var defaultExecutor: any TaskExecutor { SystemExecutors.shared }
        }

        fileprivate static let main = SimulatingMainExecutor(base: MainActor.executor)
        fileprivate static let shared = SimulatingDefaultExecutor(base: Task.defaultExecutor)

        fileprivate static let install: Void = _createExecutors(factory: Factory.self)
    }

    /// Installs the executors before `main`, while the process has only one thread. The runtime keeps each executor in two words and
    /// reads them without a lock, so a thread that enqueues a job during a later installation could call one executor's method on
    /// the other.
    @section(".init_array") @used
    private let installBeforeMain: @convention(c) () -> Void = { SystemExecutors.install }

    private final class SimulatingMainExecutor: MainExecutor {
        let base: any MainExecutor

        init(base: any MainExecutor) {
            self.base = base
        }

        func enqueue(_ job: consuming ExecutorJob) {
            guard let simulator = Simulator.current else {
                let job = UnownedJob(job)
                if Escapes.catches(job, on: "the main actor") { return }
                return base.enqueue(ExecutorJob(job))
            }
            simulator.enqueue(
                UnownedJob(job),
                target: .serial(asUnownedSerialExecutor()),
                executor: simulator.main(self)
            )
        }

        func run() throws { try base.run() }
        func runUntil(_ condition: () -> Bool) throws { try base.runUntil(condition) }
        func stop() { base.stop() }
        var isMainExecutor: Bool { true }
        // The runtime asks only if it does not recognize this executor, which never happens in a simulation.
        func checkIsolated() { base.checkIsolated() }
        func isIsolatingCurrentContext() -> Bool? {
            Simulator.current == nil ? base.isIsolatingCurrentContext() : false
        }
    }

    private final class SimulatingDefaultExecutor: TaskExecutor, SchedulingExecutor {
        let base: any TaskExecutor
        let scheduler: (any SchedulingExecutor)?

        init(base: any TaskExecutor) {
            self.base = base
            scheduler = base as? any SchedulingExecutor
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if Simulator.withCurrent({ $0.enqueue(job, target: .generic, executor: 0) }) != nil { return }
            if Escapes.catches(job, on: "the default executor") { return }
            base.enqueue(ExecutorJob(job))
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            after delay: C.Duration,
            tolerance: C.Duration?,
            clock: C
        ) {
            guard let simulator = Simulator.current else {
                guard let scheduler else { return base.enqueue(job) }
                return scheduler.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
            }
            simulator.enqueue(UnownedJob(job), after: nanoseconds(delay, in: simulator, clock: clock))
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            at instant: C.Instant,
            tolerance: C.Duration?,
            clock: C
        ) {
            guard let simulator = Simulator.current else {
                guard let scheduler else { return base.enqueue(job) }
                return scheduler.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
            }
            let delay = clock.now.duration(to: instant)
            simulator.enqueue(UnownedJob(job), after: nanoseconds(delay, in: simulator, clock: clock))
        }

        private func nanoseconds<C: Clock>(_ delay: C.Duration, in simulator: Simulator, clock: C) -> Int64 {
            guard let delay = delay as? Duration else {
                simulator.recordFailure("\(C.self) counts time in \(C.Duration.self), not in Swift.Duration")
                return 0
            }
            return Int64(delay.nanoseconds)
        }
    }
#endif
