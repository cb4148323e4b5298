internal import SceneNavigation
internal import SceneRouting

/// Carries out what coordinators want done: session changes, moves within their flow, its end, and where to go next.
final class FlowRunner {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    private let steps: StepRunner
    private let committer: FlowCommitter
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
        committer = FlowCommitter(context: context, router: router, gatekeeper: gatekeeper)
        self.navigator = navigator
    }

    /// Carries out what a coordinator wants done, and ends the attempt.
    /// - Parameter node: Where the coordinator is; `nil` if its flow has left since it said so, before a restart: then it neither moves
    ///   nor ends.
    func carryOut(
        _ commands: [FlowCommand],
        of node: CoordinatorNode?,
        _ attempt: Attempt
    ) async -> Ending {
        var sequel: [FlowCommand] = []
        if let outcome = await perform(commands, of: node, attempt, &sequel) {
            return Ending(outcome, context.store.snapshot)
        }
        return await follow(sequel, attempt)
    }

    /// Tells the coordinators of flows that a gesture has taken off the screen that they were cancelled, and then their
    /// parents, children first. Carries out what they answer and ends the attempt.
    func cancelled(_ ended: [StepRunner.EndedFlow], _ attempt: Attempt) async -> Ending {
        var sequel: [FlowCommand] = []
        for flow in ended.reversed() {
            if let outcome = await cancelled(flow, attempt, &sequel) {
                return Ending(outcome, context.store.snapshot)
            }
        }
        return await follow(sequel, attempt)
    }

    /// Asks of other windows what coordinators want, goes where they want to go, and last closes the window, once everything else is
    /// done: where a new window was denied, this one stays, for it may be the last in which somebody can go on.
    private func follow(_ sequel: [FlowCommand], _ attempt: Attempt) async -> Ending {
        for command in sequel {
            guard let outcome = context.windows.ask(command, attempt) else { continue }
            return Ending(outcome, context.store.snapshot)
        }
        var ending: Ending?
        for case .route(let destination) in sequel {
            let request: RouteRequest
            do {
                request = try context.app.current.engine.request(for: destination, source: .internal)
            } catch {
                return Ending(.rejected(reason: error.reasonOfRefusal), context.store.snapshot)
            }
            let reached = await navigator.navigate(request, attempt, unless: attempt.isLeft)
            guard reached.outcome == .applied || reached.outcome == .unchanged else { return reached }
            ending = reached
        }
        let isDenied = attempt.windows.contains { $0.error != nil }
        let closes = sequel.contains(.closeWindow) || attempt.closing != nil
        if closes, !isDenied, let outcome = context.windows.close(attempt) {
            return Ending(outcome, context.store.snapshot)
        }
        return ending ?? Ending(attempt.hasChangedWindow ? .applied : .delivered, context.store.snapshot)
    }

    /// Makes the session changes, moves within the flow, ends it.
    ///
    /// - Parameter sequel: What is done once everything else has been is added here: windows, and where to go.
    /// - Returns: The outcome, if the attempt ends here; `nil` to go on with the sequel.
    private func perform(
        _ commands: [FlowCommand],
        of node: CoordinatorNode?,
        _ attempt: Attempt,
        _ sequel: inout [FlowCommand]
    ) async -> Outcome? {
        let changes = commands.sessionChanges
        let result = commands.result
        if result == nil, !changes.isEmpty {
            if let outcome = await committer.commit(changes, attempt) { return outcome }
        }
        if let node {
            for command in commands {
                if let outcome = await move(command, in: node.flow, attempt) { return outcome }
            }
            if let result, let outcome = await finish(node, result, also: changes, attempt, &sequel) {
                return outcome
            }
        }
        sequel += commands.sequel
        return nil
    }

    // MARK: - Moving within a flow

    /// Moves within a flow.
    ///
    /// - Returns: The outcome, if the flow cannot move so; `nil` if it has moved, or the command is not a move.
    private func move(
        _ command: FlowCommand,
        in flow: String,
        _ attempt: Attempt
    ) async -> Outcome? {
        guard command.isMove else { return nil }
        if case .start(let child, let parameters, let animated) = command {
            return await start(child, with: parameters, animated: animated, by: flow, attempt)
        }
        let engine = context.app.current.engine
        let taken = await steps.take(.flow, attempt) { _, newest in
            var command = command
            if let screen = command.screen {
                let session = context.routing(newest)
                if let refusal = engine.verdict(for: screen, context: session).refusal { return .refuse(refusal) }
                command.screen = engine.shown(screen, context: session)
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

    /// Presents a flow over the one that asks for it.
    ///
    /// - Returns: As ``move(_:in:_:)``.
    private func start(
        _ child: String,
        with parameters: [String: String],
        animated: Bool,
        by flow: String,
        _ attempt: Attempt
    ) async -> Outcome? {
        let engine = context.app.current.engine
        let taken = await steps.take(.flow, attempt) { _, newest in
            do throws(RootRouter.Refusal) {
                let modal = try router.start(child, with: parameters, by: flow, at: newest)
                if let first = modal.stack.first,
                    let refusal = engine.verdict(for: first, context: context.routing(newest)).refusal
                {
                    return .refuse(refusal)
                }
                let op = NavOp.present(modal)
                if let outcome = objection(to: op, engine) { return .refuse(outcome) }
                router.note(child, startedBy: flow)
                return .go(op, animated: animated)
            } catch {
                return .refuse(.rejected(reason: error.reason))
            }
        }
        if !taken.step.hasBegun {
            router.forgetStarting()
            router.forgetStarted()
        }
        return taken.step.refusal
    }

    /// The outcome of an op of a coordinator that would break a rule of the window. That is the coordinator's mistake and
    /// not a violation of the dispatcher's.
    private func objection(to op: NavOp, _ engine: RoutingEngine) -> Outcome? {
        do throws(NavigationViolation) {
            let after = try router.preview(op)
            // The first screen tells which root the window has, so it must not be exchanged for one of another root.
            guard router.state.rootFlow(engine) == after.rootFlow(engine) else {
                return .rejected(reason: FlowPlace.Obstacle.rootStays.rawValue)
            }
            return nil
        } catch {
            return .rejected(reason: error.rule.rawValue)
        }
    }

    // MARK: - A flow's end

    /// Ends a flow: commits what it reports, resumes or abandons what is parked on it, takes it off the screen, and tells its
    /// parent.
    ///
    /// - Parameters:
    ///   - changes: Session changes that belong to the same commit.
    ///   - sequel: What is done once everything else has been is added here: windows, and where to go.
    /// - Returns: The outcome, if the attempt ends here; `nil` to go on with the sequel.
    private func finish(
        _ node: CoordinatorNode,
        _ result: FlowResult,
        also changes: [SessionChange],
        _ attempt: Attempt,
        _ sequel: inout [FlowCommand]
    ) async -> Outcome? {
        let flow = node.flow
        guard node.parent != nil, router.place(of: flow) != nil else { return .rejected(reason: "noSuchFlow") }
        let (parent, starter) = (node.parent, router.starter(of: flow))
        let epilogue: [FlowCommand]
        switch result {
        case .completed(let completion):
            switch await committer.commit(completion, of: node, also: changes, attempt) {
            case .committed(let commands): epilogue = commands
            case .refused(let outcome): return outcome
            }
        case .cancelled:
            epilogue = router.epilogue(of: node, .cancelled, context.routing(context.store.snapshot))
            let all = changes + epilogue.sessionChanges
            if !all.isEmpty, let outcome = await committer.commit(all, attempt) { return outcome }
            let isLeft = context.store.withNewest { newest in
                if attempt.isLeft(by: newest) { return true }
                gatekeeper.abandonCancelled(flow, at: newest)
                return false
            }
            if isLeft { return .abandoned(reason: "userLeft") }
            gatekeeper.tell()
        }
        if let outcome = await leave(node, attempt) { return outcome }
        sequel += epilogue.sequel
        return await tell(parent, flow, result, startedBy: starter, attempt, &sequel)
    }

    /// Tells the coordinators about a flow that a gesture has taken off the screen.
    private func cancelled(
        _ ended: StepRunner.EndedFlow,
        _ attempt: Attempt,
        _ sequel: inout [FlowCommand]
    ) async -> Outcome? {
        let epilogue = router.epilogue(of: ended.node, .cancelled, context.routing(context.store.snapshot))
        let changes = epilogue.sessionChanges
        if !changes.isEmpty, let outcome = await committer.commit(changes, attempt) { return outcome }
        sequel += epilogue.sequel
        return await tell(
            ended.parent,
            ended.node.flow,
            .cancelled,
            startedBy: ended.starter,
            attempt,
            &sequel
        )
    }

    /// Tells a flow how another has ended that was shown over it. One that is gone, too, is not told.
    private func tell(
        _ parent: CoordinatorNode?,
        _ flow: String,
        _ result: FlowResult,
        startedBy starter: String?,
        _ attempt: Attempt,
        _ sequel: inout [FlowCommand]
    ) async -> Outcome? {
        guard let parent, starter == nil || router.node(parent.flow) === parent else { return nil }
        let session = context.routing(context.store.snapshot)
        let commands: [FlowCommand]
        do {
            commands = try parent.coordinator.childFinished(
                flow,
                result,
                context: router.flowContext(of: parent.flow, session: session, hasStarted: starter == parent.flow)
            )
        } catch {
            return .rejected(reason: "intentFailed")
        }
        return commands.isEmpty ? nil : await perform(commands, of: parent, attempt, &sequel)
    }

    /// Takes a flow off the screen, back to where it was started from; a root flow gives way to the root in force. One that is gone
    /// already stays so, also if it has begun afresh.
    private func leave(_ node: CoordinatorNode, _ attempt: Attempt) async -> Outcome? {
        let flow = node.flow
        let app = context.app.current
        var isDue = true
        while isDue {
            isDue = false
            let taken = await steps.take(.flow, attempt) { window, newest in
                guard router.node(flow) === node else { return .nothing }
                if window.rootFlow(app.engine) == flow, let root = router.rootOp(window, app, newest) {
                    return .go(root, animated: true)
                }
                guard let leaving = router.place(of: flow)?.leaving else { return .nothing }
                isDue = leaving.hasMoreBelow
                return .go(leaving.op, animated: !isDue)
            }
            guard taken.step.hasBegun else { return taken.step.refusal }
        }
        return nil
    }

}

extension [FlowCommand] {
    var sessionChanges: [SessionChange] {
        compactMap { if case .session(let change) = $0 { change } else { nil } }
    }

    /// What the commands answer together; `nil` if they answer nothing.
    var answer: [String: FactValue]? {
        compactMap { if case .answer(let values) = $0 { values } else { nil } }
            .reduce(nil) { ($0 ?? [:]).merging($1) { $1 } }
    }

    /// Those that are carried out once everything else is done.
    fileprivate var sequel: [FlowCommand] {
        filter { command in
            switch command {
            case .route, .openWindow, .closeWindow, .closeWindows, .refreshWindow, .refreshWindows: true
            case .push, .pop, .popTo, .popToRoot, .replace, .start, .session, .finish, .answer: false
            }
        }
    }

    /// The result with which the flow is to end: the first, if there are several.
    fileprivate var result: FlowResult? {
        for case .finish(let result) in self { return result }
        return nil
    }
}

extension FlowCommand {
    /// Whether the command moves within the flow.
    fileprivate var isMove: Bool {
        switch self {
        case .push, .pop, .popTo, .popToRoot, .replace, .start: true
        case .route, .session, .finish, .openWindow, .closeWindow, .closeWindows, .refreshWindow, .refreshWindows,
            .answer:
            false
        }
    }

    /// The screen that the command adds.
    fileprivate var screen: Destination? {
        get {
            switch self {
            case .push(let screen, _), .replace(let screen, _): screen
            case .pop, .popTo, .popToRoot, .start, .route, .session, .finish, .openWindow, .closeWindow, .closeWindows,
                .refreshWindow, .refreshWindows, .answer:
                nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .push(_, let animated): self = .push(newValue, animated: animated)
            case .replace(_, let animated): self = .replace(newValue, animated: animated)
            case .pop, .popTo, .popToRoot, .start, .route, .session, .finish, .openWindow, .closeWindow, .closeWindows,
                .refreshWindow, .refreshWindows, .answer:
                break
            }
        }
    }
}

extension WindowDesk {
    /// Asks what a command asks of windows, but for the closing of its own, which comes last.
    ///
    /// - Returns: The outcome, if the attempt ends here.
    func ask(_ command: FlowCommand, _ attempt: Attempt) -> Outcome? {
        switch command {
        case .openWindow(let destination, let configuration): open(destination, configuration, attempt)
        case .closeWindows(let destination): closeOthers(destination, attempt)
        case .refreshWindow: refresh(nil, attempt)
        case .refreshWindows(let destination): refresh(destination, attempt)
        case .route, .session, .push, .pop, .popTo, .popToRoot, .replace, .start, .finish, .closeWindow, .answer: nil
        }
    }
}

extension DestinationVerdict {
    /// The outcome of a move to a screen with this verdict; `nil` if it may be shown.
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
    /// The reason of the outcome `rejected` where a coordinator wanted to go somewhere that is wrong in this way.
    var reasonOfRefusal: String {
        switch self {
        case .malformed: "validationFailed: malformed"
        case .unknownRoute: "validationFailed: unknownRoute"
        case .validationFailed(let parameter, _): "validationFailed: \(parameter)"
        }
    }
}
