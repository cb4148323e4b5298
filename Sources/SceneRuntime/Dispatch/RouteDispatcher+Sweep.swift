internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Re-evaluates what is shown and what is parked against the newest session
    /// (<doc:TheSession#S3>, <doc:TheSession#S5>, <doc:TheSession#S7>).
    ///
    /// - Returns: The intents whose precondition holds now, in the order parked: each is to be resumed once.
    package nonisolated(nonsending) func sweep() async -> [ParkedIntent] {
        let subject = Record.Subject(scene: context.scene)
        await passSweep(.admitted)
        guard context.life.current.phase == .connected else {
            // What nobody sees is looked at when it comes back; only what a user left behind goes at once.
            settle(context.store.withNewest(takeLeft), .abandoned(reason: "userLeft"))
            router.publish(parked: gatekeeper.parked)
            return []
        }
        var ready: [ParkedIntent] = []
        var left: [ParkedIntent] = []
        var removed: [Record.Removal] = []
        while true {
            let before = router.state
            let judgement = Judgement(of: before, by: context.store.snapshot, in: context)
            await passSweep(.resolved)
            // The op itself is chosen with the step, when it is known what is resumed and whose flows are pointless.
            await passSweep(.planned)
            var reasons: [Destination: String] = [:]
            let step = router.begin(cause: .sweep, animated: false, subject: subject) { newest in
                left += takeLeft(by: newest)
                ready += takeReady(by: newest)
                router.publish(parked: gatekeeper.parked, revision: newest.revision)
                let next = nextRemoval(from: before, judgement.standing(by: newest, in: context))
                reasons = next.reasons
                return next.op
            }
            settle(left, .abandoned(reason: "userLeft"))
            left = []
            guard step == .begun else { break }
            removed += Self.removals(from: before, to: router.state, reasons)
            await passSweep(.transition)
            router.completeTransition()
        }
        forgetFlowsNotShown()
        settleStranded()
        if !removed.isEmpty {
            context.log.append(.sceneSwept(removed: removed), subject.at(context.store.snapshot))
        }
        await passSweep(.settled)
        return ready
    }

    /// Brings the scene's window back, with only what may be shown now (<doc:Scenes#Cold-and-warm>).
    ///
    /// - Parameter cause: The event that needs the window, if one does.
    /// - Returns: The intents whose precondition holds by now, in the order parked: each is to be resumed once.
    package func restore(cause: AdmittedEvent?) -> [ParkedIntent] {
        var ready: [ParkedIntent] = []
        var left: [ParkedIntent] = []
        var reasons: [Destination: String] = [:]
        let saved = router.state
        router.restore(for: cause?.id) { window, newest in
            left += takeLeft(by: newest)
            ready += takeReady(by: newest)
            if Fault.restoredUnchecked.isMade { return nil }
            let next = nextRemoval(from: window, Judgement(of: window, by: newest, in: context))
            reasons.merge(next.reasons) { $1 }
            return next.op
        }
        let removed = dropped + Self.removals(from: saved, to: router.state, reasons)
        dropped = []
        settle(left, .abandoned(reason: "userLeft"))
        forgetFlowsNotShown()
        settleStranded()
        router.publish(parked: gatekeeper.parked)
        if !removed.isEmpty {
            context.log.append(
                .sceneSwept(removed: removed),
                Record.Subject(scene: context.scene).at(context.store.snapshot)
            )
        }
        return ready
    }

    /// The next op by which what may no longer be shown leaves a window, and why.
    private func nextRemoval(
        from window: WindowState,
        _ judgement: Judgement
    ) -> (op: NavOp?, reasons: [Destination: String]) {
        let reasons = judgement.refusals
        if let root = rootOp(window, judgement.app, judgement.snapshot) { return (root, reasons) }
        let ops = Reconciler.sweep(
            window,
            allowed: { reasons[$0] == nil },
            flowEnds: { gatekeeper.isPointless($0) && !Fault.pointlessFlowStays.isMade }
        )
        return (ops.first, reasons)
    }

    /// What one window shows and the other no longer does. What stands for no refusal went with the flow it belonged to.
    private static func removals(
        from before: WindowState,
        to after: WindowState,
        _ reasons: [Destination: String]
    ) -> [Record.Removal] {
        before.destinations.filter { !after.destinations.contains($0) }
            .map { Record.Removal(destination: $0, reason: reasons[$0] ?? "flowEnded") }
    }

    /// What was parked by a user who has left is abandoned; what was parked while nobody was signed in stays
    /// (<doc:TheSession#S7>).
    private func takeLeft(by newest: SessionSnapshot) -> [ParkedIntent] {
        let left = gatekeeper.take { $0.isLeft(by: newest) }
        for intent in left { context.recordAbandoned(intent, reason: "userLeft", at: newest) }
        return left
    }

    private func takeReady(by newest: SessionSnapshot) -> [ParkedIntent] {
        let engine = context.app.current.engine
        let routing = context.routing(newest)
        // A precondition that a reload removed cannot be waited for: the resume decides what becomes of the intent.
        let ready = gatekeeper.take {
            $0.completion != nil
                || !Fault.resumesOwnOnly.isMade && engine.holds(precondition: $0.precondition, context: routing) ?? true
        }
        if Fault.freedTwice.isMade { for intent in ready { gatekeeper.park(intent) } }
        for intent in ready {
            context.log.append(
                .gateResumed(
                    precondition: intent.precondition,
                    destination: intent.request.destination,
                    flow: intent.completion == nil ? nil : intent.flow
                ),
                // The commit that allows it, which for a flow is its own.
                Job(intent, scene: context.scene).subject.at(intent.completion?.snapshot ?? newest)
            )
        }
        return ready
    }

    /// The op that gives the window the root in force: a flow, or the manifest's tabs. Where a reload changed the tabs, one
    /// that is still there keeps its stack.
    func rootOp(_ window: WindowState, _ app: LoadedApp, _ snapshot: SessionSnapshot) -> NavOp? {
        if !app.manifest.roots.isEmpty, let flow = app.engine.rootFlow(context: context.routing(snapshot)) {
            guard window.rootFlow(app.engine) != flow.name else { return nil }
            let start = router.screens(startOf: flow.name, asRoot: true, at: snapshot)
            return .setRoot([TabState(id: WindowState.rootTab, stack: start)], selected: WindowState.rootTab)
        }
        let tabs = app.manifest.tabs
        // As nearly always: nothing to make only to compare it.
        if tabs.count == window.tabs.count,
            zip(tabs, window.tabs).allSatisfy({ $0.id == $1.id && $0.root == $1.stack.first?.id })
        {
            return nil
        }
        let wanted = tabs.map { tab in
            let kept = window.stack(of: tab.id) ?? []
            return TabState(id: tab.id, stack: kept.first?.id == tab.root ? kept : [Destination(id: tab.root)])
        }
        guard let first = wanted.first, wanted != window.tabs else { return nil }
        let isThere = wanted.contains { $0.id == window.selectedTab }
        return .setRoot(wanted, selected: isThere ? window.selectedTab : first.id)
    }

    /// An intent whose flow went with what it stood on cannot be completed any more.
    ///
    /// - Returns: Those that are recorded as abandoned and not yet told.
    func takeStranded(by newest: SessionSnapshot) -> [ParkedIntent] {
        if Fault.strandedForgotten.isMade || gatekeeper.parked.isEmpty { return [] }
        let engine = context.app.current.engine
        return takeCancelled(by: newest) { $0.completion == nil && !router.state.shows(flow: $0.flow, engine) }
    }

    /// Gives up intents whose flow has been cancelled.
    func takeCancelled(by newest: SessionSnapshot, where fits: (ParkedIntent) -> Bool) -> [ParkedIntent] {
        let cancelled = gatekeeper.take(where: fits)
        guard !cancelled.isEmpty else { return [] }
        router.publish(parked: gatekeeper.parked)
        for intent in cancelled { context.recordAbandoned(intent, reason: "flowCancelled", at: newest) }
        return cancelled
    }

    private func settleStranded() {
        settle(context.store.withNewest(takeStranded), .abandoned(reason: "flowCancelled"))
    }

    func forgetFlowsNotShown() {
        let engine = context.app.current.engine
        gatekeeper.forgetFlows { !router.state.shows(flow: $0, engine) }
        router.forgetStarting()
    }

    /// Abandons everything parked, because the scene or the host ends.
    package func abandonParked(reason: String) {
        let parked = gatekeeper.take { _ in true }
        router.publish(parked: [])
        for intent in parked { context.giveUp(intent, reason: reason) }
    }

    private nonisolated(nonsending) func passSweep(_ point: HoldPoint) async {
        await context.checkpoints.pass(
            Catch(point: point, scene: context.scene, ticket: nil, event: nil, kind: .sweep),
            isGone: { context.life.isDiscarded }
        )
    }
}
