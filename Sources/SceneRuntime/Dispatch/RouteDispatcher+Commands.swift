internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Carries out what a coordinator wants done, and ends the attempt.
    nonisolated(nonsending) func carryOut(
        _ commands: [FlowCommand],
        of node: CoordinatorNode,
        _ job: Job
    ) async -> Ending {
        var routes: [Destination] = []
        if let outcome = await perform(commands, of: node, job, routes: &routes) {
            return Ending(outcome, context.store.snapshot)
        }
        return await follow(routes, job)
    }

    /// Goes where coordinators want to go once everything else is done.
    nonisolated(nonsending) func follow(_ routes: [Destination], _ job: Job) async -> Ending {
        var ending: Ending?
        for destination in routes {
            let request: RouteRequest
            do {
                request = try context.app.current.engine.request(for: destination, source: .internal)
            } catch {
                return Ending(.rejected(reason: "validationFailed: \(error.name)"), context.store.snapshot)
            }
            let reached = await navigate(request, job, unless: job.isLeft)
            guard reached.outcome == .applied || reached.outcome == .unchanged else { return reached }
            ending = reached
        }
        return ending ?? Ending(job.hasChangedWindow ? .applied : .delivered, context.store.snapshot)
    }

    /// Makes the session changes, moves within the flow, ends it.
    ///
    /// - Parameter routes: Takes up where to go afterwards.
    /// - Returns: The outcome, where that is all; `nil` where the routes are next.
    nonisolated(nonsending) func perform(
        _ commands: [FlowCommand],
        of node: CoordinatorNode,
        _ job: Job,
        routes: inout [Destination]
    ) async -> Outcome? {
        let changes = commands.sessionChanges
        let result = commands.result
        if result == nil, !changes.isEmpty {
            if let outcome = await commit(changes, job) { return outcome }
        }
        for command in commands {
            if let outcome = await move(command, in: node.flow, job) { return outcome }
        }
        if let result, let outcome = await finish(node, result, also: changes, job, routes: &routes) { return outcome }
        routes += commands.routes
        return nil
    }

    /// Commits what a coordinator wants changed, unless the user for whom it decided has left or the scene is gone for good.
    ///
    /// - Returns: Why it cannot be committed.
    nonisolated(nonsending) func commit(_ changes: [SessionChange], _ job: Job) async -> Outcome? {
        let (life, epoch) = (context.life, job.committingEpoch)
        let changes = Fault.lostUpdate.isMade ? changes.computed(from: context.store.snapshot) : changes
        do {
            let committed = try await context.session.apply(changes, origin: job.origin) { snapshot in
                !life.isDiscarded && (epoch == nil || epoch == snapshot.epoch)
            }
            guard let committed else {
                return .abandoned(reason: context.life.isDiscarded ? "sceneDiscarded" : "userLeft")
            }
            job.epoch = committed.epoch
            return nil
        } catch {
            return error.outcome
        }
    }

    /// Moves within a flow.
    ///
    /// - Returns: Why it cannot move so; `nil` when it has moved, or the command is no move.
    private nonisolated(nonsending) func move(_ command: FlowCommand, in flow: String, _ job: Job) async -> Outcome? {
        guard command.isMove else { return nil }
        let engine = context.app.current.engine
        var refusal: Outcome?
        context.life.activate()
        let step = await step(.flow, job) { _, newest in
            if job.isLeft(by: newest) {
                refusal = .abandoned(reason: "userLeft")
                return nil
            }
            if let screen = command.screen {
                refusal = engine.verdict(for: screen, context: context.routing(newest)).refusal
                if refusal != nil { return nil }
            }
            guard let place = router.place(of: flow) else {
                refusal = .rejected(reason: "noSuchFlow")
                return nil
            }
            do throws(FlowPlace.Obstacle) {
                guard let (op, animated) = try place.op(for: command) else { return nil }
                refusal = objection(to: op, engine)
                return refusal == nil ? (op, animated) : nil
            } catch {
                refusal = .rejected(reason: error.rawValue)
                return nil
            }
        }
        return step.refusal ?? refusal
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
}

extension [FlowCommand] {
    var sessionChanges: [SessionChange] {
        compactMap { if case .session(let change) = $0 { change } else { nil } }
    }

    var routes: [Destination] { compactMap { if case .route(let destination) = $0 { destination } else { nil } } }

    /// The result with which the flow is to end; the first counts.
    var result: FlowResult? {
        for case .finish(let result) in self { return result }
        return nil
    }
}

extension FlowCommand {
    /// Whether it moves within the flow.
    var isMove: Bool {
        switch self {
        case .push, .pop, .popToRoot, .replace: true
        case .route, .session, .finish: false
        }
    }

    /// The screen that it adds.
    var screen: Destination? {
        switch self {
        case .push(let screen, _), .replace(let screen, _): screen
        case .pop, .popToRoot, .route, .session, .finish: nil
        }
    }
}

extension DestinationVerdict {
    /// The outcome of showing it all the same.
    var refusal: Outcome? {
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
    var name: String {
        switch self {
        case .malformed: "malformed"
        case .unknownRoute: "unknownRoute"
        case .validationFailed(let parameter, _): parameter
        }
    }
}

extension SessionError {
    /// The outcome of an event whose commit was refused.
    var outcome: Outcome {
        switch self {
        case .invalidFact(let fact, _): .rejected(reason: "invalidFact: \(fact)")
        case .draining: .abandoned(reason: "shutdown")
        case .revisionConflict: .rejected(reason: "contended")
        }
    }
}
