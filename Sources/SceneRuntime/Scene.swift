package import SceneNavigation

/// One window's session: a mailbox and, behind it, one root router and one dispatcher.
///
/// Whatever awaits lie inside a dispatch, the next item is taken only when it has ended: there is one consumer, and it
/// waits.
package actor Scene {
    package nonisolated let id: String
    package nonisolated let configuration: String
    package nonisolated let mailbox: Mailbox
    package nonisolated let published: RootRouter.Published
    private nonisolated let executor: any SerialExecutor
    private nonisolated let activity: ActivityMonitor
    private nonisolated let context: SceneContext
    private let dispatcher: RouteDispatcher

    package init(
        context: SceneContext,
        configuration: String,
        window: WindowState,
        activity: ActivityMonitor,
        executor: any SerialExecutor,
        newest: SessionSnapshot
    ) {
        id = context.scene
        self.context = context
        self.configuration = configuration
        self.activity = activity
        self.executor = executor
        mailbox = Mailbox(capacity: context.settings.mailboxCapacity)
        let published = RootRouter.Published(window: window)
        self.published = published
        let router = RootRouter(context: context, window: window, published: published)
        // Records the window before anything else can happen in it.
        router.start(configuration: configuration, restored: false, at: newest)
        dispatcher = RouteDispatcher(context: context, router: router)
    }

    /// The injected executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Handles the mailbox's items one after the other until it is closed.
    package func run() async {
        while let item = await mailbox.next() {
            switch item {
            case .event(let event): await dispatcher.dispatch(event)
            case .resume(let parked): await dispatcher.resume(parked)
            case .sweep: postResumes(await dispatcher.sweep())
            }
            if dispatcher.takeSweepRequest() { sessionDidCommit() }
            activity.ended(id)
        }
        dispatcher.abandonParked(reason: "shutdown")
    }

    /// Queues a sweep; called while the session's lock is held, so that no commit goes unseen.
    package nonisolated func sessionDidCommit() {
        activity.began(id)
        if !mailbox.postSweep() { activity.ended(id) }
    }

    private func postResumes(_ ready: [ParkedIntent]) {
        guard !ready.isEmpty else { return }
        activity.began(id, count: ready.count)
        if mailbox.postFirst(ready) { return }
        activity.ended(id, count: ready.count)
        dispatcher.abandon(ready, reason: "shutdown")
    }
}
