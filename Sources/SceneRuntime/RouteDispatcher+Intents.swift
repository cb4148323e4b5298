internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Lets an intent bubble from the screen that is on top now to whoever takes it, and carries out what that one answers.
    nonisolated(nonsending) func bubble(_ intent: Intent, _ job: Job) async -> Ending {
        await pass(.resolved, job)
        let newest = context.store.snapshot
        let session = context.routing(newest)
        guard let screen = router.state.topmost else { return Ending(.rejected(reason: "unhandledIntent"), newest) }
        var chain = ["screen \(screen)", router.state.topmostContainer]
        func record(handler: String? = nil, error: String? = nil) {
            context.log.append(
                .intentBubbled(name: intent.name, chain: chain, handler: handler, error: error),
                job.subject.at(newest)
            )
        }
        for node in router.responders {
            chain.append(node.flow)
            let flow = router.flowContext(of: node.flow, session: session)
            do {
                guard let commands = try node.coordinator.handle(intent, from: screen, context: flow) else { continue }
                record(handler: node.flow)
                return await carryOut(commands, of: node, job)
            } catch {
                record(error: "\(error)")
                return Ending(.rejected(reason: "intentFailed"), newest)
            }
        }
        record()
        return Ending(.rejected(reason: "unhandledIntent"), newest)
    }

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
            let reached = await navigate(request, job)
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
            do {
                try await context.session.apply(changes, origin: job.origin)
            } catch {
                return error.outcome
            }
        }
        for command in commands {
            if let outcome = await move(command, in: node.flow, job) { return outcome }
        }
        if let result, let outcome = await finish(node, result, also: changes, job, routes: &routes) { return outcome }
        routes += commands.routes
        return nil
    }

    /// Moves within a flow.
    ///
    /// - Returns: Why it cannot move so; `nil` when it has moved, or the command is no move.
    private nonisolated(nonsending) func move(_ command: FlowCommand, in flow: String, _ job: Job) async -> Outcome? {
        guard command.isMove else { return nil }
        let engine = context.app.current.engine
        var refusal: Outcome?
        let step = await step(.flow, job) { _, newest in
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
                // A coordinator may ask for what no window does; that is its mistake, not the dispatcher's.
                do throws(NavigationViolation) {
                    _ = try router.preview(op)
                } catch {
                    refusal = .rejected(reason: error.rule.rawValue)
                    return nil
                }
                return (op, animated)
            } catch {
                refusal = .rejected(reason: error.rawValue)
                return nil
            }
        }
        return step.refusal ?? refusal
    }

    // MARK: - Steps

    /// Begins the op that `decide` answers for the newest session, and waits for its transition.
    ///
    /// What the op would uncover and what may no longer be shown goes first (S2): the sweep is due, and nobody may see it in
    /// the meantime.
    /// - Parameter alongside: Runs in the same synchronous section as the op itself.
    nonisolated(nonsending) func step(
        _ cause: Record.NavigationCause,
        _ job: Job,
        alongside: (SessionSnapshot) -> Void = { _ in },
        decide: (WindowState, SessionSnapshot) -> (op: NavOp, animated: Bool)?
    ) async -> RootRouter.Step {
        while true {
            var isClearing = false
            var isAnimated = false
            var stranded: [ParkedIntent] = []
            let step = router.begin(
                subject: job.subject,
                decide: { newest in
                    guard let (op, animated) = decide(router.state, newest) else { return nil }
                    if let clearing = clearing(before: op, by: newest) {
                        isClearing = true
                        return (clearing, .sweep, false)
                    }
                    isAnimated = animated
                    return (op, cause, animated)
                },
                alongside: { newest in
                    stranded = takeStranded(by: newest)
                    if !isClearing { alongside(newest) }
                }
            )
            settle(stranded, .abandoned(reason: "flowCancelled"))
            guard step == .begun else { return step }
            job.hasChangedWindow = true
            await finishTransition(animated: isAnimated, job)
            if !isClearing {
                forgetFlowsNotShown()
                return step
            }
        }
    }

    /// The op that must go before `op`, because that would uncover what the session no longer allows.
    private func clearing(before op: NavOp, by newest: SessionSnapshot) -> NavOp? {
        let app = context.app.current
        let routing = context.routing(newest)
        guard let uncovered = (try? router.preview(op))?.topmost, router.state.destinations.contains(uncovered),
            app.engine.verdict(for: uncovered, context: routing) != .allowed
        else { return nil }
        if let root = rootOp(router.state, app, newest) { return root == op ? nil : root }
        return Reconciler.sweep(
            router.state,
            allowed: { app.engine.verdict(for: $0, context: routing) == .allowed }
        ).first
    }
}

extension RootRouter.Step {
    /// The outcome of an event whose op was refused.
    var refusal: Outcome? {
        if case .refused(let reason) = self { .rejected(reason: reason) } else { nil }
    }
}

extension WindowState {
    /// The container of the topmost screen, as a person says it.
    fileprivate var topmostContainer: String {
        guard let modal = modals.last else { return "tab \(selectedTab)" }
        return modal.flow.map { "\(modal.style) of \($0)" } ?? "\(modal.style)"
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
