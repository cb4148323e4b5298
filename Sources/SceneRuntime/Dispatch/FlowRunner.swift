internal import SceneNavigation
internal import SceneRouting

/// Carries out what coordinators want done: session changes, moves within their flow, its end, and where to go then.
final class FlowRunner {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    private let steps: StepRunner
    private let navigator: Navigator

    init(
        context: SceneContext,
        router: RootRouter,
        gatekeeper: Gatekeeper,
        steps: StepRunner,
        navigator: Navigator
    ) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
        self.steps = steps
        self.navigator = navigator
    }

    /// Carries out what a coordinator wants done, and ends the attempt.
    nonisolated(nonsending) func carryOut(
        _ commands: [FlowCommand],
        of node: CoordinatorNode,
        _ attempt: Attempt
    ) async -> Ending {
        var routes: [Destination] = []
        if let outcome = await perform(commands, of: node, attempt, routes: &routes) {
            return Ending(outcome, context.store.snapshot)
        }
        return await follow(routes, attempt)
    }

    /// Tells the coordinators of flows that have been taken off the screen by hand, and their parents, that they were
    /// cancelled, children before their parents; carries out what they answer and ends the attempt.
    nonisolated(nonsending) func cancelled(_ ended: [StepRunner.EndedFlow], _ attempt: Attempt) async -> Ending {
        var routes: [Destination] = []
        for flow in ended.reversed() {
            if let outcome = await cancelled(flow, attempt, routes: &routes) {
                return Ending(outcome, context.store.snapshot)
            }
        }
        return await follow(routes, attempt)
    }

    /// Goes where coordinators want to go once everything else is done.
    private nonisolated(nonsending) func follow(_ routes: [Destination], _ attempt: Attempt) async -> Ending {
        var ending: Ending?
        for destination in routes {
            let request: RouteRequest
            do {
                request = try context.app.current.engine.request(for: destination, source: .internal)
            } catch {
                return Ending(.rejected(reason: "validationFailed: \(error.name)"), context.store.snapshot)
            }
            let reached = await navigator.navigate(request, attempt, unless: attempt.isLeft)
            guard reached.outcome == .applied || reached.outcome == .unchanged else { return reached }
            ending = reached
        }
        return ending ?? Ending(attempt.hasChangedWindow ? .applied : .delivered, context.store.snapshot)
    }

    /// Makes the session changes, moves within the flow, ends it.
    ///
    /// - Parameter routes: Takes up where to go afterwards.
    /// - Returns: The outcome, where that is all; `nil` where the routes are next.
    private nonisolated(nonsending) func perform(
        _ commands: [FlowCommand],
        of node: CoordinatorNode,
        _ attempt: Attempt,
        routes: inout [Destination]
    ) async -> Outcome? {
        let changes = commands.sessionChanges
        let result = commands.result
        if result == nil, !changes.isEmpty {
            if let outcome = await commit(changes, attempt) { return outcome }
        }
        for command in commands {
            if let outcome = await move(command, in: node.flow, attempt) { return outcome }
        }
        if let result, let outcome = await finish(node, result, also: changes, attempt, routes: &routes) {
            return outcome
        }
        routes += commands.routes
        return nil
    }

    /// Commits what a coordinator wants changed, unless the user for whom it decided has left or the scene is gone for good.
    ///
    /// - Returns: Why it cannot be committed.
    private nonisolated(nonsending) func commit(_ changes: [SessionChange], _ attempt: Attempt) async -> Outcome? {
        let (life, epoch) = (context.life, attempt.committingEpoch)
        let changes = Fault.lostUpdate.isMade ? changes.computed(from: context.store.snapshot) : changes
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

    // MARK: - Moving within a flow

    /// Moves within a flow.
    ///
    /// - Returns: Why it cannot move so; `nil` when it has moved, or the command is no move.
    private nonisolated(nonsending) func move(
        _ command: FlowCommand,
        in flow: String,
        _ attempt: Attempt
    ) async -> Outcome? {
        guard command.isMove else { return nil }
        let engine = context.app.current.engine
        context.life.activate()
        let taken = await steps.take(.flow, attempt) { _, newest in
            if attempt.isLeft(by: newest) { return .refuse(.abandoned(reason: "userLeft")) }
            if let screen = command.screen,
                let refusal = engine.verdict(for: screen, context: context.routing(newest)).refusal
            {
                return .refuse(refusal)
            }
            guard let place = router.place(of: flow) else { return .refuse(.rejected(reason: "noSuchFlow")) }
            do throws(FlowPlace.Obstacle) {
                guard let (op, animated) = try place.op(for: command) else { return .nothing }
                return objection(to: op, engine).map { .refuse($0) } ?? .go(op, animated: animated)
            } catch {
                return .refuse(.rejected(reason: error.rawValue))
            }
        }
        return taken.step.refusal
    }

    /// Why a coordinator's op cannot be done: it may ask for what no window does, and that is its mistake, not the
    /// dispatcher's.
    private func objection(to op: NavOp, _ engine: RoutingEngine) -> Outcome? {
        do throws(NavigationViolation) {
            let after = try router.preview(op)
            // By its first screen a window shows which root it has.
            guard router.state.rootFlow(engine) == after.rootFlow(engine) else {
                return .rejected(reason: FlowPlace.Obstacle.rootStays.rawValue)
            }
            return nil
        } catch {
            return .rejected(reason: error.rule.rawValue)
        }
    }

    // MARK: - A flow's end

    /// Ends a flow: commits what it reports, resumes or gives up what is parked on it, takes it off the screen, tells its
    /// parent.
    ///
    /// - Parameters:
    ///   - changes: Session changes that belong to the same commit.
    ///   - routes: Takes up where to go afterwards.
    /// - Returns: The outcome, where that is all; `nil` where the routes are next.
    private nonisolated(nonsending) func finish(
        _ node: CoordinatorNode,
        _ result: FlowResult,
        also changes: [SessionChange],
        _ attempt: Attempt,
        routes: inout [Destination]
    ) async -> Outcome? {
        let flow = node.flow
        guard node.parent != nil, router.place(of: flow) != nil else { return .rejected(reason: "noSuchFlow") }
        let parent = node.parent
        let epilogue: [FlowCommand]
        switch result {
        case .completed(let completion):
            switch await commit(completion, of: node, also: changes, attempt) {
            case .committed(let commands): epilogue = commands
            case .refused(let outcome): return outcome
            }
        case .cancelled:
            epilogue = self.epilogue(of: node, .cancelled, context.routing(context.store.snapshot))
            let all = changes + epilogue.sessionChanges
            if !all.isEmpty, let outcome = await commit(all, attempt) { return outcome }
            context.store.withNewest { gatekeeper.abandonCancelled(flow, at: $0) }
            gatekeeper.tell()
        }
        if let outcome = await leave(flow, attempt) { return outcome }
        routes += epilogue.routes
        return await tell(parent, flow, result, attempt, routes: &routes)
    }

    /// A flow that has been taken off the screen by hand.
    private nonisolated(nonsending) func cancelled(
        _ ended: StepRunner.EndedFlow,
        _ attempt: Attempt,
        routes: inout [Destination]
    ) async -> Outcome? {
        let epilogue = epilogue(of: ended.node, .cancelled, context.routing(context.store.snapshot))
        let changes = epilogue.sessionChanges
        if !changes.isEmpty, let outcome = await commit(changes, attempt) { return outcome }
        routes += epilogue.routes
        return await tell(ended.parent, ended.node.flow, .cancelled, attempt, routes: &routes)
    }

    /// What a flow's coordinator wants done besides, now that it ends.
    private func epilogue(of node: CoordinatorNode, _ result: FlowResult, _ session: RoutingContext) -> [FlowCommand] {
        node.coordinator.finished(result, context: router.flowContext(of: node.flow, session: session))
    }

    private nonisolated(nonsending) func tell(
        _ parent: CoordinatorNode?,
        _ flow: String,
        _ result: FlowResult,
        _ attempt: Attempt,
        routes: inout [Destination]
    ) async -> Outcome? {
        guard let parent else { return nil }
        let session = context.routing(context.store.snapshot)
        let commands = parent.coordinator.childFinished(
            flow,
            result,
            context: router.flowContext(of: parent.flow, session: session)
        )
        return commands.isEmpty ? nil : await perform(commands, of: parent, attempt, routes: &routes)
    }

    /// What became of a flow's report.
    private enum Report {
        /// It is committed; what else the flow's end brings about.
        case committed([FlowCommand])
        case refused(Outcome)
    }

    /// Commits what a completed flow reports, before anybody hears of its completion (S4).
    ///
    /// A late report is refused: where every intent parked on the flow has its precondition satisfied already, the flow is
    /// pointless and commits nothing (S5).
    private nonisolated(nonsending) func commit(
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
            epilogue = self.epilogue(of: node, .completed(completion), session)
            // Asked inside the commit, so that no other falls between: what is parked cannot change meanwhile, because
            // this is the scene's one dispatch.
            let waiting = gatekeeper.parked.filter { $0.flow == flow }.map(\.precondition)
            let (engine, settings, time) = (app.engine, context.settings, context.clock.wallTime)
            let (life, epoch) = (context.life, attempt.committingEpoch)
            let changes = reported + epilogue.sessionChanges
            if Fault.notifyBeforeCommit.isMade { return notifyAtOnce(changes, epilogue, flow, attempt) }
            committed = try await context.session.apply(changes, origin: attempt.origin) { snapshot in
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
        attempt.epoch = committed.epoch
        let routing = context.routing(Fault.judgedBeforeCommit.isMade ? newest : committed)
        gatekeeper.complete(flow, by: committed) { !(app.engine.holds(precondition: $0, context: routing) ?? true) }
        return .committed(epilogue)
    }

    /// Takes a flow off the screen, back to where it was started from; a root flow gives way to the root in force.
    private nonisolated(nonsending) func leave(_ flow: String, _ attempt: Attempt) async -> Outcome? {
        let app = context.app.current
        context.life.activate()
        let taken = await steps.take(.flow, attempt) { window, newest in
            let root = window.rootFlow(app.engine) == flow ? router.rootOp(window, app, newest) : nil
            let op = root ?? router.place(of: flow)?.leaving(window, flow: flow)
            return op.map { .go($0, animated: true) } ?? .nothing
        }
        return taken.step.refusal
    }

    /// ``Fault/notifyBeforeCommit``
    private func notifyAtOnce(
        _ changes: [SessionChange],
        _ epilogue: [FlowCommand],
        _ flow: String,
        _ attempt: Attempt
    ) -> Report {
        let (session, origin) = (context.session, attempt.origin)
        Task { try await session.apply(changes, origin: origin) }
        gatekeeper.complete(flow, by: context.store.snapshot) { _ in false }
        return .committed(epilogue)
    }
}

extension [FlowCommand] {
    fileprivate var sessionChanges: [SessionChange] {
        compactMap { if case .session(let change) = $0 { change } else { nil } }
    }

    fileprivate var routes: [Destination] {
        compactMap { if case .route(let destination) = $0 { destination } else { nil } }
    }

    /// The result with which the flow is to end; the first counts.
    fileprivate var result: FlowResult? {
        for case .finish(let result) in self { return result }
        return nil
    }
}

extension FlowCommand {
    /// Whether it moves within the flow.
    fileprivate var isMove: Bool {
        switch self {
        case .push, .pop, .popToRoot, .replace: true
        case .route, .session, .finish: false
        }
    }

    /// The screen that it adds.
    fileprivate var screen: Destination? {
        switch self {
        case .push(let screen, _), .replace(let screen, _): screen
        case .pop, .popToRoot, .route, .session, .finish: nil
        }
    }
}

extension DestinationVerdict {
    /// The outcome of showing it all the same.
    fileprivate var refusal: Outcome? {
        switch self {
        case .allowed: nil
        case .gated(let precondition): .rejected(reason: precondition)
        case .refused(let condition, _): .rejected(reason: condition)
        case .unknown: .rejected(reason: "destinationGone")
        }
    }
}

extension RouteError {
    /// What is wrong, as the reason of an outcome has it.
    fileprivate var name: String {
        switch self {
        case .malformed: "malformed"
        case .unknownRoute: "unknownRoute"
        case .validationFailed(let parameter, _): parameter
        }
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

extension [SessionChange] {
    /// ``Fault/lostUpdate``
    fileprivate func computed(from snapshot: SessionSnapshot) -> [SessionChange] {
        map { change in
            guard case .append(let fact, let element) = change else { return change }
            guard case .strings(let list)? = snapshot.facts[fact] else { return .set(fact: fact, .strings([element])) }
            return .set(fact: fact, .strings(list + [element]))
        }
    }
}
