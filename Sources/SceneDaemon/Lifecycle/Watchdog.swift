internal import Logging
internal import NIOCore
internal import NIOPosix
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import Varlink

/// Tells the service manager twice per watchdog interval that the daemon is alive, but only if all that a client's call passes
/// through has run something since the last time: each event loop, the locks that all scenes share, the session and every scene.
///
/// A scene that is held or waits still runs the probe. One whose executor is stuck does not, and the interval runs out.
struct Watchdog: Service {
    /// Runs something in all of them; see ``SceneHost/probe(_:actors:locks:_:)``.
    let probe: @Sendable (_ whenAnswered: @escaping @Sendable () -> Void) -> LivenessProbe
    /// How long the service manager waits for a sign of life; `nil` if it does not watch.
    let interval: Duration?
    /// Tells the service manager that the daemon is alive.
    let allIsWell: @Sendable () -> Void
    let logger: Logger
    var clock: any Clock<Duration> = .continuous
    /// Where it runs itself: none of the threads that it watches.
    var executor: (any TaskExecutor)?

    func run() async {
        guard let interval else {
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            await withTaskExecutorPreference(executor) { await watch(every: interval / 2) }
        }
    }

    private func watch(every pause: Duration) async {
        var current = probe(allIsWell)
        var isComplaining = false
        while (try? await clock.sleep(for: pause)) != nil {
            let silent = current.silent
            if silent.isEmpty {
                isComplaining = false
                current = probe(allIsWell)
            } else if !isComplaining {
                isComplaining = true
                logger.log(.wedged, ["parts": "\(silent.joined(separator: ", "))"])
            }
        }
    }
}

/// The threads of a watchdog: it sleeps on one, and takes locks on another, which it blocks while one is held.
struct WatchdogThreads: Clock {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    private let loops: [any EventLoop]

    let own: any TaskExecutor
    let locks: any TaskExecutor

    init() {
        loops = Array(group.makeIterator())
        (own, locks) = (LoopTaskExecutor(loop: loops[0]), LoopTaskExecutor(loop: loops[1]))
    }

    func end() async { try? await group.shutdownGracefully() }

    // MARK: - A clock whose sleepers wake on the watchdog's own thread

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let timer = loops[0].scheduleTask(in: TimeAmount(max(.zero, now.duration(to: deadline)))) {}
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }
}

private final class LoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
