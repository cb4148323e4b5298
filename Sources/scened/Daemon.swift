internal import Logging
internal import NIOCore
internal import NIOPosix
internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import Varlink

/// The composition root: everything is made here, and nothing is decided here.
struct Daemon {
    private let running: RunningHost
    private let server: VarlinkServer
    private let reloading: ManifestReloading
    private let reloadSignals: UnixSignalsSequence
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger

    /// Makes the daemon and listens; clients are answered from here on.
    static func start(_ configuration: DaemonConfiguration, logger: Logger) async throws -> Daemon {
        let manifest = try AppSource.manifest(at: configuration.app)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoops ?? System.coreCount)
        let registry = OpenMetricsRegistry()
        let resolutions = ResolutionMetrics(factory: registry)
        let executors = executors(of: group)
        let makeHost: @Sendable (Int?, AppManifest) throws -> SceneHost = { seed, manifest in
            try SceneHost(
                id: HostID.make(seed: seed),
                manifest: manifest,
                settings: configuration.settings,
                clock: configuration.clock.make(),
                executors: executors,
                report: resolutions.count
            )
        }
        let running = RunningHost(try makeHost(nil, manifest)) { seed, old in try makeHost(seed, old.manifest) }
        let reloading = ManifestReloading(running: running, path: configuration.app, logger: logger)
        let connections = ConnectionCount()
        let controls = DaemonControls(
            version: DaemonVersion.current,
            manifestFile: configuration.app,
            reload: reloading.reload,
            connections: { connections.now },
            metrics: { registry.text }
        )
        let server = try VarlinkServer(
            services: SocketAPI.services(running, controls: controls),
            identity: VarlinkIdentity(
                vendor: DaemonVersion.vendor,
                product: DaemonVersion.product,
                version: DaemonVersion.current,
                url: DaemonVersion.url
            ),
            options: options(logger: logger),
            group: group
        )
        connections.watch(server)
        let daemon = Daemon(
            running: running,
            server: server,
            reloading: reloading,
            // Trapped before anybody can know that the daemon is there, and send one.
            reloadSignals: await UnixSignalsSequence(trapping: .sighup),
            group: group,
            logger: logger
        )
        try await daemon.listen(configuration)
        logger.notice(
            "running \(manifest.name)",
            metadata: ["host": "\(running.current.records.host)", "version": "\(manifest.version)"]
        )
        return daemon
    }

    /// Serves until a signal says to stop, then finishes what was admitted and flushes every reply.
    /// - Parameter signals: Trapped before the daemon began to listen.
    func run(until stopSignals: StopSignals) async throws {
        let services: [any Service] = [
            RecordLogging(running: running, logger: logger),
            ReloadSignal(signals: reloadSignals, reloading: reloading),
            SocketService(running: running, server: server, logger: logger),
        ]
        let lifecycle = ServiceGroup(
            services: services,
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        let signals = Task { await stopSignals.stop(lifecycle, logger: logger) }
        try await lifecycle.run()
        signals.cancel()
        try await group.shutdownGracefully()
    }

    /// Takes over the sockets that the service manager passed, else binds an own one.
    private func listen(_ configuration: DaemonConfiguration) async throws {
        let inherited = try listenDescriptors()
        for socket in inherited {
            try await server.adopt(descriptor: socket.descriptor)
            logger.info("serving an inherited socket", metadata: ["name": "\(socket.name)"])
        }
        guard inherited.isEmpty else { return }
        let path = try SocketPath.resolve(configuration.socket)
        try SocketPath.makeDirectory(of: path)
        try await server.listen(path: path)
        logger.notice("listening", metadata: ["socket": "\(path)"])
    }

    /// Scenes go round the event loops, so that a call on the same loop reaches its scene without a thread hop.
    private static func executors(of group: MultiThreadedEventLoopGroup) -> HostExecutors {
        let loops = Array(group.makeIterator())
        return HostExecutors(
            session: loops[0].executor,
            scene: { number in loops[number % loops.count].executor }
        )
    }

    private static func options(logger: Logger) -> VarlinkServer.Options {
        var options = VarlinkServer.Options()
        options.report = { incident in
            logger.warning("\(incident)")
        }
        return options
    }
}
