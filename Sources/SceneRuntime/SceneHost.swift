public import SceneEntryPoints
internal import SceneNavigation
public import SceneRouting
internal import Synchronization

/// One app running in many windows that share one session: the whole runtime, without a socket.
///
/// Every call is safe from any thread. The locks are taken in one order, outermost first: the session's, the
/// directory's, a mailbox's, then the activity monitor's, the ledger's and the record log's.
public final class SceneHost: Sendable {
    struct State {
        var directory = SceneDirectory()
        var isDraining = false
    }

    /// The shared session.
    public let session: Session
    /// The history.
    public let records: RecordLog
    let settings: HostSettings
    let clock: any RuntimeClock
    let executors: HostExecutors
    let app: AppCell
    let store: SessionStore
    let ledger: EventLedger
    let checkpoints: Checkpoints
    let timer: TransitionTimer
    let activity: ActivityMonitor
    let state: Shared

    /// The state that the session's announcements reach too, which are made before the host exists.
    final class Shared: Sendable {
        let mutex = Mutex(State())
    }

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - id: The host's ID, which every record carries; unique among the hosts whose records meet.
    ///   - adapters: Adapters written in Swift, besides those of the manifest.
    /// - Throws: What is wrong with the manifest.
    public init(
        id: String,
        manifest: AppManifest,
        adapters: [any EntryPointAdapter] = [],
        settings: HostSettings = HostSettings(),
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled()
    ) throws(ManifestProblems) {
        let loaded = LoadedApp(
            engine: try RoutingEngine(manifest: manifest),
            adapters: AdapterChain(manifest: manifest, adapters: adapters),
            facts: FactDeclarations(manifest)
        )
        let app = AppCell(loaded)
        let state = Shared()
        let log = RecordLog(host: id, clock: clock, capacity: settings.retainedRecords)
        let store = SessionStore(SessionSnapshot(revision: 0, epoch: 0, user: nil, facts: loaded.facts.defaults))
        self.settings = settings
        self.clock = clock
        self.executors = executors
        self.app = app
        self.state = state
        self.store = store
        records = log
        ledger = EventLedger(retained: settings.retainedEvents)
        checkpoints = Checkpoints()
        let activity = ActivityMonitor()
        self.activity = activity
        timer = TransitionTimer(clock: clock)
        session = Session(declarations: loaded.facts, store: store, clock: clock, executor: executors.session) {
            snapshot,
            origin in
            // Busy from before the commit is recorded, so that no quiet falls between it and the sweeps it causes.
            activity.began(Self.committing)
            defer { activity.ended(Self.committing) }
            let truths = app.current.truths(by: snapshot, at: clock.wallTime)
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
            state.mutex.withLock { state in
                for entry in state.directory.entries.values { entry.scene.sessionDidCommit() }
            }
        }
        log.append(
            .hostStarted(
                app: manifest.name,
                manifestVersion: manifest.version,
                settings: settings,
                truths: loaded.truths(by: store.snapshot, at: clock.wallTime)
            ),
            Record.Subject(revision: 0, epoch: 0)
        )
    }

    /// What the activity monitor counts a commit under; no scene can have this ID.
    private static let committing = ""

    /// The app's manifest as it is in force.
    public var manifest: AppManifest { app.current.manifest }
}
