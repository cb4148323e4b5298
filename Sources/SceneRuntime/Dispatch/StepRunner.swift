internal import SceneNavigation
internal import SceneRouting

/// Takes the steps of an attempt: each op begins only if it still may, and its transition is waited for before the next.
final class StepRunner {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
    }

    /// Carries out a plan op by op, each only while the answer stands that the plan was made by.
    ///
    /// - Parameters:
    ///   - animated: Whether the last op's transition is to be seen; those before it never are.
    ///   - alongside: Runs in the same synchronous section as each op, and is told whether it is the last one; for an empty
    ///     plan it runs once.
    /// - Returns: `none` when the answer stands no longer, though the first ops may have begun; for an empty plan that stands
    ///   `begun`.
    func apply(
        _ ops: [NavOp],
        _ cause: NavigationCause,
        animated: Bool = true,
        _ resolution: Resolution,
        _ attempt: Attempt,
        alongside: (SessionSnapshot, _ isLast: Bool) -> Void = { _, _ in }
    ) async -> RootRouter.StepResult {
        guard !ops.isEmpty else {
            let stands = context.store.withNewest { newest in
                guard resolution.stands(newest) else { return false }
                alongside(newest, true)
                return true
            }
            gatekeeper.tell()
            return stands ? .begun : .none
        }
        for (index, op) in ops.enumerated() {
            let isLast = index == ops.count - 1
            let step = router.step { newest in
                guard resolution.stands(newest) else { return .none }
                let step = router.begin(
                    op,
                    cause: cause,
                    animated: animated && isLast,
                    subject: attempt.subject,
                    at: newest
                )
                if step.hasBegun { alongside(newest, isLast) }
                return step
            }
            gatekeeper.tell()
            guard step.hasBegun else { return step }
            await finishTransition(animated: animated && isLast, attempt)
        }
        return .begun
    }

    /// What is to be done when its moment has come.
    enum Decision {
        case go(NavOp, animated: Bool)
        case refuse(Outcome)
        case nothing
    }

    /// A flow whose screens are gone, and the one that it was started from.
    typealias EndedFlow = (node: CoordinatorNode, parent: CoordinatorNode?)

    /// Begins the op that `decide` answers for the newest session, and waits for its transition.
    ///
    /// What the op would uncover and what may no longer be shown goes first (<doc:TheSession#S2>): the sweep is due,
    /// and nobody may see it in
    /// the meantime.
    /// - Returns: What it came to, and which flows a gesture has ended, in the order attached.
    func take(
        _ cause: NavigationCause,
        _ attempt: Attempt,
        decide: (WindowState, SessionSnapshot) -> Decision
    ) async -> (step: RootRouter.StepResult, ended: [EndedFlow]) {
        while true {
            var isClearing = false
            var isAnimated = false
            var ended: [EndedFlow] = []
            let step = router.step { newest in
                switch decide(router.state, newest) {
                case .nothing: return .none
                case .refuse(let outcome): return .refused(outcome)
                case .go(let op, let animated):
                    let clearing = clearing(before: op, by: newest)
                    isClearing = clearing != nil
                    isAnimated = animated && !isClearing
                    // Who finishes a flow knows that it does.
                    let before: [EndedFlow] =
                        cause == .gesture && !isClearing ? router.nodes.map { ($0, $0.parent) } : []
                    let step = router.begin(
                        clearing ?? op,
                        cause: isClearing ? .sweep : cause,
                        animated: isAnimated,
                        subject: attempt.subject,
                        at: newest
                    )
                    guard step.hasBegun else { return step }
                    gatekeeper.abandonStranded(by: newest)
                    ended = before.filter { router.node($0.node.flow) == nil }
                    return step
                }
            }
            gatekeeper.tell()
            guard step.hasBegun else { return (step, []) }
            attempt.hasChangedWindow = true
            await finishTransition(animated: isAnimated, attempt)
            if !isClearing {
                gatekeeper.forgetFlowsNotShown()
                return (step, ended)
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
        if let root = router.rootOp(router.state, app, newest) { return root == op ? nil : root }
        return Reconciler.sweep(
            router.state,
            allowed: { app.engine.verdict(for: $0, context: routing) == .allowed }
        ).first
    }

    /// Waits for the transition in progress and ends it. Only one that is to be seen takes its time.
    func finishTransition(animated: Bool, _ attempt: Attempt) async {
        guard router.isTransitioning else { return }
        await context.pass(.transition, attempt)
        if animated {
            let life = context.life
            await context.timer.wait(
                context.settings.transitionDuration,
                in: context.scene,
                isGone: { life.isDiscarded }
            )
        }
        router.completeTransition()
    }
}
