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
    let drainTimeout: Duration
    let status: StatusLine
    let connections: ConnectionCount
    let manager: ServiceManager
    let logger: Logger

    func run() async throws {
        manager.tell(.ready)
        status.update()
        try? await gracefulShutdown()
        status.end()
        connections.end()
        manager.tell(.stopping, .status("finishing what was admitted"))
        logger.tell(.stopping)
        let patience = Task { await DrainPatience(ask: { manager.tell(.extendTimeout($0)) }).run() }
        // The host first: until it has finished what was admitted, whoever sends more is told that it is draining rather
        // than cut off without knowing what became of the event.
        await running.current.drain(timeouts: SystemClock())
        // A follower of the history who is behind may read on for as long again, but not keep the daemon by not reading.
        await server.shutDown(within: max(TimeAmount(drainTimeout), .milliseconds(700)))
        patience.cancel()
        await patience.value
        logger.tell(.stopped)
    }
}
