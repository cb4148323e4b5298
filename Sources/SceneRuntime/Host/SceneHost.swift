internal import Basics
public import SceneEntryPoints
internal import SceneNavigation
public import SceneRouting
package import StrictJSON

/// One app running in many windows that share one session: the whole runtime, without a socket.
///
/// All of it may be called from any thread. Locks are taken in one order, outermost first: the session's, the directory's,
/// a mailbox's or the checkpoints', a virtual clock's, then the activity monitor's, the ledger's and the record log's, and the clock's
/// time. Whoever is notified by the activity monitor may hold those of the checkpoints and the clock.
public final class SceneHost: Sendable {
    /// The session that all scenes share.
    public let session: Session
    /// The host's history.
    public let records: RecordLog
    let settings: HostSettings
    /// The seed of what the host leaves to chance.
    package var seed: UInt64 { settings.seed }
    let clock: any RuntimeClock
    let executors: HostExecutors
    let report: @Sendable (ResolutionReport) -> Void
    let code: AppCode
    let app: CurrentApp
    let store: SessionStore
    let ledger: EventLedger
    let checkpoints: Checkpoints
    let interrupted = InterruptedAttempts()
    let timer: TransitionTimer
    let activity = ActivityMonitor()
    let activations = SceneLifecycle.ActivationOrder()
    let directory = SharedDirectory()
    /// What the app itself can ask of windows; there once the host is.
    private let windows = Guarded<WindowDesk?>(nil)
    /// The app itself, which gets what wakes no window.
    let appReceiver: AppReceiver
    let door: EventDoor
    /// Returns the routing engine's view of a snapshot.
    let routing: @Sendable (SessionSnapshot) -> RoutingContext
    /// What the host leaves to chance.
    let chance: Guarded<SplitMix>
    let announcer: CommitAnnouncer

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - id: The host's ID, which every record carries; unique among the hosts whose records meet.
    ///   - manifest: The app.
    ///   - adapters: Adapters written in Swift, in addition to those of the manifest.
    ///   - settings: The host's bounds and durations.
    ///   - clock: The source of time.
    ///   - executors: Where the session and the scenes run.
    ///   - report: Called with every answer of the routing engine, on any thread; it must return at once.
    ///   - code: The app's coordinators, screens, seam and coordinator for notifications in Swift, if it has any.
    /// - Throws: What is wrong with the manifest, or does not fit the code and the adapters.
    public convenience init(
        id: String,
        manifest: AppManifest,
        adapters: [any EntryPointAdapter] = [],
        settings: HostSettings = HostSettings(),
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled(),
        report: @escaping @Sendable (ResolutionReport) -> Void = { _ in },
        code: AppCode = AppCode()
    ) throws(ManifestProblems) {
        self.init(
            id: id,
            app: try LoadedApp(manifest: manifest, adapters: adapters, code: code, secrets: settings.secretKey),
            settings: settings,
            clock: clock,
            executors: executors,
            report: report,
            code: code
        )
    }

    /// Starts a host of an app whose manifest is compiled already, which is most of the work.
    ///
    /// - Parameters:
    ///   - interrupt: Awaited at each ``HoldPoint``, to let others run.
    ///   - keeper: Keeps what the host has to find again; `nil` for a host that forgets.
    package convenience init(
        id: String,
        app loaded: LoadedApp,
        settings: HostSettings = HostSettings(),
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled(),
        report: @escaping @Sendable (ResolutionReport) -> Void = { _ in },
        code: AppCode = AppCode(),
        interrupt: (@Sendable () async -> Void)? = nil,
        keeper: (any StateKeeper)? = nil
    ) {
        self.init(
            app: loaded,
            settings: settings,
            clock: clock,
            executors: executors,
            report: report,
            code: code,
            interrupt: interrupt,
            session: SessionSnapshot(revision: 0, epoch: 0, user: nil, facts: loaded.facts.defaults),
            records: RecordLog(
                host: id,
                clock: clock,
                capacity: settings.retainedRecords,
                bytes: settings.retainedRecordBytes,
                snapshotAfter: settings.snapshotInterval,
                keeper: keeper
            ),
            ledger: EventLedger(EventLedger.Limits(settings))
        )
        let facts = store.snapshot.facts
        records.append(
            .hostStarted(
                Record.Start(
                    app: loaded.manifest.name,
                    manifestVersion: loaded.manifest.version,
                    manifest: loaded.digest,
                    hasCode: code.decides,
                    settings: settings,
                    truths: loaded.truths(routing(store.snapshot)).all,
                    facts: facts
                )
            ),
            Record.Subject(revision: 0, epoch: 0)
        )
    }

    /// Makes the parts of a host of which nothing is recorded yet.
    init(
        app loaded: LoadedApp,
        former: [(digest: String, manifest: AppManifest)] = [],
        settings: HostSettings,
        clock: any RuntimeClock,
        executors: HostExecutors,
        report: @escaping @Sendable (ResolutionReport) -> Void,
        code: AppCode,
        interrupt: (@Sendable () async -> Void)?,
        session snapshot: SessionSnapshot,
        choices: VariantChoices = VariantChoices(),
        records: RecordLog,
        ledger: EventLedger,
        lastTicket: Int = 0,
        waiting: [AdmittedEvent] = []
    ) {
        let routing = { @Sendable in RoutingContext($0, settings: settings, time: clock.wallTime) }
        self.settings = settings
        self.clock = clock
        self.executors = executors
        self.report = report
        self.code = code
        self.routing = routing
        chance = Guarded(SplitMix(seed: settings.seed))
        app = CurrentApp(loaded, former: former)
        self.records = records
        announcer = CommitAnnouncer(
            app: app,
            log: records,
            activity: activity,
            routing: routing,
            directory: directory
        )
        store = SessionStore(snapshot, choices, records)
        self.ledger = ledger
        checkpoints = Checkpoints(activity: activity, log: records, interrupt: interrupt)
        timer = TransitionTimer(clock: clock, activity: activity)
        session = Session(
            declarations: loaded.facts,
            store: store,
            clock: clock,
            executor: executors.session,
            activity: activity,
            keep: { records.keep($0()) },
            announce: announcer.announce
        )
        appReceiver = AppReceiver(
            settings: settings,
            executors: executors,
            store: store,
            background: BackgroundRunner(
                app: app,
                store: store,
                session: session,
                routing: routing,
                notifications: code.notifications,
                windows: { [windows] in windows.read { $0 } }
            ),
            log: records,
            ledger: ledger,
            checkpoints: checkpoints,
            interrupted: interrupted,
            activity: activity,
            lastTicket: lastTicket,
            waiting: waiting
        )
        door = EventDoor(
            app: app,
            store: store,
            routing: routing,
            hearsNotifications: code.notifications != nil,
            report: report
        )
        windows.withLock { $0 = windowDesk }
    }

    /// The routing engine that is in force, for questions that touch no scene.
    public var engine: RoutingEngine { app.current.engine }

    /// The routing engine's view of the session, now.
    public var routingContext: RoutingContext {
        store.withChoices { newest, choices in
            var context = routing(newest)
            context.choices = choices.kept(for: newest.user)
            return context
        }
    }

    /// Which variants were chosen for a user, `nil` for nobody, by the IDs of the destinations (<doc:WayOfAnEvent#Variants>).
    package func choices(for user: String?) -> [String: String] {
        store.withChoices { _, choices in choices.kept(for: user) }
    }

    /// The facts in the types that the manifest declares: an integer given for a number becomes a number.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``.
    public func checked(_ facts: [String: FactValue]) throws(SessionError) -> [String: FactValue] {
        try app.current.facts.checked(facts)
    }

    /// How long the host has been running, by its clock.
    public var uptime: Duration { clock.now }

    /// How much memory the host keeps for its clients, as it counts it. Asking takes longer the more there is.
    public var memoryUse: MemoryUse {
        var use = MemoryUse()
        ledger.add(to: &use)
        use.records = records.bytes
        use.shown = directory.withLock { $0.inOrder }.reduce(0) { $0 + $1.scene.published.current.window.footprint }
        return use
    }

    /// The app's manifest that is in force.
    public var manifest: AppManifest { app.current.manifest }

    /// The digest of the manifest that is in force, by which records name it (<doc:Records#Manifests>).
    public var manifestDigest: String { app.current.digest }

    /// The manifests that are in force or were, with the digests by which records name them: the 16 that were last, the one in force
    /// at the end.
    package var manifests: [(digest: String, manifest: AppManifest)] { app.manifests }

    /// The manifest with this digest, as JSON that can be read as a manifest file; `nil` if it was never in force, or is not
    /// among the 16 that were last.
    package func manifestJSON(digest: String) -> JSONObject? { app.manifest(digest)?.json }

    /// Puts another manifest in force, atomically: a dispatch in progress keeps the version that it began with, whatever
    /// begins later uses the new one, and what is on screen and no longer exists is removed (<doc:Scenes#Another-manifest>).
    ///
    /// - Parameters:
    ///   - manifest: The manifest that is to be in force.
    ///   - adapters: Adapters written in Swift, in addition to those of the manifest.
    /// - Throws: What is wrong with the manifest, or does not fit the code and the adapters; the old one then stays in force.
    public func reload(
        _ manifest: AppManifest,
        adapters: [any EntryPointAdapter] = []
    ) async throws(ManifestProblems) {
        let loaded = try LoadedApp(manifest: manifest, adapters: adapters, code: code, secrets: settings.secretKey)
        await session.adopt(loaded.facts) { announcer.adopt(loaded, at: $0, announceCommit: $1) }
    }
}
