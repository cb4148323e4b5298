package import SceneRouting

/// What a scene's parts need of their host. Nothing here knows the scene, so nothing reaches back. A class, because every
/// decision holds it and it has a dozen parts to retain.
package final class SceneContext: Sendable {
    package typealias Pause = @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void

    package let scene: String
    package let settings: HostSettings
    package let clock: any RuntimeClock
    package let app: CurrentApp
    package let store: SessionStore
    package let session: Session
    /// What the app has written in Swift.
    package let code: AppCode
    /// What the app's screens know of the scene; `nil` for one without screens.
    package let handle: SceneHandle?
    package let log: RecordLog
    package let ledger: EventLedger
    package let checkpoints: Checkpoints
    package let timer: TransitionTimer
    /// Told of every answer of the engine.
    package let report: @Sendable (ResolutionReport) -> Void
    package let life: SceneLifecycle
    /// Lets in what shares the scene's executor, then calls back; `nil` goes to the end of the executor's queue.
    package let pause: Pause?

    package init(
        scene: String,
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
        timer: TransitionTimer,
        report: @escaping @Sendable (ResolutionReport) -> Void,
        life: SceneLifecycle,
        pause: Pause?
    ) {
        self.scene = scene
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
        self.timer = timer
        self.report = report
        self.life = life
        self.pause = pause
    }

    /// The view of `snapshot` that a decision is made by.
    package func routing(_ snapshot: SessionSnapshot) -> RoutingContext {
        RoutingContext(snapshot, settings: settings, time: clock.wallTime)
    }
}
