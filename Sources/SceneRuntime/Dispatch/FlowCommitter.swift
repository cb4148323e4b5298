internal import SceneNavigation
internal import SceneRouting

/// Commits the session changes that coordinators ask for, before anybody hears of the flow's end (<doc:TheSession#S4>), and
/// only while the user for whom they decided is signed in.
final class FlowCommitter {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
    }

    /// Commits what a coordinator wants changed, unless the user for whom it decided has left or the scene is discarded.
    ///
    /// - Returns: The event's outcome if nothing was committed, else `nil`.
    func commit(_ changes: [SessionChange], _ attempt: Attempt) async -> Outcome? {
        if attempt.hasCommittedBefore() {
            attempt.hasCommitted = true
            return nil
        }
        let (life, epoch) = (context.life, attempt.epoch)
        do {
            let committed = try await context.session.apply(changes, origin: attempt.origin) { snapshot in
                !life.isDiscarded && (epoch == nil || epoch == snapshot.epoch)
            }
            guard let committed else {
                return .abandoned(reason: context.life.isDiscarded ? "sceneDiscarded" : "userLeft")
            }
            attempt.epoch = committed.epoch
            attempt.hasCommitted = true
            return nil
        } catch {
            return error.outcome
        }
    }

    /// What became of a flow's report.
    enum Report {
        /// It is committed. The commands are what else the coordinator wants done when the flow ends.
        case committed([FlowCommand])
        /// It is refused, and the event ends so.
        case refused(Outcome)
    }

    /// Commits what a completed flow reports, before anybody hears of its completion (<doc:TheSession#S4>).
    ///
    /// A late report is refused: if the flow is there for a gate alone and every intent parked on it already has its precondition
    /// satisfied, or does not need it since a reload, or waits elsewhere by now, or the flow is shown as a root that is no longer
    /// in force, it is pointless and commits nothing (<doc:TheSession#S5>).
    func commit(
        _ completion: FlowCompletion,
        of node: CoordinatorNode,
        also changes: [SessionChange],
        _ attempt: Attempt
    ) async -> Report {
        let app = context.app.current
        let flow = node.flow
        if completion.user == nil, app.engine.flow(flow)?.completionNeedsUser ?? false {
            return .refused(.rejected(reason: "userMissing"))
        }
        let newest = context.store.snapshot
        var reported = completion.user.map { [SessionChange.signIn(user: $0)] } ?? []
        reported += changes
        reported += completion.facts.sorted { $0.key < $1.key }.map { .set(fact: $0.key, $0.value) }
        var session = context.routing(newest)
        let epilogue: [FlowCommand]
        let committed: SessionSnapshot?
        do throws(SessionError) {
            try app.facts.apply(
                reported,
                user: &session.user,
                isStale: &session.isStale,
                facts: &session.facts
            )
            epilogue = router.epilogue(of: node, .completed(completion), session)
            // The preconditions are checked inside the commit, so that no other commit comes between. What is parked cannot
            // change meanwhile, because this is the scene's only dispatch.
            let parked = gatekeeper.parked.filter { $0.flow == flow }
            let freed = gatekeeper.gatesFreed(by: app, context: context.routing(newest))
            let waiting = parked.map(\.gate).filter { !freed.contains($0) && gatekeeper.isServed($0) }
            let (engine, settings, time) = (app.engine, context.settings, context.clock.wallTime)
            let isRoot = router.state.rootFlow(engine) == flow
            let isLock = app.manifest.lock?.flow == flow
            // The flow that started it waits for its result, whatever else does. What a flow does after the end of another may
            // come after a commit that has opened its own gate: that is the same event's doing and not late.
            let isDue = router.starter(of: flow) != nil || attempt.hasCommitted
            let isForGate = gatekeeper.isForGate(flow)
            let (life, epoch) = (context.life, attempt.epoch)
            let changes = reported + epilogue.sessionChanges
            if attempt.hasCommittedBefore() {
                let newest = context.store.snapshot
                if attempt.isLeft(by: newest) { return .refused(.abandoned(reason: "userLeft")) }
                return finish(flow, newest, app, attempt, epilogue)
            }
            committed = try await context.session.apply(changes, origin: attempt.origin) { snapshot in
                // A flow of one user commits nothing for the next.
                guard !life.isDiscarded, epoch == nil || epoch == snapshot.epoch else { return false }
                // Another window's sign-out may have opened the lock.
                if isLock { return isDue || life.isLocked }
                let routing = RoutingContext(snapshot, settings: settings, time: time)
                if isRoot, !isDue, engine.rootFlow(context: routing)?.name != flow { return false }
                return !isForGate || isDue || waiting.contains { !$0.isOpen(engine, routing) }
            }
        } catch {
            return .refused(error.outcome)
        }
        guard let committed else {
            // An epoch never comes back: who had left when the commit was refused has left now.
            let isLeft = attempt.isLeft(by: context.store.snapshot)
            return .refused(isLeft ? .abandoned(reason: "userLeft") : .rejected(reason: "noSuchFlow"))
        }
        return finish(flow, committed, app, attempt, epilogue)
    }

    /// Does what follows from the commit of a flow's completion.
    private func finish(
        _ flow: String,
        _ committed: SessionSnapshot,
        _ app: LoadedApp,
        _ attempt: Attempt,
        _ epilogue: [FlowCommand]
    ) -> Report {
        attempt.epoch = committed.epoch
        attempt.hasCommitted = true
        if app.manifest.lock?.flow == flow {
            context.store.withNewest { context.life.unlock(.completed, attempt.subject.at($0)) }
        }
        let routing = context.routing(committed)
        gatekeeper.complete(flow, by: committed) { !$0.isOpen(app.engine, routing) }
        return .committed(epilogue)
    }
}

extension SessionError {
    /// The outcome of an event whose commit was refused.
    var outcome: Outcome {
        switch self {
        case .invalidFact(let fact, _): .rejected(reason: "invalidFact: \(fact)")
        case .invalidUser: .rejected(reason: "invalidUser")
        case .draining: .abandoned(reason: "shutdown")
        case .revisionConflict: .rejected(reason: "contended")
        }
    }
}
