internal import Logging
internal import NIOCore
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import Varlink

/// The daemon's life between `READY=1` and its end.
struct SocketService: Service {
    let running: RunningHost
    let server: VarlinkServer
    let status: StatusLine
    let connections: ConnectionCount
    let manager: ServiceManager
    let logger: Logger

    /// How long draining takes at most unless told; stopping takes longer only if somebody configured that.
    private static let usualDrain = Duration.seconds(4)

    func run() async throws {
        manager.tell(.ready)
        status.update()
        try? await gracefulShutdown()
        status.end()
        connections.end()
        manager.tell(.stopping, .status("finishing what was admitted"))
        logger.tell(.stopping)
        let patience = Task { await askForPatience() }
        // The host first: until it has finished what was admitted, whoever sends more is told that it is draining rather
        // than cut off without knowing what became of the event.
        await running.current.drain(timeouts: SystemClock())
        await server.shutDown(within: .milliseconds(700))
        patience.cancel()
        await patience.value
        logger.tell(.stopped)
    }

    /// While draining goes on past the usual time, asks the service manager for a little more again and again: a daemon
    /// that hangs is not waited for.
    private func askForPatience() async {
        var pause = Self.usualDrain
        while (try? await Task.sleep(for: pause)) != nil {
            manager.tell(.extendTimeout(.seconds(10)))
            pause = .seconds(3)
        }
    }
}
