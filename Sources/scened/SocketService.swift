internal import Logging
internal import NIOCore
internal import SceneRouting
internal import SceneRuntime
internal import ServiceLifecycle
internal import Systemd
internal import Varlink

/// The daemon's life between `READY=1` and its end.
struct SocketService: Service {
    let host: SceneHost
    let server: VarlinkServer
    let logger: Logger

    func run() async throws {
        tell(.ready, .status("serving \(host.manifest.name)"))
        try? await gracefulShutdown()
        tell(.stopping, .status("finishing what was admitted"))
        logger.notice("stopping")
        // Together: a call is answered when its event has ended, and events end because the host drains.
        async let drained: Void = host.drain()
        await server.shutDown(within: .seconds(4))
        await drained
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
