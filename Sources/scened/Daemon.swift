internal import CoreMetrics
internal import Logging
internal import Locking
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
    private let configuration: DaemonConfiguration
    private let running: RunningHost
    private let server: VarlinkServer
    private let reloading: ManifestReloading
    private let reloadSignals: UnixSignalsSequence
    private let stopRequests: StopRequests
    private let status: StatusLine
    private let connections: ConnectionCount
    private let manager: ServiceManager
    private let group: MultiThreadedEventLoopGroup
    private let log: DaemonLog
    private var logger: Logger { log.logger }

    /// Makes the daemon and listens; clients are answered from here on.
    static func start(_ configuration: DaemonConfiguration, log: DaemonLog) async throws -> Daemon {
        let logger = log.logger
        for warning in configuration.warnings { logger.tell(.unknownVariable, ["variable": "\(warning)"]) }
        let manifest = try AppSource.manifest(at: configuration.app)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoops ?? System.coreCount)
        let manager = ServiceManager(logger: logger)
        let registry = OpenMetricsRegistry()
        let resolutions = ResolutionMetrics(factory: registry)
        let executors = executors(of: group)
        let makeHost: @Sendable (Int?, AppManifest) throws -> SceneHost = { seed, manifest in
            try SceneHost(
                id: HostID.make(seed: seed),
                manifest: manifest,
                settings: configuration.host,
                clock: configuration.clock.make(),
                executors: executors,
                report: resolutions.count
            )
        }
        let statusChanged = Guarded<StatusLine?>(nil)
        // Asked when somebody comes or goes, and when scenes or the manifest change.
        let watched: @Sendable (SceneHost) -> SceneHost = { host in
            if let records = log.records { _ = host.records.listen(replaying: true, records.write) }
            _ = host.records.listen { record in
                if record.changesStatus { statusChanged.withLock { $0 }?.changed() }
            }
            return host
        }
        let running = RunningHost(watched(try makeHost(nil, manifest))) { seed, old in
            watched(try makeHost(seed, old.manifest))
        }
        let reloading = ManifestReloading(running: running, path: configuration.app, manager: manager, logger: logger)
        let connections = ConnectionCount()
        let memory = MemoryReturn()
        let stopRequests = StopRequests()
        let status = StatusLine(
            eventLoop: group.next(),
            text: {
                Self.status(running.current, connections: connections.now, appVersion: configuration.host.appVersion)
            },
            say: { manager.tell(.status($0)) }
        )
        statusChanged.withLock { $0 = status }
        let controls = DaemonControls(
            version: DaemonVersion.current,
            manifestFile: configuration.app,
            settings: configuration.inForce,
            reload: reloading.reload,
            drain: { stopRequests.request(.drain) },
            connections: { connections.now },
            metrics: {
                Meter(label: "scened_connections", factory: registry).set(connections.now)
                let load = SceneLoad(running.current.scenes)
                let usage = OwnProcess.usage
                for (label, value) in [
                    ("scened_scenes", load.scenes), ("scened_pending_events", load.pending),
                    ("scened_parked_intents", load.parked), ("scened_coordinators", load.coordinators),
                    ("process_resident_memory_bytes", usage.residentBytes), ("process_open_fds", usage.openDescriptors),
                    ("process_threads", usage.threads),
                ] as [(String, Int?)] {
                    if let value { Meter(label: label, factory: registry).set(value) }
                }
                return registry.text
            },
            process: { OwnProcess.usage }
        )
        let server = try server(
            SocketAPI.services(running, controls: controls),
            configuration,
            incidents: IncidentLog(logger: logger, factory: registry) { [clock = SystemClock()] in clock.now },
            changed: {
                connections.changed()
                memory.changed(connections.now)
                status.changed()
            },
            group: group,
            logger: logger
        )
        connections.watch(server)
        let daemon = Daemon(
            configuration: configuration,
            running: running,
            server: server,
            reloading: reloading,
            // Trapped before anybody can know that the daemon is there, and send one.
            reloadSignals: await UnixSignalsSequence(trapping: .sighup),
            stopRequests: stopRequests,
            status: status,
            connections: connections,
            manager: manager,
            group: group,
            log: log
        )
        let isInherited = try await daemon.listen()
        if isInherited, let patience = configuration.idleExit {
            connections.exitWhenIdle(after: patience, eventLoop: group.next()) { stopRequests.request(.idle) }
        }
        logger.tell(
            .running,
            ["app": "\(manifest.name)", "host": "\(running.current.records.host)", "version": "\(manifest.version)"]
        )
        return daemon
    }

    /// Serves until somebody says to stop, then finishes what was admitted and flushes every reply.
    /// - Parameter signals: Trapped before the daemon began to listen.
    func run(until stopSignals: StopSignals) async throws {
        var services: [any Service] = [
            ReloadSignal(signals: reloadSignals, reloading: reloading),
            Watchdog(
                probe: { [running] in running.current.probe($0) },
                interval: try watchdogInterval(),
                allIsWell: { [manager] in manager.tell(.watchdog) },
                logger: logger
            ),
            SocketService(
                running: running,
                server: server,
                drainTimeout: configuration.host.drainTimeout,
                status: status,
                connections: connections,
                manager: manager,
                logger: logger
            ),
        ]
        if log.wantsRecordsInBrief { services.insert(RecordLogging(running: running, logger: logger), at: 0) }
        let lifecycle = ServiceGroup(
            services: services,
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        let signals = Task { await stopSignals.stop(lifecycle, logger: logger) }
        let requests = Task {
            for await reason in stopRequests.reasons {
                if reason == .idle { await leaveToTheNext() }
                await lifecycle.triggerGracefulShutdown()
            }
        }
        try await lifecycle.run()
        signals.cancel()
        requests.cancel()
        try await group.shutdownGracefully()
    }

    /// Who connects from here on starts the next daemon; who came in the last moment is still served, if quick.
    private func leaveToTheNext() async {
        logger.tell(.idle)
        await server.stopListening()
        for _ in 0..<20 where server.connectionCount > 0 { try? await Task.sleep(for: .milliseconds(50)) }
    }

    /// Takes over the sockets that the service manager passed, else binds an own one.
    /// - Returns: Whether it was passed any.
    private func listen() async throws -> Bool {
        let inherited = try listenDescriptors()
        for socket in inherited {
            try await server.adopt(descriptor: socket.descriptor)
            logger.tell(.inheritedSocket, ["name": "\(socket.name)"])
        }
        guard inherited.isEmpty else { return true }
        let path = try configuration.socket ?? SocketPath.usual()
        try SocketPath.makeDirectory(of: path)
        try await server.listen(path: path)
        logger.tell(.listening, ["socket": "\(path)"])
        return false
    }

    /// A scene runs on the event loop of the connection whose event it handles, which then need not wake another thread to be
    /// answered. What comes from elsewhere goes round the loops.
    private static func executors(of group: MultiThreadedEventLoopGroup) -> HostExecutors {
        let loops: [any EventLoop] = Array(group.makeIterator())
        let pauses = LoopPauses(group)
        return HostExecutors(
            session: loops[0].executor,
            scene: { number in FollowingExecutor(loops: loops, home: loops[number % loops.count]) },
            // A busy scene lets its loop look at the clients' sockets now and then.
            pause: { number, resume in
                let loop = FollowingExecutor.nearest(of: loops, home: loops[number % loops.count])
                pauses.pause(of: loop).next(resume)
            }
        )
    }

    private static func server(
        _ services: [VarlinkService],
        _ configuration: DaemonConfiguration,
        incidents: IncidentLog,
        changed: @escaping @Sendable () -> Void,
        group: MultiThreadedEventLoopGroup,
        logger: Logger
    ) throws -> VarlinkServer {
        let descriptors = DescriptorLimit.raise(to: configuration.limits.connections / 3 * 4 + 64)
        var options = VarlinkServer.Options()
        options.limits = configuration.limits
        options.authorize = configuration.policy.allows
        options.report = incidents.note
        options.connectionsChanged = changed
        let server = try VarlinkServer(
            services: services,
            identity: VarlinkIdentity(
                vendor: DaemonVersion.vendor,
                product: DaemonVersion.product,
                version: DaemonVersion.current,
                url: DaemonVersion.url
            ),
            options: options,
            group: group
        )
        if server.connectionLimit < configuration.limits.connections {
            logger.tell(
                .fewDescriptors,
                ["connections": "\(server.connectionLimit)", "descriptors": "\(descriptors)"]
            )
        }
        return server
    }

    /// `Shop 2.3.1 (manifest 1): 2 scenes, 3 clients`.
    private static func status(_ host: SceneHost, connections: Int, appVersion: String?) -> String {
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let manifest = host.manifest
        let app = appVersion.map { "\(manifest.name) \($0)" } ?? manifest.name
        return "\(app) (manifest \(manifest.version)): \(count(host.scenes.count, "scene")), "
            + count(connections, "client")
    }
}

extension Record {
    fileprivate var changesStatus: Bool {
        switch kind {
        case .sceneConnected, .sceneDisconnected, .sceneDiscarded, .manifestLoaded: true
        default: false
        }
    }
}
