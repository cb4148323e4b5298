internal import Logging
internal import NIOCore
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import Varlink

/// Serves clients from `READY=1` until the daemon has stopped.
struct SocketService: Service {
    let running: RunningHost
    let server: VarlinkServer
    let drainTimeout: Duration
    let status: StatusLine
    let connections: ConnectionCount
    let manager: ServiceManager
    let logger: Logger

    func run() async throws {
        manager.notify(.ready)
        status.update()
        try? await gracefulShutdown()
        status.end()
        connections.end()
        manager.notify(.stopping, .status("finishing admitted events"))
        logger.log(.stopping)
        // Who connects from now on is the next daemon's client.
        await server.stopListening(onlyInherited: true)
        let patience = Task { await StopTimeoutExtension(ask: { manager.notify(.extendTimeout($0)) }).run() }
        // The host first: while it finishes the admitted events, a client that sends more gets `Draining` instead of being cut
        // off without knowing what happened to its event.
        await drainHost()
        // A client that follows the records and is behind may read for as long again, as long as it does read.
        await server.shutDown(within: max(TimeAmount(drainTimeout), .milliseconds(700)))
        patience.cancel()
        await patience.value
    }

    /// Drains the host. It is not waited for much longer than its own timeout: code of the app that does not return would keep all clients
    /// waiting, and the next daemon.
    private func drainHost() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let host = running.current
        // It ends with the host, or with the process.
        _ = Task {
            await host.drain(timeouts: SystemClock())
            end.finish()
        }
        let longest = Task { [drainTimeout] in
            try? await Task.sleep(for: drainTimeout + max(drainTimeout, .seconds(2)))
            end.finish()
        }
        for await _ in ended {}
        longest.cancel()
    }
}

/// Asks the service manager for more time while draining takes longer than usual: a little each time, so that it does not wait
/// for a daemon that hangs.
struct StopTimeoutExtension: Sendable {
    /// How long draining takes at most, unless `drainTimeout` is configured to be longer.
    static let usual = Duration.seconds(4)
    static let pause = Duration.seconds(3)
    static let extensionAsked = Duration.seconds(10)

    var clock: any Clock<Duration> = .continuous
    let ask: @Sendable (Duration) -> Void

    /// Asks until it is cancelled.
    func run() async {
        var pause = Self.usual
        while (try? await clock.sleep(for: pause)) != nil {
            ask(Self.extensionAsked)
            pause = Self.pause
        }
    }
}
