internal import SceneNavigation
internal import SceneRouting
internal import SceneVocabulary

/// Takes a request to its destination, or to the flow of the gate in front of it: resolves with a fresh snapshot, plans,
/// and applies the plan. If the session changes so that the answer is a different one, it starts again.
final class Navigator {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    private let steps: StepRunner

    /// How often it resolves before it gives up because the session keeps changing (<doc:TheSession#S2>).
    private static let rounds = 8

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper, steps: StepRunner) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
        self.steps = steps
    }

    /// Navigates to what `request` asks for.
    ///
    /// - Parameter isLeft: Whether the user to whom the request belongs has left (<doc:TheSession#S7>).
    func navigate(
        _ request: RouteRequest,
        _ attempt: Attempt,
        unless isLeft: (SessionSnapshot) -> Bool = { _ in false }
    ) async -> Ending {
        let app = context.app.current
        var newest = context.store.snapshot
        for _ in 0..<Self.rounds {
            newest = clear(attempt, unless: isLeft)
            if context.life.isDiscarded { return Ending(.abandoned(reason: "sceneDiscarded"), newest) }
            if isLeft(newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
            guard let resolution = resolve(request, by: app, attempt, at: newest) else { continue }
            newest = resolution.snapshot
            context.report(resolution.report(of: attempt.event.work))
            await context.pass(.resolved, attempt)
            let outcome: Outcome? =
                switch resolution.answer {
                case .success(.proceed(let target)): await proceed(to: target, resolution, attempt)
                case .success(.gated(let precondition, let parameters, _)):
                    await gate(on: precondition, for: parameters, resolution, attempt)
                case .failure(let error):
                    context.store.withNewest(resolution.stands) ? .rejected(reason: app.reason(for: error)) : nil
                }
            guard let outcome else { continue }
            let ending = Ending(outcome, newest)
            guard case .rejected = outcome, case .failure = resolution.answer else { return ending }
            return await showFallback(attempt, ending)
        }
        return Ending(.rejected(reason: "contended"), newest)
    }

    /// Resolves a request, and records the answer.
    ///
    /// A destination that has variants is resolved in one synchronous section with the choice of one, so that no commit and no other
    /// window's choice comes between (<doc:WayOfAnEvent#Variants>).
    /// - Returns: `nil` if a user has left since `snapshot`.
    private func resolve(
        _ request: RouteRequest,
        by app: LoadedApp,
        _ attempt: Attempt,
        at snapshot: SessionSnapshot
    ) -> Resolution? {
        guard app.engine.hasVariants(request.destination.id) else {
            let resolution = Resolution(app: app, request: request, snapshot: snapshot, context: context)
            context.log.append(resolution.record, attempt.subject.at(snapshot))
            return resolution
        }
        return context.store.withChoices { newest, choices in
            guard newest.epoch == snapshot.epoch else { return nil }
            let resolution = Resolution(
                app: app,
                request: request,
                snapshot: newest,
                context: context,
                choices: choices.kept(for: newest.user)
            )
            let subject = attempt.subject.at(newest)
            if let variant = resolution.variant,
                choices.keep(variant.id, of: request.destination.id, for: newest.user)
            {
                context.log.append(
                    .variantChosen(
                        user: newest.user,
                        destination: request.destination,
                        variant: variant,
                        wall: resolution.wall
                    ),
                    subject,
                    keeping: [
                        .choice(user: newest.user, destination: request.destination.id, variant: variant.id)
                    ]
                )
            }
            context.log.append(resolution.record, subject)
            return resolution
        }
    }

    /// Removes what belongs to a user who has left. The sweep that does this may still wait; nothing is planned on what that user
    /// had on screen, and nothing waits behind what that user had parked (<doc:TheSession#S9>).
    /// - Returns: The session for which the window may be planned.
    private func clear(
        _ attempt: Attempt,
        unless isLeft: (SessionSnapshot) -> Bool
    ) -> SessionSnapshot {
        let newest = context.store.withNewest { newest in
            if !context.life.isDiscarded, !isLeft(newest) {
                gatekeeper.keepingCovered(attempt, at: newest) {
                    gatekeeper.abandonLeft(by: newest)
                    // What waited for a flow that has gone with its user waits for nothing any more.
                    let left = router.removeLeft(at: newest, attempt.subject)
                    if !left.removed.isEmpty { gatekeeper.abandonStranded(by: newest) }
                }
            }
            return newest
        }
        gatekeeper.tell()
        return newest
    }

    /// Shows the app's fallback, if it names one, after an event from outside was rejected (<doc:WayOfAnEvent#The-fallback>).
    ///
    /// Not while something is parked, or if a flow would be taken away: a rejected event supersedes nothing and ends nothing.
    func showFallback(_ attempt: Attempt, _ ending: Ending) async -> Ending {
        let app = context.app.current
        guard let fallback = app.manifest.fallback, attempt.event.source == .external else { return ending }
        let newest = clear(attempt, unless: attempt.isLeft)
        guard !context.life.isDiscarded, !attempt.isLeft(by: newest), gatekeeper.parked.isEmpty else { return ending }
        guard let request = try? app.engine.request(for: fallback, source: attempt.event.source) else { return ending }
        let resolution = Resolution(app: app, request: request, snapshot: newest, context: context)
        guard case .success(.proceed(let target)) = resolution.answer else { return ending }
        let root = base(resolution)
        if target.showsFlowOtherwise(in: root.window, app.engine) { return ending }
        let ops =
            root.ops
            + Reconciler.plan(
                from: root.window,
                to: target,
                source: request.source,
                repeats: { app.engine.traits.repeats($0) }
            )
        if router.isFull(for: ops) || router.endsFlow(ops, after: root.ops.count) { return ending }
        // Every step needs a recorded resolution and plan, and so does this one.
        let subject = attempt.subject.at(resolution.snapshot)
        context.log.append(resolution.record, subject)
        context.log.append(.dispatchPlanned(ops: ops), subject)
        gatekeeper.keep(target)
        // If the session changes meanwhile the fallback is not shown; the outcome is the same.
        _ = await steps.apply(ops, .dispatch, animated: false, resolution, attempt)
        return ending
    }

    /// Shows the target.
    ///
    /// - Returns: The outcome, or `nil` if the answer no longer stands and another round is due.
    private func proceed(
        to target: Target,
        _ resolution: Resolution,
        _ attempt: Attempt
    ) async -> Outcome? {
        if let outcome = refusal(resolution, attempt) { return outcome }
        let engine = resolution.app.engine
        let root = base(resolution)
        if target.showsFlowOtherwise(in: root.window, engine) { return reject(.flowShown, resolution) }
        let planned = Reconciler.plan(
            from: root.window,
            to: target,
            source: resolution.request.source,
            repeats: { engine.traits.repeats($0) }
        )
        let ops = root.ops.isEmpty ? planned : root.ops + planned
        if router.isFull(for: ops) { return reject(.stackFull, resolution) }
        context.log.append(.dispatchPlanned(ops: ops), attempt.subject.at(resolution.snapshot))
        gatekeeper.keep(target)
        await context.pass(.planned, attempt)
        let step = await steps.apply(ops, .dispatch, resolution, attempt) { newest, _ in
            if supersedes(resolution, attempt) { gatekeeper.supersede(attempt, at: newest) }
            guard !ops.isEmpty else { return }
            gatekeeper.abandonStranded(by: newest)
            attempt.hasChangedWindow = true
        }
        guard step.hasBegun else { return step.refusal }
        return attempt.hasChangedWindow ? .applied : .unchanged
    }

    /// Whether what is parked gives way to an event: to one that is newer and from outside, unless it is presented over whatever is
    /// shown, which takes nothing away.
    private func supersedes(_ resolution: Resolution, _ attempt: Attempt) -> Bool {
        attempt.isNewer && !resolution.isOverCurrent
    }

    /// Why there is no room for what an event wants. The raw value is the reason of the outcome `rejected`.
    private enum Shortage: String {
        /// Its flow is on screen already, and not as it would be presented.
        case flowShown
        /// No room in a stack or in the window.
        case stackFull
        /// As many intents of the event's sender are parked as the mailbox holds of one.
        case queueFull
    }

    /// - Returns: As ``proceed(to:_:_:)``.
    private func reject(_ shortage: Shortage, _ resolution: Resolution) -> Outcome? {
        context.store.withNewest(resolution.stands) ? .rejected(reason: shortage.rawValue) : nil
    }

    /// Presents the precondition's flow and parks the intent. That ends the attempt, so that the events that complete the
    /// flow can be dispatched.
    ///
    /// - Returns: As ``proceed(to:_:_:)``.
    private func gate(
        on precondition: String,
        for parameters: [String: String],
        _ resolution: Resolution,
        _ attempt: Attempt
    ) async -> Outcome? {
        if let unsatisfied = attempt.unsatisfied, unsatisfied.precondition == precondition,
            unsatisfied.parameters.hasSameValues(as: parameters)
        {
            return context.store.withNewest(resolution.stands) ? .rejected(reason: "gateUnsatisfied") : nil
        }
        // Only what was asked for is kept: defaults that depend on the market are those of the resume (<doc:TheSession#S1>).
        if let outcome = refusal(resolution, attempt) { return outcome }
        // What supersedes takes the place of all that is parked.
        let supersedes = supersedes(resolution, attempt)
        if !supersedes, gatekeeper.isFull(for: attempt.event) { return reject(.queueFull, resolution) }
        let app = resolution.app
        let engine = app.engine
        guard let flow = engine.precondition(precondition).flatMap({ engine.flow($0.flow) }) else {
            return .rejected(reason: "noSuchFlow")
        }
        let root = base(resolution)
        let ops =
            root.ops
            + gatekeeper.plan(
                toShow: flow,
                for: parameters,
                isRoot: root.window.rootFlow(engine) == flow.name,
                in: root.window,
                // What a locked window shows stays under the lock.
                replacing: supersedes && app.manifest.lock?.flow != flow.name,
                uncovering: !resolution.isOverCurrent,
                start: {
                    router.screens(
                        startOf: flow.name,
                        asRoot: false,
                        at: resolution.snapshot,
                        for: resolution.shown.waiting(at: parameters)
                    )
                }
            )
        if router.isFull(for: ops) { return reject(.stackFull, resolution) }
        // A flow may begin with a destination, which has needs of its own.
        let first: Destination? = if case .present(let modal)? = ops.last { modal.stack.first } else { nil }
        func startRefused(by snapshot: SessionSnapshot) -> Outcome? {
            first.flatMap { engine.verdict(for: $0, context: context.routing(snapshot)).refusal }
        }
        if let refusal = startRefused(by: resolution.snapshot) {
            router.forgetStarting()
            return context.store.withNewest(resolution.stands) ? refusal : nil
        }
        context.log.append(.dispatchPlanned(ops: ops), attempt.subject.at(resolution.snapshot))
        await context.pass(.planned, attempt)
        let isPresented = ops.last?.name == .present
        let step = await steps.apply(ops, .flow, resolution, attempt) { newest, isLast in
            if isLast, supersedes { gatekeeper.supersede(attempt, at: newest) }
            // What this event will supersede with its last op must not be abandoned before.
            if isLast || !supersedes { gatekeeper.abandonStranded(by: newest) }
            guard isLast else { return }
            let gate = ParkedIntent.Gate(precondition: precondition, parameters: parameters, flow: flow.name)
            gatekeeper.park(resolution, at: gate, presented: isPresented, attempt, at: newest)
        } while: {
            startRefused(by: $0) == nil
        }
        return step.hasBegun ? .gated(precondition: precondition) : step.refusal
    }

    /// What the app's policy does with an external event while something is parked: rejects it, parks it too, or (`nil`) lets
    /// it go on and supersede.
    private func refusal(_ resolution: Resolution, _ attempt: Attempt) -> Outcome? {
        guard attempt.event.source == .external, let first = gatekeeper.parked.first else { return nil }
        switch resolution.app.manifest.policies.whileGated {
        case .supersede: return nil
        case .reject: return attempt.isNewer ? .rejected(reason: "gateBusy") : nil
        case .queue:
            // This holds for a resume too: the intent before it may have met its next gate, whose flow must stay. It waits
            // behind that one, at the same gate, and is resolved anew when the gate opens.
            if gatekeeper.isFull(for: attempt.event) { return .rejected(reason: Shortage.queueFull.rawValue) }
            context.store.withNewest { newest in
                gatekeeper.park(resolution, at: first.gate, attempt, at: newest)
            }
            return .gated(precondition: first.precondition)
        }
    }

    /// The window that a plan begins with. If the root in force is not shown yet, because the sweep that swaps it still
    /// waits, the op that swaps it comes first.
    private func base(_ resolution: Resolution) -> (ops: [NavOp], window: WindowState) {
        guard let op = router.rootOp(router.state, resolution.app, resolution.snapshot),
            let window = try? router.preview(op)
        else { return ([], router.state) }
        return ([op], window)
    }
}

extension Destination {
    /// The destination as a flow's first screen sees it that is shown for a gate: with the values that the gate is for.
    fileprivate func waiting(at gate: [String: String]) -> Destination {
        gate.isEmpty ? self : Destination(id: id, parameters: parameters.merging(gate) { $1 })
    }
}

extension Target {
    /// Whether it would present a flow once more that is on screen already.
    fileprivate func showsFlowOtherwise(in window: WindowState, _ engine: RoutingEngine) -> Bool {
        guard case .overCurrent(let modal) = self else { return false }
        return window.showsOtherwise(flowOf: modal, engine)
    }
}

extension LoadedApp {
    /// Why a request that was admitted is refused in the scene: a condition's name, `otherUser`, or `destinationGone` after a reload.
    func reason(for error: RouteError) -> String {
        guard case .validationFailed(let name, _) = error,
            name == RouteRequest.otherUser || manifest.conditions.contains(where: { $0.name == name })
        else {
            return "destinationGone"
        }
        return name
    }
}
