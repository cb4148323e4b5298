internal import SceneNavigation
internal import SceneRouting

/// Dispatches one event at a time in a scene: records that an attempt begins, has the runner for its kind carry it out,
/// records how it ended, and notifies those who wait.
///
/// It belongs to the scene's actor, and only the mailbox's consumer calls it, so no two attempts overlap.
final class RouteDispatcher {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    private let navigator: Navigator
    private let actions: ActionRunner
    private let background: BackgroundRunner

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
        let steps = StepRunner(context: context, router: router, gatekeeper: gatekeeper)
        navigator = Navigator(context: context, router: router, gatekeeper: gatekeeper, steps: steps)
        let flows = FlowRunner(
            context: context,
            router: router,
            gatekeeper: gatekeeper,
            steps: steps,
            navigator: navigator
        )
        actions = ActionRunner(context: context, router: router, steps: steps, flows: flows)
        background = BackgroundRunner(
            app: context.app,
            store: context.store,
            session: context.session,
            routing: context.routing,
            notifications: context.code.notifications,
            windows: { context.windows }
        )
    }

    /// Makes an event's first attempt, or after a restart the one that begins again.
    func dispatch(_ event: AdmittedEvent) async {
        let attempt = Attempt(event, scene: context.scene)
        await context.pass(.admitted, attempt)
        await context.interrupted.carryOut(after: attempt.interruptions) { await dispatch(event, attempt) }
    }

    private func dispatch(_ event: AdmittedEvent, _ attempt: Attempt) async {
        // A tap brings the window to the front whatever comes of it, around the app's hearing of it
        // (<doc:Scenes#What-brings-a-window-to-the-front>).
        let hasBegun = context.life.begin(bringingForward: event.work.bringsForward) {
            context.log.append(.dispatchBegan(kind: .dispatch), attempt.subject, keeping: [attempt.began])
        }
        guard hasBegun else { return context.giveUp(event, reason: "sceneDiscarded") }
        if event.isRestored { await context.log.untilKept() }
        // Whoever brought a locked window to the front sees its lock, whatever the event wants.
        if event.work.bringsForward { gatekeeper.coverIfLocked(attempt) }
        let ending = await carryOut(event.work, attempt)
        // Count first: whoever hears of the end and looks at the scene must find it counted.
        router.published.countSettled()
        end(attempt, ending)
        await context.pass(.settled, attempt)
    }

    private func carryOut(_ work: EventWork, _ attempt: Attempt) async -> Ending {
        if attempt.isGivenUp { return .givenUp(at: context.store.snapshot) }
        return switch work {
        case .navigate(let request, _): await navigator.navigate(request, attempt, unless: attempt.isLeft)
        case .bubble(let intent, let reporter):
            unlessDiscarded(await actions.bubble(intent, from: reporter, attempt), attempt)
        case .gesture(let gesture): unlessDiscarded(await actions.carryOut(gesture, attempt), attempt)
        case .finish(let flow, let result):
            unlessDiscarded(await actions.report(result, of: flow, attempt), attempt)
        case .perform, .hear: await performInBackground(work, attempt)
        case .deliver, .handled: Ending(.delivered, context.store.snapshot)
        case .reject(let reason):
            await navigator.showFallback(attempt, Ending(.rejected(reason: reason), context.store.snapshot))
        }
    }

    private func performInBackground(_ work: EventWork, _ attempt: Attempt) async -> Ending {
        let life = context.life
        return await background.carryOut(work, attempt, unless: { life.isDiscarded }) {
            await context.pass($0, attempt)
        }
    }

    /// Makes another attempt of an intent whose precondition holds now, in the same way as the first
    /// (<doc:TheSession#S1>).
    func resume(_ parked: ParkedIntent) async {
        let attempt = Attempt(
            event: parked.event,
            number: parked.attempt + 1,
            kind: .resume,
            interruptions: parked.interruptions,
            scene: context.scene,
            unsatisfied: parked.isUnsatisfied ? parked.gate : nil
        )
        await context.pass(.admitted, attempt)
        await context.interrupted.carryOut(after: attempt.interruptions) { await resume(parked, attempt) }
    }

    private func resume(_ parked: ParkedIntent, _ attempt: Attempt) async {
        let hasBegun = context.life.begin(bringingForward: false) {
            context.log.append(.dispatchBegan(kind: .resume), attempt.subject, keeping: [attempt.began])
        }
        guard hasBegun else {
            gatekeeper.noteResumed(parked)
            return context.giveUp(parked, reason: "sceneDiscarded")
        }
        if parked.event.isRestored { await context.log.untilKept() }
        let ending: Ending =
            attempt.isGivenUp
            ? .givenUp(at: context.store.snapshot)
            : await navigator.navigate(parked.request, attempt, unless: parked.isLeft)
        gatekeeper.noteResumed(parked)
        end(attempt, ending)
        await context.pass(.settled, attempt)
    }

    /// `ending`, or `abandoned` if the scene has been discarded meanwhile: then nothing was done in its window. What has closed the
    /// window itself has been done.
    private func unlessDiscarded(_ ending: Ending, _ attempt: Attempt) -> Ending {
        if attempt.hasClosedWindow { return ending }
        if case .gated = ending.outcome { return ending }
        return context.life.isDiscarded ? Ending(.abandoned(reason: "sceneDiscarded"), ending.snapshot) : ending
    }

    private func end(_ attempt: Attempt, _ ending: Ending) {
        let (shown, bytes) = router.takeShown()
        let end = AttemptEnding(
            outcome: ending.outcome,
            revision: ending.snapshot.revision,
            answer: attempt.answer,
            window: shown,
            addedBytes: bytes,
            windows: attempt.windows
        )
        context.log.append(
            .dispatchEnded(outcome: ending.outcome),
            attempt.subject.at(ending.snapshot),
            keeping: [end.kept(for: attempt.event)] + gatekeeper.changed()
        )
        context.ledger.update(attempt.event, end)
    }
}
