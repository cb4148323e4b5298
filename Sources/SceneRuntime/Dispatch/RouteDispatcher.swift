internal import SceneNavigation
internal import SceneRouting

/// Leads one event at a time through a scene: resolve with a fresh snapshot, plan, apply, record how it ended.
///
/// It belongs to the scene's actor and is called by the mailbox's consumer only, so nothing here overlaps.
package final class RouteDispatcher {
    let context: SceneContext
    let router: RootRouter
    var gatekeeper = Gatekeeper()
    /// What a window that is to be restored lost because the app does not know it any more.
    var dropped: [Record.Removal] = []
    /// Whether something is due that only a sweep does, though perhaps no commit asks for one.
    var isSweepDue = false

    /// How often a dispatch resolves before it gives up against a session that keeps changing (<doc:TheSession#S2>).
    static let rounds = 8

    package init(context: SceneContext, router: RootRouter) {
        self.context = context
        self.router = router
    }

    /// An event's first attempt.
    package nonisolated(nonsending) func dispatch(_ event: AdmittedEvent) async {
        let job = Job(event: event, attempt: 1, kind: .dispatch, scene: context.scene)
        await pass(.admitted, job)
        context.log.append(.dispatchBegan(kind: .dispatch), job.subject)
        let ending =
            switch event.work {
            case .navigate(let request, _): await navigate(request, job)
            case .bubble(let intent): unlessDiscarded(await bubble(intent, job))
            case .gesture(let gesture): unlessDiscarded(await carryOut(gesture, job))
            case .finish(let flow, let result): unlessDiscarded(await report(result, of: flow, job))
            case .deliver: Ending(.delivered, context.store.snapshot)
            case .reject(let reason):
                await showFallback(job, Ending(.rejected(reason: reason), context.store.snapshot))
            }
        // Before anybody hears of the end: who then looks at the scene finds it counted.
        router.countSettled()
        end(job, ending)
        await pass(.settled, job)
    }

    /// Another attempt of an intent whose precondition holds now. It goes through the same door as the first
    /// (<doc:TheSession#S1>).
    package nonisolated(nonsending) func resume(_ parked: ParkedIntent) async {
        let job = Job(
            event: parked.event,
            attempt: parked.attempt + 1,
            kind: .resume,
            scene: context.scene,
            unsatisfied: parked.isUnsatisfied ? parked.precondition : nil
        )
        await pass(.admitted, job)
        context.log.append(.dispatchBegan(kind: .resume), job.subject)
        if Fault.resumeWithoutResolution.isMade {
            end(job, await goBlindly(parked, job))
        } else {
            end(job, await navigate(parked.request, job, unless: parked.isLeft))
        }
        await pass(.settled, job)
    }

    /// Whether a sweep is due; it is asked for once.
    package func takeSweepRequest() -> Bool {
        defer { isSweepDue = false }
        return isSweepDue
    }

    // MARK: - One attempt

    /// - Parameter isLeft: Whether the user it belonged to has left, between the sweep that took it and now
    ///   (<doc:TheSession#S7>).
    nonisolated(nonsending) func navigate(
        _ request: RouteRequest,
        _ job: Job,
        unless isLeft: (SessionSnapshot) -> Bool = { _ in false }
    ) async -> Ending {
        let app = context.app.current
        var newest = context.store.snapshot
        for round in 0..<Self.rounds {
            if round == 0 || !Fault.staleRounds.isMade { newest = context.store.snapshot }
            if context.life.isDiscarded { return Ending(.abandoned(reason: "sceneDiscarded"), newest) }
            if isLeft(newest), !Fault.resumedForNext.isMade { return Ending(.abandoned(reason: "userLeft"), newest) }
            let resolving = Resolving(app: app, request: request, snapshot: newest, context: context)
            context.log.append(resolving.record, job.subject.at(newest))
            context.report(resolving.report(of: job.event.work))
            await pass(.resolved, job)
            let outcome: Outcome? =
                switch resolving.answer {
                case .success(.proceed(let target)): await proceed(to: target, resolving, job)
                case .success(.gated(let precondition, let resume)):
                    await gate(on: precondition, resume: resume, resolving, job)
                case .failure(let error):
                    context.store.withNewest(resolving.stands) ? .rejected(reason: app.reason(for: error)) : nil
                }
            guard let outcome else { continue }
            if Fault.rejectedSupersedes.isMade { supersedeAllTheSame(job) }
            let ending = Ending(outcome, newest)
            guard case .rejected = outcome, case .failure = resolving.answer else { return ending }
            return await showFallback(job, ending)
        }
        return Ending(.rejected(reason: "contended"), newest)
    }

    /// - Returns: The outcome, or `nil` when the answer no longer stands and another round is due.
    private nonisolated(nonsending) func proceed(
        to target: Target,
        _ resolving: Resolving,
        _ job: Job
    ) async -> Outcome? {
        if let outcome = refusal(resolving.request, resolving, job) { return outcome }
        let engine = resolving.app.engine
        let root = base(resolving)
        let ops = Reconciler.plan(
            from: root.window,
            to: target,
            source: resolving.request.source,
            repeats: { engine.traits.repeats($0) }
        )
        return await apply(root.ops.isEmpty ? ops : root.ops + ops, resolving, job)
    }

    /// The window that a plan begins with, and the op that leads to it where the root in force is not shown yet: the sweep
    /// that swaps it may still be waiting.
    func base(_ resolving: Resolving) -> (ops: [NavOp], window: WindowState) {
        guard let op = rootOp(router.state, resolving.app, resolving.snapshot), let window = try? router.preview(op)
        else { return ([], router.state) }
        return ([op], window)
    }

    /// Applies a plan op by op, each only while the answer stands.
    private nonisolated(nonsending) func apply(_ ops: [NavOp], _ resolving: Resolving, _ job: Job) async -> Outcome? {
        context.log.append(.dispatchPlanned(ops: ops), job.subject.at(resolving.snapshot))
        await pass(.planned, job)
        var displaced: [ParkedIntent] = []
        var stranded: [ParkedIntent] = []
        guard !ops.isEmpty else {
            let stands = context.store.withNewest { newest in
                guard resolving.stands(newest) else { return false }
                displaced = supersede(job, at: newest)
                return true
            }
            settle(displaced, .superseded(by: job.event.id))
            return stands ? (job.hasChangedWindow ? .applied : .unchanged) : nil
        }
        context.life.activate()
        for (index, op) in ops.enumerated() {
            let step = router.begin(
                cause: .dispatch,
                animated: index == ops.count - 1,
                subject: job.subject,
                decide: { resolving.stands($0) ? op : nil },
                alongside: {
                    displaced += supersede(job, at: $0)
                    stranded += takeStranded(by: $0)
                }
            )
            settle(displaced, .superseded(by: job.event.id))
            settle(stranded, .abandoned(reason: "flowCancelled"))
            (displaced, stranded) = ([], [])
            switch step {
            case .none: return nil
            case .refused(let reason): return .rejected(reason: reason)
            case .begun:
                job.hasChangedWindow = true
                await finishTransition(animated: index == ops.count - 1, job)
            }
        }
        forgetFlowsNotShown()
        return .applied
    }

    // MARK: - Policy towards what is parked

    /// Takes away what is parked because a newer external event navigates.
    func supersede(_ job: Job, at newest: SessionSnapshot) -> [ParkedIntent] {
        guard job.supersedes else { return [] }
        let displaced = gatekeeper.take { _ in true }
        guard !displaced.isEmpty else { return [] }
        router.publish(parked: gatekeeper.parked)
        for intent in displaced {
            context.log.append(
                .gateSuperseded(
                    precondition: intent.precondition,
                    destination: intent.request.destination,
                    by: job.event.id
                ),
                Job(intent, scene: context.scene).subject.at(newest)
            )
        }
        return displaced
    }

    /// Tells the ledger, outside every lock, because it calls those who wait.
    func settle(_ intents: [ParkedIntent], _ outcome: Outcome) {
        for intent in intents { context.ledger.update(intent.event, outcome: outcome) }
    }

    // MARK: - Ends

    /// Shows the app's fallback, if it names one, for what was rejected.
    ///
    /// Not while something is parked: a rejected event supersedes nothing, and the fallback would take away the flow that
    /// the parked intent waits for.
    private nonisolated(nonsending) func showFallback(_ job: Job, _ ending: Ending) async -> Ending {
        let app = context.app.current
        guard let fallback = app.manifest.fallback, gatekeeper.parked.isEmpty else { return ending }
        let request = RouteRequest(destination: fallback, source: job.event.source)
        let resolving = Resolving(app: app, request: request, snapshot: context.store.snapshot, context: context)
        guard case .success(.proceed(let target)) = resolving.answer else { return ending }
        // What a step shows rests on a recorded resolution and plan, here as anywhere.
        let subject = job.subject.at(resolving.snapshot)
        context.log.append(resolving.record, subject)
        let ops = Reconciler.plan(from: router.state, to: target, source: request.source)
        context.log.append(.dispatchPlanned(ops: ops), subject)
        // A fallback that the session keeps changing under is given up: the outcome stands without it.
        for op in ops {
            let step = router.begin(
                cause: .dispatch,
                animated: false,
                subject: job.subject,
                decide: { resolving.stands($0) ? op : nil }
            )
            guard step == .begun else { break }
            await finishTransition(animated: false, job)
        }
        return ending
    }

    /// What happens in a window has come to nothing once the window is gone for good.
    private func unlessDiscarded(_ ending: Ending) -> Ending {
        if case .gated = ending.outcome { return ending }
        return context.life.isDiscarded ? Ending(.abandoned(reason: "sceneDiscarded"), ending.snapshot) : ending
    }

    private func end(_ job: Job, _ ending: Ending) {
        if Fault.recordedLate.isMade { return endLate(job, ending) }
        context.log.append(.dispatchEnded(outcome: ending.outcome), job.subject.at(ending.snapshot))
        context.ledger.update(
            job.event,
            outcome: ending.outcome,
            revision: ending.snapshot.revision,
            window: router.state
        )
    }

    /// Waits for the transition in progress and ends it. Only the last op of a plan takes its time.
    nonisolated(nonsending) func finishTransition(animated: Bool, _ job: Job) async {
        guard router.isTransitioning, !Fault.transitionNotAwaited.isMade else { return }
        await pass(.transition, job)
        if animated {
            let life = context.life
            await context.timer.wait(
                context.settings.transitionDuration,
                in: context.scene,
                isGone: { life.isDiscarded }
            )
        }
        router.completeTransition()
    }

    nonisolated(nonsending) func pass(_ point: HoldPoint, _ job: Job) async {
        guard context.checkpoints.isWatched else { return }
        await context.checkpoints.pass(
            Catch(
                point: point,
                scene: context.scene,
                ticket: job.subject.ticket,
                event: job.subject.event,
                kind: job.kind
            ),
            isGone: { context.life.isDiscarded }
        )
    }
}

extension LoadedApp {
    /// Why a request that was allowed at the door is refused in the scene: a condition's name, or a reload took the
    /// destination away.
    fileprivate func reason(for error: RouteError) -> String {
        guard case .validationFailed(let name, _) = error, manifest.conditions.contains(where: { $0.name == name })
        else {
            return "destinationGone"
        }
        return name
    }
}
