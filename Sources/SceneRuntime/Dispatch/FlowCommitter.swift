internal import SceneNavigation
internal import SceneRouting

/// Commits what coordinators want changed: for the user alone for whom they decided, and before anybody hears of it
/// (<doc:TheSession#S4>).
final class FlowCommitter {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
    }

    /// Commits what a coordinator wants changed, unless the user for whom it decided has left or the scene is gone for good.
    ///
    /// - Returns: Why it cannot be committed.
    func commit(_ changes: [SessionChange], _ attempt: Attempt) async -> Outcome? {
        let (life, epoch) = (context.life, attempt.epoch)
        do {
            let committed = try await context.session.apply(changes, origin: attempt.origin) { snapshot in
                !life.isDiscarded && (epoch == nil || epoch == snapshot.epoch)
            }
            guard let committed else {
                return .abandoned(reason: context.life.isDiscarded ? "sceneDiscarded" : "userLeft")
            }
            attempt.epoch = committed.epoch
            return nil
        } catch {
            return error.outcome
        }
    }

    /// What became of a flow's report.
    enum Report {
        /// It is committed; what else the flow's end brings about.
        case committed([FlowCommand])
        case refused(Outcome)
    }

    /// Commits what a completed flow reports, before anybody hears of its completion (<doc:TheSession#S4>).
    ///
    /// A late report is refused: where every intent parked on the flow has its precondition satisfied already, the flow is
    /// pointless and commits nothing (<doc:TheSession#S5>).
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
            try app.facts.apply(reported, user: &session.user, facts: &session.facts)
            epilogue = router.epilogue(of: node, .completed(completion), session)
            // Asked inside the commit, so that no other falls between: what is parked cannot change meanwhile, because
            // this is the scene's one dispatch.
            let waiting = gatekeeper.parked.filter { $0.flow == flow }.map(\.precondition)
            let (engine, settings, time) = (app.engine, context.settings, context.clock.wallTime)
            let (life, epoch) = (context.life, attempt.epoch)
            let changes = reported + epilogue.sessionChanges
            committed = try await context.session.apply(changes, origin: attempt.origin) { snapshot in
                // Nobody commits for whoever came after the user whose flow it was.
                guard !life.isDiscarded, epoch == nil || epoch == snapshot.epoch else { return false }
                let routing = RoutingContext(snapshot, settings: settings, time: time)
                return waiting.isEmpty
                    || waiting.contains { !(engine.holds(precondition: $0, context: routing) ?? true) }
            }
        } catch {
            return .refused(error.outcome)
        }
        guard let committed else { return .refused(.rejected(reason: "noSuchFlow")) }
        attempt.epoch = committed.epoch
        let routing = context.routing(committed)
        gatekeeper.complete(flow, by: committed) { !(app.engine.holds(precondition: $0, context: routing) ?? true) }
        return .committed(epilogue)
    }
}

extension SessionError {
    /// The outcome of an event whose commit was refused.
    fileprivate var outcome: Outcome {
        switch self {
        case .invalidFact(let fact, _): .rejected(reason: "invalidFact: \(fact)")
        case .draining: .abandoned(reason: "shutdown")
        case .revisionConflict: .rejected(reason: "contended")
        }
    }
}
