package import SceneRouting

/// What the parts of a scene need from their host. None of it refers to the scene, so there is no cycle.
///
/// A class rather than a struct: every decision holds it, and copying it would retain fifteen parts.
package final class SceneContext: Sendable {
    package typealias Pause = @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void

    package let scene: String
    /// The scene's place in the order opened, from 1.
    package let number: Int
    package let settings: HostSettings
    package let clock: any RuntimeClock
    package let app: CurrentApp
    package let store: SessionStore
    package let session: Session
    /// The app's code in Swift.
    package let code: AppCode
    /// What the app's screens know of the scene; `nil` for an app without screens.
    package let handle: SceneHandle?
    package let log: RecordLog
    package let ledger: EventLedger
    package let checkpoints: Checkpoints
    package let interrupted: InterruptedAttempts
    package let timer: TransitionTimer
    /// Called with every answer of the routing engine.
    package let report: @Sendable (ResolutionReport) -> Void
    package let life: SceneLifecycle
    /// Records what the host is, and has each scene do so.
    package let recordHostSnapshot: @Sendable () -> Void
    /// What the scene can ask of its host.
    package let windows: WindowDesk
    /// Lets others that share the scene's executor run, then calls back; with `nil` the scene goes to the end of the
    /// executor's queue.
    package let pause: Pause?

    package init(
        scene: String,
        number: Int = 1,
        settings: HostSettings,
        clock: any RuntimeClock,
        app: CurrentApp,
        store: SessionStore,
        session: Session,
        code: AppCode,
        handle: SceneHandle?,
        log: RecordLog,
        ledger: EventLedger,
        checkpoints: Checkpoints,
        interrupted: InterruptedAttempts,
        timer: TransitionTimer,
        report: @escaping @Sendable (ResolutionReport) -> Void,
        life: SceneLifecycle,
        recordHostSnapshot: @escaping @Sendable () -> Void,
        windows: WindowDesk,
        pause: Pause?
    ) {
        self.scene = scene
        self.number = number
        self.settings = settings
        self.clock = clock
        self.app = app
        self.store = store
        self.session = session
        self.code = code
        self.handle = handle
        self.log = log
        self.ledger = ledger
        self.checkpoints = checkpoints
        self.interrupted = interrupted
        self.timer = timer
        self.report = report
        self.life = life
        self.recordHostSnapshot = recordHostSnapshot
        self.windows = windows
        self.pause = pause
    }

    /// The routing engine's view of `snapshot` in this window, at the clock's present time.
    package func routing(_ snapshot: SessionSnapshot) -> RoutingContext {
        var routing = RoutingContext(snapshot, settings: settings, time: clock.wallTime)
        routing.isLocked = life.isLocked
        return routing
    }

    /// The routing engine's view of `snapshot` by which a window keeps what it shows.
    package func routingOfShown(_ snapshot: SessionSnapshot) -> RoutingContext { routing(snapshot).forWhatIsShown }

    /// Locks the window if the app's lock asks for that now. Called with the session's lock held.
    func lockIfDue(_ reason: LockReason, at newest: SessionSnapshot) {
        if app.current.engine.locks(context: routing(newest)) { life.lock(reason, at: newest) }
    }
}
