internal import Logging
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd

/// Tells the service manager twice per watchdog interval that the daemon is alive, but only if the session and all scenes have
/// run something since the last time.
///
/// A scene that is held or waits still runs the probe. One whose executor is stuck does not, and the interval runs out.
struct Watchdog: Service {
    /// Runs something in the session and in every scene; see ``SceneHost/probe(_:)``.
    let probe: @Sendable (_ whenAnswered: @escaping @Sendable () -> Void) -> LivenessProbe
    /// How long the service manager waits for a sign of life; `nil` if it does not watch.
    let interval: Duration?
    /// Tells the service manager that the daemon is alive.
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
                logger.log(.wedged, ["actors": "\(silent.joined(separator: ", "))"])
            }
        }
    }
}
