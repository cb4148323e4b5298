internal import SceneNavigation
package import SceneVocabulary
internal import SceneRouting
internal import Basics

/// One window's session: a mailbox and, behind it, a root router, a dispatcher and a sweeper.
///
/// It outlives its window: while disconnected it keeps what was shown, its tickets and its parked intents.
package actor Scene: MailboxConsumer {
    package nonisolated let id: String
    /// The name of its tasks in reports.
    nonisolated let taskName: String
    package nonisolated let mailbox: Mailbox
    package nonisolated let published: PublishedState
    package nonisolated let life: SceneLifecycle
    private nonisolated let executor: any SerialExecutor
    private nonisolated let activity: ActivityMonitor
    private nonisolated let context: SceneContext
    private nonisolated let end = CompletionSignal()
    /// Reached when a scene of before a restart has been judged; `nil` for any other.
    private nonisolated let judged: CompletionSignal?
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    private let dispatcher: RouteDispatcher
    private let sweeper: Sweeper

    package init(
        context: SceneContext,
        configuration: String,
        start: Start,
        by opener: SceneLifecycle.Opener,
        activity: ActivityMonitor,
        executor: any SerialExecutor,
        newest: SessionSnapshot
    ) {
        id = context.scene
        taskName = "window \(context.scene)"
        life = context.life
        self.context = context
        self.activity = activity
        self.executor = executor
        if case .kept(let kept) = start {
            judged = CompletionSignal()
            mailbox = Mailbox(
                capacity: context.settings.mailboxCapacity,
                lastTicket: kept.lastTicket,
                waiting: kept.waiting
            )
        } else {
            judged = nil
            mailbox = Mailbox(capacity: context.settings.mailboxCapacity)
        }
        let (window, dropped) = start.window(context)
        let published = PublishedState(window: window)
        self.published = published
        let router = RootRouter(context: context, window: window, of: start.owner, published: published)
        self.router = router
        let gatekeeper = Gatekeeper(context: context, router: router)
        self.gatekeeper = gatekeeper
        dispatcher = RouteDispatcher(context: context, router: router, gatekeeper: gatekeeper)
        sweeper = Sweeper(context: context, router: router, gatekeeper: gatekeeper, dropped: dropped)
        // Shows and records the window before anything else can happen in it.
        switch start {
        case .clean: router.start(configuration: configuration, at: newest)
        case .restored:
            router.configuration = configuration
            sweeper.open(at: newest)
        case .kept(let kept):
            router.goOn(kept.scene, isSameApp: kept.isSameApp, at: newest)
            gatekeeper.restore(kept.scene, kept.parked)
            for event in kept.waiting where event.work.bringsForward { life.expectForeground() }
            return
        }
        life.open(by: opener)
        if life.current.activation == .background { context.lockIfDue(.background, at: newest) }
        gatekeeper.cover(at: newest)
        context.log.keep(gatekeeper.changed())
    }

    /// What a scene begins with.
    package enum Start: Sendable {
        /// The window with which the app starts; it is shown at once.
        case clean(WindowState)
        /// A saved window, such as one of an earlier run; it is shown at once, with only what may be shown.
        case restored(SavedWindow)
        /// A scene of before a restart, which is as it was; it is judged at its first sweep.
        case kept(KeptStart)

        /// Whose the window is, if that is known.
        fileprivate var owner: WindowOwner? {
            if case .restored(let saved) = self { saved.owner } else { nil }
        }

        /// The window, and what was left out of it because the app could not be showing it.
        ///
        /// - Parameter isWaitedFor: Whether something waits for the flow of a presentation.
        fileprivate func window(
            _ context: SceneContext,
            isWaitedFor: (ModalState) -> Bool = { _ in false }
        ) -> (WindowState, [Record.Removal]) {
            switch self {
            case .clean(let window): return (window, [])
            case .kept(let kept): return (kept.scene.window, [])
            case .restored(let saved):
                let (window, dropped) = WindowRestoration.restore(
                    saved.state,
                    engine: context.app.current.engine,
                    hasCode: context.code.decides,
                    isWaitedFor: isWaitedFor
                )
                return (window, dropped.map(Record.Removal.init))
            }
        }
    }

    nonisolated var pause: SceneContext.Pause? { context.pause }

    /// The executor that the host was given for this scene.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func handle(_ item: MailboxItem) async {
        switch item {
        case .event(let event):
            // An event that finds no window brings it back, and is then delivered cold.
            if life.current.phase == .disconnected { await restore(cause: event) }
            await dispatcher.dispatch(event)
        case .resume(let parked): await dispatcher.resume(parked)
        case .sweep:
            postResumes(await sweeper.sweep())
            judged?.reach()
        case .snapshot: if !recordSnapshot() { postSnapshot() }
        case .lifecycle(let change):
            let error = await handle(change.kind)
            gatekeeper.coverIfLocked()
            context.log.keep(gatekeeper.changed())
            change.reply(error)
        }
        gatekeeper.coverIfLocked()
        context.log.keep(gatekeeper.changed())
        router.reportLeaks(cause: item.cause)
        if gatekeeper.takeSweepRequest() { sessionDidCommit() }
        if context.log.takeSnapshotDue() { context.recordHostSnapshot() }
        activity.ended(id)
    }

    /// Records the scene as it is when its host goes on after a restart. Called before anything begins in it, with the session's lock
    /// held.
    func recordRestart(at newest: SessionSnapshot) {
        guard let shown = router.snapshot(at: newest) else { return }
        _ = mailbox.inspect { record($0, $1, shown, at: newest) }
    }

    /// Abandons what is left once the mailbox is closed; then ``whenEnded(_:)`` calls back.
    func finish() {
        let isDiscarded = life.isDiscarded
        gatekeeper.abandonAll(reason: isDiscarded ? "sceneDiscarded" : "shutdown")
        if isDiscarded {
            router.release(.sceneDiscarded)
            router.reportLeaks(cause: .dispatch)
        }
        end.reach()
        judged?.reach()
    }

    /// Waits until a scene of before a restart has been judged, or is gone.
    nonisolated func whenJudged() async {
        await withCheckedContinuation { continuation in
            guard let judged else { return continuation.resume() }
            judged.wait { continuation.resume() }
        }
    }

    /// Calls `notify` once, when nothing is going on in the scene any more; immediately if that is already so.
    package nonisolated func whenEnded(_ notify: @escaping @Sendable () -> Void) {
        end.wait(notify)
    }

    /// Queues a sweep. Called while the session's lock is held, so that no commit is missed.
    package nonisolated func sessionDidCommit() {
        activity.began(id)
        if !mailbox.postSweep() { activity.ended(id) }
    }

    /// Queues a snapshot of the scene.
    package nonisolated func postSnapshot() {
        activity.began(id)
        if !mailbox.postSnapshot() { activity.ended(id) }
    }

    /// What a scene's snapshot may take, about. One in which more waits makes none: a record has to fit into a reply.
    private static let largestSnapshot = 512 << 10

    /// Records what the scene is (<doc:Records#Snapshots>). Neither a commit nor an admission can come between.
    /// - Returns: `false` if a sweep has to come first.
    private func recordSnapshot() -> Bool {
        context.store.withNewest { newest in
            // A window that has never been shown is in no record yet.
            guard !life.isDiscarded, let shown = router.snapshot(at: newest) else { return true }
            return mailbox.inspect { lastTicket, waiting in
                let size = (waiting + gatekeeper.parked.map(\.event)).reduce(0) { $0 + $1.work.footprint }
                guard size + shown.window.state.footprint <= Self.largestSnapshot else { return }
                record(lastTicket, waiting, shown, at: newest)
            }
        }
    }

    private func record(
        _ lastTicket: Int,
        _ waiting: [AdmittedEvent],
        _ shown: RootRouter.Snapshot,
        at newest: SessionSnapshot
    ) {
        let life = life.current
        let snapshot = Record.SceneSnapshot(
            configuration: router.configuration,
            isConnected: life.phase == .connected,
            activation: life.activation,
            isLocked: life.isLocked,
            window: shown.window,
            judgedIn: shown.judgedIn,
            coordinators: shown.coordinators,
            lastTicket: lastTicket,
            waiting: waiting.map(Record.OpenEvent.init),
            parked: gatekeeper.parked.map(Record.Parked.init),
            gateFlows: gatekeeper.flowsShown,
            startedFlows: router.startedFlows
        )
        context.log.append(.sceneSnapshot(snapshot), Record.Subject(scene: id).at(newest))
    }

    private func handle(_ change: LifecycleChange.Kind) async -> SceneError? {
        switch change {
        case .connect(let configuration, let saved, let opener):
            router.configuration = configuration
            if let saved {
                let (window, dropped) = Start.restored(saved).window(context, isWaitedFor: gatekeeper.hasWaiting(for:))
                router.replaceReleased(by: window, of: saved.owner)
                sweeper.dropped = dropped
            }
            await restore(cause: nil)
            context.store.withNewest { newest in
                life.open(by: opener)
                if life.current.activation == .background { context.lockIfDue(.background, at: newest) }
                gatekeeper.cover(at: newest)
            }
        case .disconnect:
            router.release(.sceneDisconnected, life.disconnect)
        case .activate(let activation):
            do throws(SceneLifecycle.IllegalChange) {
                // Nobody can sign in or out between the window's leaving and its lock.
                try context.store.withNewest { newest throws(SceneLifecycle.IllegalChange) in
                    try life.change(to: activation)
                    if activation == .background { context.lockIfDue(.background, at: newest) }
                    gatekeeper.cover(at: newest)
                }
            } catch {
                return .illegalActivation(scene: id, from: error.from, to: error.to)
            }
        }
        return nil
    }

    /// Brings the window back, checked against the session before anything shows. Then resumes what may go on by now, which
    /// was due before whatever comes next.
    private func restore(cause: AdmittedEvent?) async {
        let ready = sweeper.restore(cause: cause)
        // What waits for the lock needs its flow there, if something else has taken that away.
        gatekeeper.coverIfLocked()
        for parked in ready { await dispatcher.resume(parked) }
    }

    private func postResumes(_ ready: [ParkedIntent]) {
        guard !ready.isEmpty else { return }
        activity.began(id, count: ready.count)
        if mailbox.postFirst(ready) { return }
        activity.ended(id, count: ready.count)
        for parked in ready { context.giveUp(parked, reason: life.isDiscarded ? "sceneDiscarded" : "shutdown") }
    }

    /// Abandons what the mailbox still held when it was closed, with `reason`; refuses changes of the scene with `error`.
    package nonisolated func giveUp(_ items: [MailboxItem], reason: String, refusing error: SceneError) {
        for item in items {
            switch item {
            case .event(let event): context.giveUp(event, reason: reason)
            case .resume(let parked): context.giveUp(parked, reason: reason)
            case .sweep, .snapshot: break
            case .lifecycle(let change): change.reply(error)
            }
            activity.ended(id)
        }
    }
}

/// Calls back, once and from any thread, when something is complete.
final class CompletionSignal: Sendable {
    private struct State {
        var isReached = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    func wait(_ notify: @escaping @Sendable () -> Void) {
        let isReached = state.withLock { state in
            if !state.isReached { state.waiting.append(notify) }
            return state.isReached
        }
        if isReached { notify() }
    }

    func reach() {
        let waiting = state.withLock { state in
            state.isReached = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for notify in waiting { notify() }
    }
}

/// A scene of before a restart, and what of it has not ended.
package struct KeptStart: Sendable {
    let scene: KeptScene
    /// Whether the app is the one by which the scene is as it is.
    let isSameApp: Bool
    let lastTicket: Int
    /// The events that have not ended and are not parked, by their tickets.
    let waiting: [AdmittedEvent]
    let parked: [ParkedIntent]
}
