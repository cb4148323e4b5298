internal import Logging
internal import NIOCore
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import Varlink

/// The daemon's life between `READY=1` and its end.
struct SocketService: Service {
    let running: RunningHost
    let server: VarlinkServer
    let logger: Logger

    func run() async throws {
        tell(.ready, .status("serving \(running.current.manifest.name)"))
        try? await gracefulShutdown()
        tell(.stopping, .status("finishing what was admitted"))
        logger.notice("stopping")
        // The host first: until it has finished what was admitted, whoever sends more is told that it is draining rather
        // than cut off without knowing what became of the event.
        await running.current.drain(timeouts: SystemClock())
        await server.shutDown(within: .milliseconds(700))
    }

    /// A service manager that cannot be told does not keep the daemon from working.
    private func tell(_ notifications: ServiceNotification...) {
        for notification in notifications {
            do {
                try notify(notification)
            } catch {
                logger.warning("the service manager was not told", metadata: ["error": "\(error)"])
            }
        }
    }
}
