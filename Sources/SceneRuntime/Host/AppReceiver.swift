internal import Basics

/// The app itself, as the receiver of what wakes no window: one mailbox with tickets of its own
/// (<doc:MailboxOrder#The-mailbox-of-the-app>).
package actor AppReceiver: MailboxConsumer {
    package nonisolated let mailbox: Mailbox
    nonisolated let taskName = "the app"
    nonisolated let pause: SceneContext.Pause?
    private nonisolated let executor: any SerialExecutor
    private nonisolated let store: SessionStore
    private nonisolated let log: RecordLog
    private nonisolated let ledger: EventLedger
    private nonisolated let checkpoints: Checkpoints
    private nonisolated let interrupted: InterruptedAttempts
    private nonisolated let activity: ActivityMonitor
    private nonisolated let background: BackgroundRunner
    private nonisolated let end = CompletionSignal()

    init(
        settings: HostSettings,
        executors: HostExecutors,
        store: SessionStore,
        background: BackgroundRunner,
        log: RecordLog,
        ledger: EventLedger,
        checkpoints: Checkpoints,
        interrupted: InterruptedAttempts,
        activity: ActivityMonitor,
        lastTicket: Int = 0,
        waiting: [AdmittedEvent] = []
    ) {
        // It does little, so it shares the executor of the first scene.
        executor = executors.scene(0)
        pause = executors.pause(of: 0)
        mailbox = Mailbox(capacity: settings.mailboxCapacity, lastTicket: lastTicket, waiting: waiting)
        self.store = store
        self.background = background
        self.log = log
        self.ledger = ledger
        self.checkpoints = checkpoints
        self.interrupted = interrupted
        self.activity = activity
        // What is left of before a restart goes on when the host does.
        guard waiting.isEmpty else { return }
        // There is nothing yet, so it rests. A host that is let go without having been stopped lets this go, too.
        _ = mailbox.take(orRest: { [weak self] in
            guard let self else { return }
            Task(name: taskName) { await self.run() }
        })
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func handle(_ item: MailboxItem) async {
        switch item {
        case .event(let event): await deliver(event)
        case .snapshot: recordSnapshot()
        // Only a scene is asked for these.
        case .resume, .sweep, .lifecycle: break
        }
        activity.ended(ActivityMonitor.app)
    }

    func finish() { end.reach() }

    /// Goes on with what had not ended before a restart.
    nonisolated func goOn(_ count: Int) {
        guard count > 0 else { return }
        activity.began(ActivityMonitor.app, count: count)
        Task(name: taskName) { await run() }
    }

    /// Records what is left of before a restart.
    nonisolated func recordRestart() {
        _ = mailbox.inspect {
            log.append(.appSnapshot(Record.AppSnapshot(lastTicket: $0, waiting: $1.map(Record.OpenEvent.init))))
        }
    }

    private func deliver(_ event: AdmittedEvent) async {
        let attempt = Attempt(event, scene: nil)
        let pass = { @Sendable [checkpoints, subject = attempt.subject] (point: HoldPoint) in
            await checkpoints.pass(HeldDispatch(point, .dispatch, subject))
        }
        await pass(.admitted)
        await interrupted.carryOut(after: attempt.interruptions) { await deliver(event, attempt, pass) }
    }

    private func deliver(_ event: AdmittedEvent, _ attempt: Attempt, _ pass: @Sendable (HoldPoint) async -> Void) async
    {
        log.append(.dispatchBegan(kind: .dispatch), attempt.subject, keeping: [attempt.began])
        if event.isRestored { await log.untilKept() }
        var ending = Ending(.delivered, store.snapshot)
        switch event.work {
        case _ where attempt.isGivenUp: ending = .givenUp(at: store.snapshot)
        case .perform, .hear: ending = await background.carryOut(event.work, attempt, pass: pass)
        case .navigate, .deliver, .handled, .reject, .bubble, .gesture, .finish: break
        }
        finish(attempt, ending)
        await pass(.settled)
    }

    private nonisolated func finish(_ attempt: Attempt, _ ending: Ending) {
        let end = AttemptEnding(
            outcome: ending.outcome,
            revision: ending.snapshot.revision,
            windows: attempt.windows
        )
        log.append(
            .dispatchEnded(outcome: ending.outcome),
            attempt.subject.at(ending.snapshot),
            keeping: [end.kept(for: attempt.event)]
        )
        ledger.update(attempt.event, end)
    }

    /// Queues a snapshot of what the app has admitted.
    nonisolated func postSnapshot() {
        activity.began(ActivityMonitor.app)
        if !mailbox.postSnapshot() { activity.ended(ActivityMonitor.app) }
    }

    /// Records what the app has admitted (<doc:Records#Snapshots>). No admission can come between.
    private func recordSnapshot() {
        _ = mailbox.inspect { lastTicket, waiting in
            let snapshot = Record.AppSnapshot(lastTicket: lastTicket, waiting: waiting.map(Record.OpenEvent.init))
            log.append(.appSnapshot(snapshot))
        }
    }

    /// Calls `notify` once, when nothing is going on in the app any more; immediately if that is already so.
    nonisolated func whenEnded(_ notify: @escaping @Sendable () -> Void) { end.wait(notify) }

    /// Admits nothing more, and abandons what waits because the host stops.
    nonisolated func close() {
        if mailbox.closeUnused() { return end.reach() }
        for case .event(let event) in mailbox.close() {
            let attempt = Attempt(event, scene: nil)
            finish(attempt, Ending(.abandoned(reason: "shutdown"), store.snapshot))
            activity.ended(ActivityMonitor.app)
        }
    }
}
