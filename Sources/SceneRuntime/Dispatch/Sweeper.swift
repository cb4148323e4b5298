internal import SceneNavigation
internal import SceneRouting

/// Removes from a scene's window, and from what it has parked, whatever the newest session no longer allows: after each
/// commit, and before a released window is shown again (<doc:TheSession#S3>, <doc:TheSession#S5>, <doc:TheSession#S7>).
final class Sweeper {
    private let context: SceneContext
    private let router: RootRouter
    private let gatekeeper: Gatekeeper
    /// What was left out of a window that waits to be restored, because the app no longer knows it.
    var dropped: [Record.Removal]

    init(context: SceneContext, router: RootRouter, gatekeeper: Gatekeeper, dropped: [Record.Removal]) {
        self.context = context
        self.router = router
        self.gatekeeper = gatekeeper
        self.dropped = dropped
    }

    /// Judges again, by the newest session, what is shown and what is parked.
    ///
    /// - Returns: The intents whose precondition holds now, in the order parked. The caller resumes each once.
    func sweep() async -> [ParkedIntent] {
        await context.pass(.admitted, nil)
        guard context.life.current.phase == .connected else {
            // A window that nobody sees is judged when it comes back. Only what a user left behind is abandoned at once.
            context.store.withNewest(gatekeeper.abandonLeft)
            gatekeeper.tell()
            return []
        }
        var ready: [ParkedIntent] = []
        var removed: [Record.Removal] = []
        while true {
            var judgement = judge(by: context.store.snapshot)
            await context.pass(.resolved, nil)
            // The op is chosen within the step, once it is known what is resumed and which flows are pointless.
            await context.pass(.planned, nil)
            let step = gatekeeper.step { newest in
                gatekeeper.abandonLeft(by: newest)
                ready += gatekeeper.takeReady(by: newest)
                gatekeeper.publish(revision: newest.revision)
                let subject = Record.Subject(scene: context.scene)
                let left = router.removeLeft(at: newest, subject)
                removed += left.removed
                guard left.isAll else { return .none }
                // What is resumed by now is no reason any more for its flow to be there.
                if !router.isPlaced || !judgement.stands(of: router.state, by: newest, in: context) {
                    judgement = judge(by: newest)
                }
                guard let op = removal(by: judgement) else {
                    router.follow(judgement.app, at: newest)
                    return .none
                }
                let step = router.begin(op, cause: .sweep, animated: false, subject: subject, at: newest)
                // A commit during the transition must not resume what waited for a flow that is gone.
                if step.hasBegun {
                    gatekeeper.abandonStranded(by: newest)
                    removed += judgement.removals(to: router.state)
                }
                return step
            }
            gatekeeper.tell()
            guard step.hasBegun else { break }
            await context.pass(.transition, nil)
            router.completeTransition()
        }
        settle()
        record(removed, at: context.store.snapshot)
        await context.pass(.settled, nil)
        return ready
    }

    /// Brings the scene's window back, with only what may be shown now (<doc:Scenes#Cold-and-warm>).
    ///
    /// - Parameter cause: The event that needs the window, if one does.
    /// - Returns: As ``sweep()``.
    func restore(cause: AdmittedEvent?) -> [ParkedIntent] {
        var ready: [ParkedIntent] = []
        var removed: [Record.Removal] = []
        context.store.withNewest { newest in
            guard !context.life.isDiscarded else { return }
            gatekeeper.abandonLeft(by: newest)
            ready = gatekeeper.takeReady(by: newest)
            removed = show(for: cause?.id, at: newest)
        }
        settle()
        gatekeeper.publish()
        record(removed, at: context.store.snapshot)
        return ready
    }

    /// Shows the saved window of a new scene, with only what may be shown now. Called with the session's lock held, so that no
    /// commit falls between the first window and the first sweep.
    func open(at newest: SessionSnapshot) {
        let removed = show(for: nil, at: newest)
        gatekeeper.publish()
        record(removed, at: newest)
    }

    /// Shows a window that was released or saved, without what may no longer be shown.
    /// - Returns: What was removed.
    private func show(for event: String?, at newest: SessionSnapshot) -> [Record.Removal] {
        var removed = dropped
        dropped = []
        removed += router.removeLeft(at: newest) { router.prepare($0, afresh: $1, at: newest) }.removed
        var judgement = judge(by: newest)
        while let op = removal(by: judgement), router.prepare(op, at: newest) {
            removed += judgement.removals(to: router.state)
            judgement = judge(by: newest)
        }
        router.follow(judgement.app, at: newest)
        router.restore(for: event, at: newest)
        return removed
    }

    /// Judges the window; if another app is in force than that by which it came about, also whether everything could be where it is
    /// (<doc:Scenes#Another-manifest>).
    private func judge(by snapshot: SessionSnapshot) -> Judgement {
        let engine = context.app.current.engine
        let misplaced =
            router.isPlaced
            ? [:]
            : WindowRestoration.misplaced(
                in: router.state,
                engine: engine,
                hasCode: context.code.decides,
                isWaitedFor: gatekeeper.isThereForGate
            )
        return Judgement(of: router.state, by: snapshot, in: context, misplaced: misplaced)
    }

    /// The next op that removes something that may no longer be shown; `nil` if there is nothing to remove.
    private func removal(by judgement: Judgement) -> NavOp? {
        let window = judgement.window
        if let root = router.rootOp(window, judgement.app, judgement.snapshot) { return root }
        return Reconciler.sweep(
            window,
            staying: judgement.allows,
            flowEnds: { gatekeeper.isPointless($0) }
        ).first
    }

    /// Abandons what waits for flows that are gone with what was removed, and notifies those who wait.
    private func settle() {
        gatekeeper.forgetFlowsNotShown()
        context.store.withNewest(gatekeeper.abandonStranded)
        gatekeeper.tell()
    }

    private func record(_ removed: [Record.Removal], at newest: SessionSnapshot) {
        guard !removed.isEmpty else { return }
        context.log.append(.sceneSwept(removed: removed), Record.Subject(scene: context.scene).at(newest))
    }
}
