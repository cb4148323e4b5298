public import SceneEntryPoints
internal import SceneNavigation
public import SceneRouting
internal import Locking

/// One app running in many windows that share one session: the whole runtime, without a socket.
///
/// Every call is safe from any thread. The locks are taken in one order, outermost first: the session's, the
/// directory's, a mailbox's, then the activity monitor's, the ledger's and the record log's.
public final class SceneHost: Sendable {
    struct State {
        var directory = SceneDirectory()
        var isDraining = false
        /// Whether the end has been recorded, which happens once.
        var hasStopped = false
    }

    /// The shared session.
    public let session: Session
    /// The history.
    public let records: RecordLog
    let settings: HostSettings
    let clock: any RuntimeClock
    let executors: HostExecutors
    let report: @Sendable (ResolutionReport) -> Void
    let code: AppCode
    let app: AppCell
    let store: SessionStore
    let ledger: EventLedger
    let checkpoints: Checkpoints
    let timer: TransitionTimer
    let activity: ActivityMonitor
    let activations = SceneLifecycle.ActivationOrder()
    let state: Shared

    /// The state that the session's announcements reach too, which are made before the host exists.
    final class Shared: Sendable {
        let mutex = Guarded(State())
    }

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - id: The host's ID, which every record carries; unique among the hosts whose records meet.
    ///   - adapters: Adapters written in Swift, besides those of the manifest.
    ///   - report: Told of every answer of the routing engine, wherever it is given; it must return at once.
    ///   - code: What the app has written in Swift besides: coordinators, screens, a seam.
    /// - Throws: What is wrong with the manifest.
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
            app: try LoadedApp(manifest: manifest, adapters: adapters),
            settings: settings,
            clock: clock,
            executors: executors,
            report: report,
            code: code
        )
    }

    /// Starts a host of an app that is compiled already, which is most of the work of starting one.
    ///
    /// - Parameter interrupt: Lets others in at each of the points of ``HoldPoint``.
    package init(
        id: String,
        app loaded: LoadedApp,
        settings: HostSettings = HostSettings(),
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled(),
        report: @escaping @Sendable (ResolutionReport) -> Void = { _ in },
        code: AppCode = AppCode(),
        interrupt: (@Sendable () async -> Void)? = nil
    ) {
        let manifest = loaded.manifest
        let app = AppCell(loaded)
        let state = Shared()
        let log = RecordLog(host: id, clock: clock, capacity: settings.retainedRecords)
        let store = SessionStore(SessionSnapshot(revision: 0, epoch: 0, user: nil, facts: loaded.facts.defaults))
        self.settings = settings
        self.clock = clock
        self.executors = executors
        self.report = report
        self.code = code
        self.app = app
        self.state = state
        self.store = store
        records = log
        ledger = EventLedger(retained: settings.retainedEvents)
        let activity = ActivityMonitor()
        self.activity = activity
        checkpoints = Checkpoints(activity: activity, interrupt: interrupt)
        timer = TransitionTimer(clock: clock, activity: activity)
        session = Session(
            declarations: loaded.facts,
            store: store,
            clock: clock,
            executor: executors.session,
            activity: activity
        ) { [weak state] snapshot, origin in
            // Weakly: scenes hold the session, and held by it in turn they would outlive their host.
            // Busy from before the commit is recorded, so that no quiet falls between it and the sweeps it causes.
            activity.began(ActivityMonitor.session)
            defer { activity.ended(ActivityMonitor.session) }
            let truths = app.current.truths(RoutingContext(snapshot, settings: settings, time: clock.wallTime))
            log.append(
                .sessionCommitted(user: snapshot.user, origin: origin, truths: truths),
                Record.Subject(
                    scene: origin.scene,
                    event: origin.event,
                    connection: origin.connection,
                    revision: snapshot.revision,
                    epoch: snapshot.epoch
                )
            )
            state?.mutex.withLock { state in
                for entry in state.directory.inOrder where !Fault.missingSweep.isMade {
                    entry.scene.sessionDidCommit()
                }
            }
        }
        log.append(
            .hostStarted(
                app: manifest.name,
                manifestVersion: manifest.version,
                settings: settings,
                truths: loaded.truths(RoutingContext(store.snapshot, settings: settings, time: clock.wallTime))
            ),
            Record.Subject(revision: 0, epoch: 0)
        )
    }

    /// The routing engine as it is in force, for questions that touch no scene.
    public var engine: RoutingEngine { app.current.engine }

    /// What the session is to the routing engine, now.
    public var routingContext: RoutingContext { routingContext(store.snapshot) }

    func routingContext(_ snapshot: SessionSnapshot) -> RoutingContext {
        RoutingContext(snapshot, settings: settings, time: clock.wallTime)
    }

    /// Facts as the manifest declares them.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``.
    public func checked(_ facts: [String: FactValue]) throws(SessionError) -> [String: FactValue] {
        try app.current.facts.checked(facts)
    }

    /// How long the host has been running.
    public var uptime: Duration { clock.now }

    /// The app's manifest as it is in force.
    public var manifest: AppManifest { app.current.manifest }
}
