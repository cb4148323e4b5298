package import SceneRouting

/// What a scene's parts need of their host. Nothing here knows the scene, so nothing reaches back.
package struct SceneContext: Sendable {
    package let scene: String
    package let settings: HostSettings
    package let clock: any RuntimeClock
    package let app: AppCell
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
    /// Lets in what shares the scene's executor.
    package let pause: @Sendable () async -> Void

    /// The view of `snapshot` that a decision is made by.
    package func routing(_ snapshot: SessionSnapshot) -> RoutingContext {
        RoutingContext(snapshot, settings: settings, time: clock.wallTime)
    }
}
