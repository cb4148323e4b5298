#if compiler(<6.4)
    internal import NIOCore
    internal import NIOPosix
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

    /// Where tasks without an executor of their own run and sleep: on NIO's shared event loops.
    ///
    /// The threads that Swift would use otherwise are counted by their library once a second, for as long as the process
    /// lives; these sleep until there is something to do. The toolchain offers this for trial only. With one that is not
    /// known to, tasks run where they always did, and an idle daemon is woken once a second.
    final class EventLoopTaskExecutor: TaskExecutor, SchedulingExecutor {
        private let group = MultiThreadedEventLoopGroup.singleton

        /// To be called once, before the first task.
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
            // Both of Swift's clocks count so; any other would have to sleep by itself.
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
