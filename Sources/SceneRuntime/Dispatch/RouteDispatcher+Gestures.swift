internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Does what a finger does, judged by what is there at its turn.
    nonisolated(nonsending) func carryOut(_ gesture: Gesture, _ job: Job) async -> Ending {
        await pass(.resolved, job)
        job.epoch = context.store.snapshot.epoch
        var noEffect = Gesture.NoEffect.nothingToPop
        func op(in window: WindowState) -> NavOp? {
            do throws(Gesture.NoEffect) {
                return try gesture.op(in: window, hidesBack: hidesBack(window), hasTabs: hasTabs(window))
            } catch {
                noEffect = error
                return nil
            }
        }
        if op(in: router.state) != nil { context.life.activate() }
        if gesture.isCancelled {
            guard router.beginCancelled(decide: { _ in op(in: router.state) }) else { return ignored(noEffect) }
            await finishTransition(animated: true, job)
            return ignored(.swipeCancelled)
        }
        var ended: [(node: CoordinatorNode, parent: CoordinatorNode?)] = []
        var before: [(node: CoordinatorNode, parent: CoordinatorNode?)] = []
        let step = await step(.gesture, job) { _ in
            ended = before.filter { router.node($0.node.flow) == nil }
        } decide: { window, _ in
            before = router.nodes.map { ($0, $0.parent) }
            return op(in: window).map { ($0, true) }
        }
        switch step {
        case .refused(let reason): return Ending(.rejected(reason: reason), context.store.snapshot)
        case .none:
            return job.hasChangedWindow ? Ending(.applied, context.store.snapshot) : ignored(noEffect)
        case .begun: return await tell(ended, job)
        }
    }

    /// Tells the coordinators of flows that a gesture has taken off the screen, and their parents, that they were
    /// cancelled; children before their parents.
    private nonisolated(nonsending) func tell(
        _ ended: [(node: CoordinatorNode, parent: CoordinatorNode?)],
        _ job: Job
    ) async -> Ending {
        var routes: [Destination] = []
        for (node, parent) in ended.reversed() {
            if let outcome = await cancelled(node, parent, job, routes: &routes) {
                return Ending(outcome, context.store.snapshot)
            }
        }
        return await follow(routes, job)
    }

    private func ignored(_ reason: Gesture.NoEffect) -> Ending {
        Ending(.ignored(reason: reason.rawValue), context.store.snapshot)
    }

    /// Whether the flow of the topmost screen says that nobody can go back from it.
    private func hidesBack(_ window: WindowState) -> Bool {
        guard let screen = window.topmost, let owner = router.responders.first?.flow else { return false }
        let flow = context.app.current.engine.flow(owner)
        return flow?.screens.first { $0.id == screen.id }?.hidesBack ?? false
    }

    private func hasTabs(_ window: WindowState) -> Bool {
        window.rootFlow(context.app.current.engine) == nil
    }
}
