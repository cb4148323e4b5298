internal import Logging
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd

/// Tells the service manager that all is well, twice in the time after which it would give the daemon up, and only when
/// something has run in every scene and in the session since it was last told.
///
/// A held or waiting scene is well: it runs what comes. One whose executor is stuck is not, and the manager's time runs
/// out.
struct Watchdog: Service {
    /// Asks the session and every scene for a sign of life; see ``SceneHost/probe(_:)``.
    let probe: @Sendable (_ whenAnswered: @escaping @Sendable () -> Void) -> LivenessProbe
    /// The manager's patience; `nil` if it does not watch.
    let interval: Duration?
    /// Tells the manager that all is well.
    let allIsWell: @Sendable () -> Void
    let logger: Logger
    var clock: any Clock<Duration> = .continuous

    func run() async {
        guard let interval else {
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown { await watch(every: interval / 2) }
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
                logger.tell(.wedged, ["actors": "\(silent.joined(separator: ", "))"])
            }
        }
    }
}
