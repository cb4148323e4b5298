internal import Basics
internal import CoreMetrics
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import SceneState
internal import SceneVocabulary
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals
internal import Varlink

/// The composition root: it makes all parts of the daemon and decides nothing.
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
    private let loops: EventLoops
    private let hasCode: Bool
    private let kept: KeptHosts?
    private let log: DaemonLog
    private var logger: Logger { log.logger }

    /// Makes the daemon and begins to listen; clients are served from then on.
    static func start(_ program: DaemonProgram, _ configuration: DaemonConfiguration, log: DaemonLog) async throws
        -> Daemon
    {
        let logger = log.logger
        logger.log(configuration.warnings)
        let source = AppSource(named: configuration.app, usual: program.manifest)
        let loops = try DescriptorBudget.eventLoops(configuration)
        let limits = DescriptorBudget.limits(configuration.limits, logger: logger)
        let manager = ServiceManager.fromEnvironment(logger: logger)
        let registry = OpenMetricsRegistry()
        let resolutions = ResolutionMetrics(factory: registry)
        let code =
            program.hasCode ? OwnCode(eventLoop: MultiThreadedEventLoopGroup.singleton.next(), logger: logger) : nil
        if code != nil { OwnCode.tellOfFatalSignals() }
        var usual = configuration.host
        usual.appVersion = usual.appVersion ?? program.owner?.version
        let parts = HostParts(
            program: program,
            settings: usual,
            executors: loops.executors(for: code),
            report: resolutions.count
        )
        // The status line changes with the connections, the scenes, the manifest and the disk.
        let statusChanged = Guarded<StatusLine?>(nil)
        let isListening = Guarded(false)
        let kept = try configuration.state.map { folder throws(StateError) in
            try KeptHosts(configuration, in: folder) { news in
                switch news {
                case .withoutLog(let path):
                    logger.log(.stateLogMissing, ["database": "\(path)", "log": "\(path)-wal"])
                case .failing(let error): logger.log(.storageFails, ["problem": "\(error)"])
                case .working: logger.log(.storageWorks)
                case .unwritten(let error, let steps) where isListening.withLock({ $0 }):
                    // The last that it says: it has not stopped in order.
                    logger.log(.stateUnwritten, ["steps": "\(steps)", "problem": "\(error)"])
                    log.finish()
                    exit(error.exitStatus)
                case .lost(let error), .unwritten(let error, _):
                    // A daemon that has not begun cannot use its state: the next start would find the same.
                    let hasBegun = isListening.withLock { $0 }
                    logger.log(hasBegun ? .stateLost : .stateUnusable, ["problem": "\(error)"])
                    log.finish()
                    exit(hasBegun ? error.exitStatus : EX_CONFIG)
                }
                statusChanged.withLock { $0 }?.changed()
            }
        }
        let makeHost: @Sendable (AppManifest, RunningHost.Beginning) throws -> SceneHost = { manifest, beginning in
            var settings = parts.settings
            // Short enough for every reader of JSON, because recordings have it.
            settings.seed = beginning.seed ?? .random(in: 0...UInt64(UInt32.max))
            // Not from the seed: whoever resets the daemon chooses that, and could then guess what placeholders stand for.
            var randomness = SystemRandomNumberGenerator()
            settings.secretKey = SecretKey(using: &randomness)
            if let kept { return try kept.begin(HostID.make(), manifest, settings, parts) }
            return try SceneHost(
                id: HostID.make(),
                manifest: manifest,
                adapters: program.adapters,
                settings: settings,
                clock: configuration.clock.make(date: beginning.date ?? configuration.start),
                executors: parts.executors,
                report: parts.report,
                code: program.code
            )
        }
        let watched: @Sendable (SceneHost) -> SceneHost = { host in
            if let records = log.records {
                _ = host.records.listen(replaying: true, onlyWatches: false, onlyOfKept: true, records.write)
            }
            code?.follow(host.records)
            _ = host.records.listen { record in
                if record.changesStatus { statusChanged.withLock { $0 }?.changed() }
            }
            return host
        }
        let former = try kept?.load()
        let investigated = try configuration.investigate.map { folder throws(StateError) in
            try KeptHosts.stored(in: folder)
        }
        let first = try await source.put(logger) { manifest in
            if let investigated {
                let host = watched(try KeptHosts.investigate(investigated, manifest, parts))
                await host.goOn(investigated)
                // By the manifest that was in force, unless another one is to be tried.
                if configuration.app != nil, host.manifestDigest != manifest.digest {
                    try await host.reload(manifest, adapters: program.adapters)
                }
                return host
            }
            guard let former, let host = try kept?.goOn(former, manifest, parts) else {
                return watched(try makeHost(manifest, RunningHost.Beginning()))
            }
            _ = watched(host)
            await host.goOn(former)
            if host.manifestDigest != manifest.digest { try await host.reload(manifest, adapters: program.adapters) }
            return host
        }
        let running = RunningHost(first) { old, beginning in
            // Whatever the old one does until it has ended is not kept: the new one takes its place.
            old.stopKeeping()
            return watched(try makeHost(old.manifest, beginning))
        }
        // Without another to try, what is investigated stays what it was.
        var lasting = source
        if configuration.app == nil, let investigated, let folder = configuration.investigate {
            lasting = AppSource(named: nil) { .text(investigated.manifest.json, name: "the manifest in \(folder)") }
        }
        let reloading = ManifestReloading(
            running: running,
            source: lasting,
            adapters: program.adapters,
            warnings: configuration.warnings,
            manager: manager,
            logger: logger
        )
        let connections = ConnectionCount()
        let memory = MemoryReturn(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
        let stopRequests = StopRequests()
        let status = StatusLine(
            eventLoop: loops.own,
            text: {
                Self.status(
                    running.current,
                    connections: connections.now,
                    appVersion: configuration.host.appVersion ?? program.owner?.version,
                    trouble: kept?.trouble?.error
                )
            },
            show: { manager.notify(.status($0)) }
        )
        statusChanged.withLock { $0 = status }
        let accounts = UserAccounts(waits: configuration.limits.connectionsPerUser) { user, reason in
            Counter(
                label: "scened_refusals",
                dimensions: [("user", user.map(String.init) ?? "others"), ("reason", reason)],
                factory: registry
            ).increment()
        }
        let controls = DaemonControls(
            version: DaemonVersion.current,
            code: program.owner.map { CodeIdentity(name: $0.name, version: $0.version) },
            manifestFile: lasting.source.file,
            settings: configuration.inForce(limits),
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
                if let kept { Meter(label: "scened_unwritten_steps", factory: registry).set(kept.trouble?.steps ?? 0) }
                return registry.text(with: Self.memory(running))
            },
            roles: configuration.policy.roles,
            accounts: accounts,
            process: { OwnProcess.usage },
            storage: {
                guard let kept, let folder = configuration.state else { return nil }
                let trouble = kept.trouble
                return StorageStatus(
                    folder: folder,
                    problem: trouble.map { "\($0.error)" },
                    waiting: trouble?.steps ?? 0
                )
            },
            askAdapters: program.adapters.isEmpty ? nil : code?.askAdapters
        )
        let server = try server(
            SocketAPI.services(running, controls: controls),
            configuration,
            keptBy: kept.map { (KeptReplies.release(of: running, in: $0), KeptReplies.refusal(in: $0)) },
            limits: limits,
            incidents: IncidentLog(logger: logger, factory: registry, accounts: accounts) { [clock = SystemClock()] in
                clock.now
            },
            longestStretch: { method, time in
                Meter(
                    label: "scened_longest_message_seconds",
                    dimensions: [("method", method ?? "")],
                    factory: registry
                )
                .set(Double(time.nanoseconds) / 1e9)
            },
            changed: {
                connections.changed()
                memory.changed()
                status.changed()
            },
            loops: loops
        )
        connections.watch(server)
        let daemon = Daemon(
            configuration: configuration,
            running: running,
            server: server,
            reloading: reloading,
            // Trapped before the daemon listens, so that none sent to it can end it.
            reloadSignals: await UnixSignalsSequence(trapping: .sighup),
            stopRequests: stopRequests,
            status: status,
            connections: connections,
            manager: manager,
            loops: loops,
            hasCode: code != nil,
            kept: kept,
            log: log
        )
        let isInherited = try await daemon.listen()
        isListening.withLock { $0 = true }
        if isInherited, let patience = configuration.idleExit {
            connections.exitWhenIdle(after: patience, eventLoop: loops.own) { stopRequests.request(.idle) }
        }
        let manifest = running.current.manifest
        logger.log(
            .running,
            ["app": "\(manifest.name)", "host": "\(running.current.records.host)", "version": "\(manifest.version)"]
        )
        return daemon
    }

    /// What is kept for clients, in all and for each user.
    private static func memory(_ running: RunningHost) -> [(key: MetricKey, value: Int)] {
        let use = running.current.memoryUse
        var gauges = [
            ("waiting", use.events.waiting), ("parked", use.events.parked), ("receipts", use.events.remembered),
            ("records", use.records), ("windows", use.shown),
        ].map { (key: MetricKey("scened_memory_bytes", [("use", $0.0)]), value: $0.1) }
        for user in UserUse.all(of: running) {
            for (use, bytes) in [
                ("waiting", user.waitingBytes), ("parked", user.parkedBytes), ("receipts", user.receiptBytes),
            ] {
                gauges.append((MetricKey("scened_user_memory_bytes", [("user", user.user), ("use", use)]), bytes))
            }
            gauges.append((MetricKey("scened_user_waiters", [("user", user.user)]), user.waiters))
            gauges.append((MetricKey("scened_user_timers", [("user", user.user)]), user.timers))
        }
        return gauges
    }

    /// Serves until it is asked to stop, then finishes the admitted events and flushes all replies.
    /// - Parameter stopSignals: SIGTERM and SIGINT, trapped before the daemon began to listen.
    func run(until stopSignals: StopSignals) async throws {
        let interval = try watchdogInterval()
        let threads = interval.map { _ in WatchdogThreads() }
        let parts = loops.parts
        var services: [any Service] = [
            ReloadSignal(signals: reloadSignals, reloading: reloading),
            Watchdog(
                // Of the app's own code its own watch tells: the service manager could only end all windows because of one.
                probe: { [running, hasCode] in
                    running.current.probe(
                        parts,
                        scenes: !hasCode,
                        actors: threads?.own,
                        locks: threads?.locks,
                        $0
                    )
                },
                interval: interval,
                allIsWell: { [manager] in manager.notify(.watchdog) },
                logger: logger,
                clock: threads.map { $0 as any Clock<Duration> } ?? ContinuousClock(),
                executor: threads?.own
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
                if reason == .idle { await handOver() }
                await lifecycle.triggerGracefulShutdown()
            }
        }
        try await lifecycle.run()
        signals.cancel()
        requests.cancel()
        await threads?.end()
        try kept?.close()
        logger.log(.stopped)
        await manager.end()
        try await loops.close()
    }

    /// Leaves the inherited socket to the next daemon, which the next client starts. Clients that connected at the last moment
    /// have a second to finish.
    private func handOver() async {
        logger.log(.idle)
        await server.stopListening()
        for _ in 0..<20 where server.connectionCount > 0 { try? await Task.sleep(for: .milliseconds(50)) }
    }

    /// Takes over the sockets that the service manager passed, or else binds one.
    /// - Returns: whether any was passed.
    private func listen() async throws -> Bool {
        let inherited = try listenDescriptors()
        for socket in inherited {
            try await server.adopt(descriptor: socket.descriptor)
            logger.log(.inheritedSocket, ["name": "\(socket.name)"])
        }
        guard inherited.isEmpty else { return true }
        let path = try configuration.socket ?? SocketPath.usual()
        try SocketPath.makeDirectory(of: path)
        try await server.listen(path: path)
        logger.log(.listening, ["socket": "\(path)"])
        return false
    }

    private static func server(
        _ services: [VarlinkService],
        _ configuration: DaemonConfiguration,
        keptBy kept: (release: VarlinkServer.Release, refuse: @Sendable (String) -> VarlinkError?)?,
        limits: VarlinkServerLimits,
        incidents: IncidentLog,
        longestStretch: @escaping @Sendable (String?, TimeAmount) -> Void,
        changed: @escaping @Sendable () -> Void,
        loops: EventLoops
    ) throws -> VarlinkServer {
        var options = VarlinkServer.Options()
        options.limits = limits
        options.authorize = configuration.policy.refusal
        options.report = incidents.note
        options.longestStretch = longestStretch
        options.connectionsChanged = changed
        options.acceptor = loops.own
        options.pauses = loops.pauses
        options.release = kept?.release
        if let kept { options.refuse = kept.refuse }
        let draining = Set(services.map(\.interface).filter(\.declaresDraining).map(\.name))
        options.cutOffError = { method in
            let interface = method.lastIndex(of: ".").map { String(method[..<$0]) } ?? ""
            return draining.contains(interface) ? VarlinkError("\(interface).Draining") : nil
        }
        return try VarlinkServer(
            services: services,
            identity: VarlinkIdentity(
                vendor: DaemonVersion.vendor,
                product: DaemonVersion.product,
                version: DaemonVersion.current,
                url: DaemonVersion.url
            ),
            options: options,
            group: loops.clients
        )
    }

    /// The status line, such as `Shop 2.3.1 (manifest 1): 2 scenes, 3 clients`.
    private static func status(
        _ host: SceneHost,
        connections: Int,
        appVersion: String?,
        trouble: StateError?
    ) -> String {
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let manifest = host.manifest
        let app = appVersion.map { "\(manifest.name) \($0)" } ?? manifest.name
        let storage = trouble == nil ? "" : "nothing can be written, so changes are refused; "
        return storage + "\(app) (manifest \(manifest.version)): \(count(host.scenes.count, "scene")), "
            + count(connections, "client")
    }
}

extension VarlinkInterface {
    /// Whether it has an error that says that the daemon stops.
    fileprivate var declaresDraining: Bool { members.contains { $0.name == "Draining" } }
}

extension Record {
    fileprivate var changesStatus: Bool {
        switch kind {
        case .sceneConnected, .sceneDisconnected, .sceneDiscarded, .manifestLoaded: true
        default: false
        }
    }
}

/// The daemon's identity on the wire and on the command line.
package enum DaemonVersion {
    static let vendor = "scened"
    static let product = "scened"
    package static let current = scenedVersion
    /// The manual, as scened.service names it.
    static let url = "man:scened(8)"
}
