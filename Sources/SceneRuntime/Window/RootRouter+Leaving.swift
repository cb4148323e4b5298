internal import SceneNavigation
internal import SceneRouting

/// Whose the window is (<doc:TheSession#S9>).
struct WindowOwnership {
    /// The newest epoch for which the window has been judged; `nil` for a window that was saved elsewhere, which belongs to who
    /// is signed in when it is shown.
    var epoch: Int?
    /// The presented flows that were begun while somebody was signed in.
    private var flows: Set<String> = []

    /// Whether a flow was begun by a user.
    func owns(_ flow: String?) -> Bool { flow.map(flows.contains) ?? false }

    /// Notes for whom the flow of a presented modal begins.
    mutating func note(_ op: NavOp, by newest: SessionSnapshot) {
        guard case .present(let modal) = op, let flow = modal.flow else { return }
        if newest.user == nil { flows.remove(flow) } else { flows.insert(flow) }
    }

    /// Gives the window to who is signed in now.
    mutating func claim(_ window: WindowState, by newest: SessionSnapshot) {
        epoch = newest.epoch
        flows = newest.user == nil ? [] : Set(window.modals.compactMap(\.flow))
    }
}

extension RootRouter {
    /// Removes from the window what belongs to a user who has left since it was last judged: judges it as if nobody had been
    /// signed in between, and ends the flows that were begun for that user (<doc:TheSession#S9>). Call it with the session's
    /// lock held, before anything else looks at the window in a new epoch.
    ///
    /// - Parameter change: Does an op at once.
    /// - Returns: What was removed.
    func removeLeft(at newest: SessionSnapshot, by change: (NavOp) -> Bool) -> [Record.Removal] {
        guard let epoch = ownership.epoch else {
            ownership.claim(state, by: newest)
            return []
        }
        guard epoch != newest.epoch else { return [] }
        let app = context.app.current
        let nobody = SessionSnapshot(
            revision: newest.revision,
            epoch: newest.epoch,
            user: nil,
            facts: app.facts.resettingUserFacts(newest.facts)
        )
        let before = Judgement(of: state, by: nobody, in: context)
        var judgement = before
        while let op = rootOp(judgement.window, app, nobody)
            ?? Reconciler.sweep(
                judgement.window,
                allowed: { judgement.refusals[$0] == nil },
                flowEnds: ownership.owns
            ).first,
            change(op)
        {
            judgement = Judgement(of: state, by: nobody, in: context)
        }
        ownership.claim(state, by: nobody)
        return before.removals(to: state)
    }

    /// Does ``removeLeft(at:by:)`` in a window that is on screen, and records each op.
    func removeLeft(at newest: SessionSnapshot, _ subject: Record.Subject) -> [Record.Removal] {
        removeLeft(at: newest) { op in
            let step = begin(op, cause: .sweep, animated: false, subject: subject, at: newest)
            completeTransition()
            return step.hasBegun
        }
    }
}
