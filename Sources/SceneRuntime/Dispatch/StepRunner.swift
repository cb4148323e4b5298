internal import SceneNavigation
internal import SceneRouting

/// Takes the steps of an attempt: begins each op only if it is still allowed, and waits for its transition before the next.
final class StepRunner {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
    }

    /// Carries out a plan op by op, each only while the resolution stands for which the plan was made.
    ///
    /// - Parameters:
    ///   - animated: Whether the last op's transition takes time; those before it never do.
    ///   - alongside: Runs in the same synchronous section as each op and is given whether that is the last one; for an empty
    ///     plan it runs once.
    ///   - isAllowed: What has to hold besides, by the newest session.
    /// - Returns: `none` if the resolution no longer stands, though the first ops may have begun. For an empty plan `begun`,
    ///   if the resolution stands.
    func apply(
        _ ops: [NavOp],
        _ cause: NavigationCause,
        animated: Bool = true,
        _ resolution: Resolution,
        _ attempt: Attempt,
        alongside: (SessionSnapshot, _ isLast: Bool) -> Void = { _, _ in },
        while isAllowed: (SessionSnapshot) -> Bool = { _ in true }
    ) async -> RootRouter.StepResult {
        guard !ops.isEmpty else {
            let stands = context.store.withNewest { newest in
                guard resolution.stands(newest), isAllowed(newest) else { return false }
                alongside(newest, true)
                return true
            }
            gatekeeper.tell()
            return stands ? .begun : .none
        }
        var next = 0
        while next < ops.count {
            let step = gatekeeper.step(attempt) { newest in
                guard resolution.stands(newest), isAllowed(newest) else { return .none }
                while true {
                    let isLast = next == ops.count - 1
                    let step = router.begin(
                        ops[next],
                        cause: cause,
                        animated: animated && isLast,
                        subject: attempt.subject,
                        at: newest
                    )
                    guard step.hasBegun else { return step }
                    alongside(newest, isLast)
                    next += 1
                    // What has uncovered a locked window is followed at once by what covers it.
                    guard !isLast, gatekeeper.isUncovered else { return step }
                    router.completeTransition()
                }
            }
            gatekeeper.tell()
            guard step.hasBegun else { return step }
            await finishTransition(animated: animated && next == ops.count, attempt)
        }
        gatekeeper.forgetFlowsNotShown()
        return .begun
    }

    /// What a step is to do, decided in the moment in which it begins.
    enum Decision {
        case go(NavOp, animated: Bool)
        case refuse(Outcome)
        case nothing
    }

    /// A flow whose screens are gone, the flow over which it was shown, and the one that had started it, if one had.
    typealias EndedFlow = (node: CoordinatorNode, parent: CoordinatorNode?, starter: String?)

    /// Begins the op that `decide` returns for the newest session, and waits for its transition. Refused if the user to whom
    /// the attempt belongs has left (<doc:TheSession#S8>).
    ///
    /// What belongs to a user who has left goes first, because the attempt's own commit may have begun a new epoch
    /// (<doc:TheSession#S9>). If the op would uncover a screen that may no longer be shown, that screen is removed first (<doc:TheSession#S2>): the
    /// sweep that would remove it is still to come, and nobody may see the screen meanwhile.
    /// - Returns: How the step went, and the flows that a gesture has ended, in the order attached.
    func take(
        _ cause: NavigationCause,
        _ attempt: Attempt,
        decide: (WindowState, SessionSnapshot) -> Decision
    ) async -> (step: RootRouter.StepResult, ended: [EndedFlow]) {
        while true {
            var isClearing = false
            var isAnimated = false
            var ended: [EndedFlow] = []
            let step = gatekeeper.step(attempt) { newest in
                if attempt.isLeft(by: newest) { return .refused(.abandoned(reason: "userLeft")) }
                gatekeeper.abandonLeft(by: newest)
                let left = router.removeLeft(at: newest, attempt.subject)
                if left.hasStepped { attempt.hasChangedWindow = true }
                guard left.isAll else { return .none }
                switch decide(router.state, newest) {
                case .nothing: return .none
                case .refuse(let outcome): return .refused(outcome)
                case .go(let op, let animated):
                    let clearing = clearing(before: op, by: newest)
                    isClearing = clearing != nil
                    isAnimated = animated && !isClearing
                    // Only a gesture ends flows without their coordinators knowing.
                    let before: [EndedFlow] =
                        cause == .gesture && !isClearing
                        ? router.nodes.map { ($0, $0.parent, router.starter(of: $0.flow)) } : []
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
                    // Who swipes the lock away does not want to go on there.
                    if let lock = context.app.current.engine.lockFlow?.name,
                        ended.contains(where: { $0.node.flow == lock })
                    {
                        gatekeeper.abandonCancelled(lock, at: newest)
                    }
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

    /// The op that must come before `op`, because `op` would uncover a screen that the session no longer allows.
    private func clearing(before op: NavOp, by newest: SessionSnapshot) -> NavOp? {
        let app = context.app.current
        let routing = context.routingOfShown(newest)
        guard let uncovered = (try? router.preview(op))?.topmost, router.state.destinations.contains(uncovered),
            app.engine.verdict(for: uncovered, context: routing) != .allowed
        else { return nil }
        if let root = router.rootOp(router.state, app, newest) { return root == op ? nil : root }
        return Reconciler.sweep(
            router.state,
            allowed: { app.engine.verdict(for: $0, context: routing) == .allowed }
        ).first
    }

    /// Waits for the transition in progress and ends it. Only an animated one takes time.
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
