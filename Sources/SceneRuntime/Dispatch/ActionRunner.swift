internal import SceneNavigation
internal import SceneRouting
internal import StrictJSON

/// Carries out what happens inside a window: an intent that a screen reports, a gesture, a flow's result.
final class ActionRunner {
    private let context: SceneContext
    private let router: RootRouter
    private let steps: StepRunner
    private let flows: FlowRunner

    init(context: SceneContext, router: RootRouter, steps: StepRunner, flows: FlowRunner) {
        self.context = context
        self.router = router
        self.steps = steps
        self.flows = flows
    }

    /// Hands an intent from what reports it now (the screen on top, if it is not named) up the chain until somebody takes it, and
    /// carries out their answer.
    func bubble(_ intent: Intent, from name: String?, _ attempt: Attempt) async -> Ending {
        await context.pass(.resolved, attempt)
        let newest = context.store.snapshot
        if attempt.isLeft(by: newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
        let session = context.routing(newest)
        var chain: [String] = []
        func record(
            handler: String? = nil,
            answer: [String: FactValue]? = nil,
            error: String? = nil,
            wanted commands: [FlowCommand]? = nil
        ) {
            context.log.append(
                .intentBubbled(name: intent.name, chain: chain, handler: handler, answer: answer, error: error),
                attempt.subject.at(newest),
                keeping: commands.map { [.effect(attempt.event.key, .taken(chain: chain, $0))] } ?? []
            )
        }
        func carryOut(_ commands: [FlowCommand], of node: CoordinatorNode?) async -> Ending {
            let answer = commands.answer
            record(handler: chain.last, answer: answer, wanted: commands)
            attempt.answer = answer
            await context.pass(.planned, attempt)
            return await flows.carryOut(commands, of: node, attempt)
        }
        if let decision = attempt.decision {
            chain = decision.chain
            return await carryOut(decision.commands, of: chain.last.flatMap(router.node))
        }
        // What is gone has nothing to report. A commit may have come since the intent's turn: nor has a screen that it forbids,
        // although the sweep has not removed it yet.
        guard let reporter = Reporter(name, in: router.state),
            attempt.goesOn || isAllowed([reporter.screen], by: newest)
        else {
            record()
            return Ending(.rejected(reason: "unhandledIntent"), newest)
        }
        let screen = reporter.screen
        for (name, responder) in router.displayed(reporter) {
            chain.append(name)
            do {
                guard try responder?.take(intent, from: screen) == true else { continue }
                record(handler: name)
                return Ending(.delivered, newest)
            } catch {
                record(error: "\(error)")
                return Ending(.rejected(reason: "intentFailed"), newest)
            }
        }
        for node in router.responders(of: reporter) {
            chain.append(node.flow)
            let flow = router.flowContext(of: node.flow, session: session)
            do {
                guard let commands = try node.coordinator.handle(intent, from: screen, context: flow) else { continue }
                if let problem = commands.answer.flatMap(Self.problem) {
                    record(error: problem)
                    return Ending(.rejected(reason: "intentFailed"), newest)
                }
                return await carryOut(commands, of: node)
            } catch {
                record(error: "\(error)")
                return Ending(.rejected(reason: "intentFailed"), newest)
            }
        }
        record()
        return Ending(.rejected(reason: "unhandledIntent"), newest)
    }

    /// Why an answer is refused, as a clause.
    private static func problem(_ answer: [String: FactValue]) -> String? {
        let size = JSONValue.object(answer.json).text().utf8.count
        guard size > FlowCommand.maximumAnswer else { return nil }
        return "the answer takes \(size) bytes; one may take \(FlowCommand.maximumAnswer)"
    }

    /// Carries out a gesture, judged by what the window shows at its turn.
    func carryOut(_ gesture: Gesture, _ attempt: Attempt) async -> Ending {
        await context.pass(.resolved, attempt)
        let newest = context.store.snapshot
        if attempt.isLeft(by: newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
        if case .go(let op, _) = decide(gesture, in: router.state) {
            if gesture.isCancelled {
                guard router.beginCancelled(op) else { return ignored(.nothingToPop) }
                await steps.finishTransition(animated: true, attempt)
                return ignored(.swipeCancelled)
            }
        }
        let (step, ended) = await steps.take(.gesture, attempt) { window, _ in decide(gesture, in: window) }
        switch step {
        case .begun: return await flows.cancelled(ended, attempt)
        case .none: return Ending(.abandoned(reason: "sceneDiscarded"), context.store.snapshot)
        case .refused(.ignored) where attempt.hasChangedWindow: return Ending(.applied, context.store.snapshot)
        case .refused(let outcome): return Ending(outcome, context.store.snapshot)
        }
    }

    private func decide(_ gesture: Gesture, in window: WindowState) -> StepRunner.Decision {
        let hasTabs = window.rootFlow(context.app.current.engine) == nil
        do throws(Gesture.NoEffect) {
            return .go(try gesture.op(in: window, hidesBack: hidesBack(window), hasTabs: hasTabs), animated: true)
        } catch {
            return .refuse(.ignored(reason: error.rawValue))
        }
    }

    /// Whether the flow of the topmost screen declares that the screen hides the way back.
    private func hidesBack(_ window: WindowState) -> Bool {
        guard let screen = window.topmost, let owner = router.responders.first?.flow else { return false }
        let flow = context.app.current.engine.flow(owner)
        return flow?.screens.first { $0.id == screen.id }?.hidesBack ?? false
    }

    private func ignored(_ reason: Gesture.NoEffect) -> Ending {
        Ending(.ignored(reason: reason.rawValue), context.store.snapshot)
    }

    /// Ends a flow with the result that a client reports, as the flow's last screen would.
    func report(_ result: FlowResult, of flow: String, _ attempt: Attempt) async -> Ending {
        await context.pass(.resolved, attempt)
        let newest = context.store.snapshot
        if attempt.isLeft(by: newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
        // As with an intent: a flow whose screens may no longer be shown counts as gone, and so does a root no longer in force.
        let engine = context.app.current.engine
        guard let place = router.place(of: flow), let node = router.node(flow),
            attempt.goesOn || isAllowed(place.screens, by: newest),
            attempt.goesOn || router.state.rootFlow(engine) != flow
                || engine.rootFlow(context: context.routing(newest))?.name == flow
        else {
            // What it has committed before a restart may have taken the flow away meanwhile: that is done.
            return Ending(attempt.goesOn ? .delivered : .rejected(reason: "noSuchFlow"), newest)
        }
        // Nobody can touch what the lock covers.
        if context.life.isLocked, !router.responders.contains(where: { $0.flow == flow }) {
            return Ending(.rejected(reason: "locked"), newest)
        }
        await context.pass(.planned, attempt)
        return await flows.carryOut([.finish(result)], of: node, attempt)
    }

    /// Whether the session allows all of these to be shown.
    private func isAllowed(_ screens: [Destination], by newest: SessionSnapshot) -> Bool {
        let (engine, routing) = (context.app.current.engine, context.routingOfShown(newest))
        return screens.allSatisfy { engine.verdict(for: $0, context: routing) == .allowed }
    }
}
