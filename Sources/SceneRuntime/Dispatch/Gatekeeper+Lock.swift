internal import SceneNavigation
internal import SceneRouting
internal import SceneVocabulary

// What covers a locked window, and keeps it covered.
extension Gatekeeper {
    /// Presents the lock's flow over what the window shows, if the window is locked and the flow is not there, and somebody can see the
    /// window or something waits for the flow.
    /// What was there is covered and comes back with the flow's end. No transition may be in progress.
    ///
    /// - Parameter attempt: The attempt that goes on, if one does.
    func coverIfLocked(_ attempt: Attempt? = nil) {
        guard context.life.isLocked else { return }
        context.store.withNewest { newest in cover(attempt, at: newest) }
        tell()
    }

    /// Does what ``coverIfLocked(_:)`` does, but for notifying those who wait. Called with the session's lock held.
    func cover(_ attempt: Attempt? = nil, at newest: SessionSnapshot) {
        let life = context.life.current
        guard life.isLocked, life.phase == .connected, let flow = context.app.current.engine.lockFlow,
            life.activation.isInForeground || parked.contains(where: { $0.flow == flow.name })
        else { return }
        // What belongs to a user who has left does nothing any more; the window is covered when that is over.
        if let attempt, attempt.isLeft(by: newest) { return }
        let subject = Record.Subject(scene: context.scene)
        // Nothing of a user who has left may be there when the window changes.
        abandonLeft(by: newest)
        let left = router.removeLeft(at: newest, attempt?.subject ?? subject)
        if !left.removed.isEmpty {
            if attempt == nil { context.log.append(.sceneSwept(removed: left.removed), subject.at(newest)) }
            abandonStranded(by: newest)
        }
        guard left.isAll else { return }
        let ops = plan(
            toShow: flow,
            for: [:],
            isRoot: false,
            in: router.state,
            replacing: false,
            uncovering: true,
            start: { router.screens(startOf: flow.name, asRoot: false, at: newest) }
        )
        for op in ops {
            guard router.begin(op, cause: .lock, animated: false, subject: subject, at: newest).hasBegun else {
                return router.forgetStarting()
            }
            router.completeTransition()
            if case .present = op { notePresented(flow.name) }
            abandonStranded(by: newest)
        }
    }

    /// Runs one step as ``RootRouter/step(_:)`` does, and covers the window again in the same synchronous section if that has taken the
    /// lock's flow off it: what the lock covers is never shown. Such a step's transition takes no time.
    ///
    /// - Parameter attempt: The attempt that takes the step, if one does.
    func step(
        _ attempt: Attempt? = nil,
        _ body: (SessionSnapshot) -> RootRouter.StepResult
    ) -> RootRouter.StepResult {
        router.step { newest in keepingCovered(attempt, at: newest) { body(newest) } }
    }

    /// Does something to the window, and covers it again if that has taken the lock's flow off it. Called with the session's lock
    /// held.
    ///
    /// - Parameter attempt: The attempt that goes on, if one does.
    func keepingCovered<Result>(
        _ attempt: Attempt?,
        at newest: SessionSnapshot,
        _ body: () -> Result
    ) -> Result {
        guard context.life.isLocked, isLockShown else { return body() }
        let result = body()
        if !isLockShown {
            router.completeTransition()
            cover(attempt, at: newest)
        }
        return result
    }

    /// Whether a step has left a locked window without what covers it, so that the next has to follow in the same section.
    var isUncovered: Bool {
        let life = context.life.current
        return life.isLocked && life.activation.isInForeground && !isLockShown
    }

    /// Whether the window shows the lock's flow.
    private var isLockShown: Bool {
        let engine = context.app.current.engine
        return engine.lockFlow.map { router.state.shows(flow: $0.name, engine) } ?? false
    }
}
