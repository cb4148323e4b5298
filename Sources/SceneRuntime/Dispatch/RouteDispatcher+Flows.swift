internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// A flow reports from outside how it ended, as its last screen would.
    nonisolated(nonsending) func report(_ result: FlowResult, of flow: String, _ job: Job) async -> Ending {
        await pass(.resolved, job)
        let newest = context.store.snapshot
        job.epoch = newest.epoch
        // As with an intent: a flow whose screens may not be shown any more is as good as gone.
        guard let place = router.place(of: flow), isAllowed(place.screens, by: newest), let node = router.node(flow)
        else {
            return Ending(.rejected(reason: "noSuchFlow"), newest)
        }
        await pass(.planned, job)
        return await carryOut([.finish(result)], of: node, job)
    }

    /// Whether the session lets all of these be shown.
    func isAllowed(_ screens: [Destination], by newest: SessionSnapshot) -> Bool {
        let (engine, routing) = (context.app.current.engine, context.routing(newest))
        return screens.allSatisfy { engine.verdict(for: $0, context: routing) == .allowed }
    }

    /// Ends a flow: commits what it reports, resumes or gives up what is parked on it, takes it off the screen, tells its
    /// parent.
    ///
    /// - Parameters:
    ///   - changes: Session changes that belong to the same commit.
    ///   - routes: Takes up where to go afterwards.
    /// - Returns: The outcome, where that is all; `nil` where the routes are next.
    nonisolated(nonsending) func finish(
        _ node: CoordinatorNode,
        _ result: FlowResult,
        also changes: [SessionChange],
        _ job: Job,
        routes: inout [Destination]
    ) async -> Outcome? {
        let flow = node.flow
        guard node.parent != nil, router.place(of: flow) != nil else { return .rejected(reason: "noSuchFlow") }
        let parent = node.parent
        let epilogue: [FlowCommand]
        switch result {
        case .completed(let completion):
            switch await commit(completion, of: node, also: changes, job) {
            case .committed(let commands): epilogue = commands
            case .refused(let outcome): return outcome
            }
        case .cancelled:
            let newest = context.store.snapshot
            epilogue = node.coordinator.finished(
                .cancelled,
                context: router.flowContext(of: flow, session: context.routing(newest))
            )
            let all = changes + epilogue.sessionChanges
            if !all.isEmpty, let outcome = await commit(all, job) { return outcome }
            let cancelled = context.store.withNewest { newest in takeCancelled(by: newest) { $0.flow == flow } }
            settle(cancelled, .abandoned(reason: "flowCancelled"))
        }
        if let outcome = await leave(flow, job) { return outcome }
        routes += epilogue.routes
        guard let parent else { return nil }
        return await tell(parent, flow, result, job, routes: &routes)
    }

    /// A flow that has been taken off the screen by hand.
    nonisolated(nonsending) func cancelled(
        _ node: CoordinatorNode,
        _ parent: CoordinatorNode?,
        _ job: Job,
        routes: inout [Destination]
    ) async -> Outcome? {
        let session = context.routing(context.store.snapshot)
        let epilogue = node.coordinator.finished(
            .cancelled,
            context: router.flowContext(of: node.flow, session: session)
        )
        if !epilogue.sessionChanges.isEmpty, let outcome = await commit(epilogue.sessionChanges, job) {
            return outcome
        }
        routes += epilogue.routes
        guard let parent else { return nil }
        return await tell(parent, node.flow, .cancelled, job, routes: &routes)
    }

    private nonisolated(nonsending) func tell(
        _ parent: CoordinatorNode,
        _ flow: String,
        _ result: FlowResult,
        _ job: Job,
        routes: inout [Destination]
    ) async -> Outcome? {
        let session = context.routing(context.store.snapshot)
        let commands = parent.coordinator.childFinished(
            flow,
            result,
            context: router.flowContext(of: parent.flow, session: session)
        )
        return commands.isEmpty ? nil : await perform(commands, of: parent, job, routes: &routes)
    }

    /// Commits what a completed flow reports, before anybody hears of its completion (<doc:TheSession#S4>).
    ///
    /// A late report is refused: where every intent parked on the flow has its precondition satisfied already, the flow is
    /// pointless and commits nothing (<doc:TheSession#S5>).
    private nonisolated(nonsending) func commit(
        _ completion: FlowCompletion,
        of node: CoordinatorNode,
        also changes: [SessionChange],
        _ job: Job
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
            epilogue = node.coordinator.finished(
                .completed(completion),
                context: router.flowContext(of: flow, session: session)
            )
            // Asked inside the commit, so that no other falls between: what is parked cannot change meanwhile, because
            // this is the scene's one dispatch.
            let waiting = gatekeeper.parked.filter { $0.flow == flow }.map(\.precondition)
            let (engine, settings, time) = (app.engine, context.settings, context.clock.wallTime)
            let (life, epoch) = (context.life, job.committingEpoch)
            let changes = reported + epilogue.sessionChanges
            if Fault.notifyBeforeCommit.isMade { return notifyAtOnce(changes, epilogue, flow, job) }
            committed = try await context.session.apply(changes, origin: job.origin) { snapshot in
                // Nobody commits for whoever came after the user whose flow it was.
                guard !life.isDiscarded, epoch == nil || epoch == snapshot.epoch else { return false }
                if Fault.lateReportCommits.isMade { return true }
                let routing = RoutingContext(snapshot, settings: settings, time: time)
                return waiting.isEmpty
                    || waiting.contains { !(engine.holds(precondition: $0, context: routing) ?? true) }
            }
        } catch {
            return .refused(error.outcome)
        }
        guard let committed else { return .refused(.rejected(reason: "noSuchFlow")) }
        job.epoch = committed.epoch
        let routing = context.routing(Fault.judgedBeforeCommit.isMade ? newest : committed)
        gatekeeper.complete(flow, by: committed) { !(app.engine.holds(precondition: $0, context: routing) ?? true) }
        isSweepDue = true
        return .committed(epilogue)
    }

    /// What became of a flow's report.
    enum Report {
        /// It is committed; what else the flow's end brings about.
        case committed([FlowCommand])
        case refused(Outcome)
    }

    /// Takes a flow off the screen, back to where it was started from; a root flow gives way to the root in force.
    private nonisolated(nonsending) func leave(_ flow: String, _ job: Job) async -> Outcome? {
        let app = context.app.current
        context.life.activate()
        let step = await step(.flow, job) { window, newest in
            if window.rootFlow(app.engine) == flow, let root = rootOp(window, app, newest) { return (root, true) }
            return router.place(of: flow)?.leaving(window, flow: flow).map { ($0, true) }
        }
        return step.refusal
    }
}

extension RouteDispatcher.Job {
    /// Whether the user for whom a coordinator decided has left.
    func isLeft(by newest: SessionSnapshot) -> Bool { epoch != nil && epoch != newest.epoch }

    /// The epoch in which alone a commit of this attempt may be made; `nil` for any.
    var committingEpoch: Int? { Fault.committedForNext.isMade ? nil : epoch }

    /// Where a commit of this attempt comes from.
    var origin: CommitOrigin {
        CommitOrigin(scene: subject.scene, event: event.id, connection: event.connection)
    }
}
