internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Begins the op that `decide` answers for the newest session, and waits for its transition.
    ///
    /// What the op would uncover and what may no longer be shown goes first (<doc:TheSession#S2>): the sweep is due,
    /// and nobody may see it in the meantime.
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
