#if compiler(<6.4)
    internal import NIOCore
    internal import NIOPosix
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

    /// Runs tasks that have no other executor on NIO's shared event loops.
    ///
    /// Swift's own thread pool wakes once a second for as long as the process lives; event loops sleep until there is work. The
    /// toolchain offers this as an experiment. With a toolchain that is not known to, tasks run on Swift's pool and an idle
    /// daemon wakes once a second.
    final class EventLoopTaskExecutor: TaskExecutor, SchedulingExecutor {
        private let group = MultiThreadedEventLoopGroup.singleton

        /// Makes this the default executor. Call it once, before the first task.
        static func install() {
            _createExecutors(factory: Executors.self)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            group.any().executor.enqueue(job)
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            after delay: C.Duration,
            tolerance: C.Duration?,
            clock: C
        ) {
            let job = UnownedJob(job)
            // Both of Swift's clocks measure in `Duration`; a clock that does not would have to sleep by itself.
            let pause = (delay as? Duration).map { TimeAmount(max(.zero, $0)) } ?? .zero
            let eventLoop = group.any()
            eventLoop.scheduleTask(in: pause) {
                job.runSynchronously(on: eventLoop.executor.asUnownedSerialExecutor())
            }
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            at instant: C.Instant,
            tolerance: C.Duration?,
            clock: C
        ) {
            enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
        }

        private enum Executors: ExecutorFactory {
            static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
            static let defaultExecutor: any TaskExecutor = EventLoopTaskExecutor()
        }
    }
#endif
