internal import Basics
internal import SceneNavigation
internal import SceneRouting

/// Whose the window is (<doc:TheSession#S9>).
package struct WindowOwnership: Hashable, Codable, Sendable {
    /// Who was signed in when the window was last judged; `nil` for a window that was saved without saying so, which belongs to
    /// who is signed in when it is shown.
    private(set) var owner: WindowOwner?
    /// The presented flows that were begun, or went on, while somebody was signed in.
    private var flows: Set<String> = []

    /// Whether a flow was begun by a user.
    func owns(_ flow: String?) -> Bool { flow.map(flows.contains) ?? false }

    /// Notes for whom the flow of a presented modal begins or goes on. One that starts another goes on by that.
    ///
    /// - Parameters:
    ///   - window: What the window shows after the op.
    ///   - started: Who has started each flow.
    mutating func note(_ op: NavOp, _ window: WindowState, started: [String: String], by newest: SessionSnapshot) {
        switch op {
        case .present(let modal):
            guard let flow = modal.flow else { return }
            if newest.user == nil {
                flows.remove(flow)
            } else {
                flows.formUnion([flow, started[flow]].compactMap(\.self))
            }
        case .setModalStack(let index, _) where newest.user != nil && window.modals.indices.contains(index):
            if let flow = window.modals[index].flow { flows.insert(flow) }
        default: return
        }
    }

    /// Gives the window to who is signed in now.
    mutating func claim(_ window: WindowState, by newest: SessionSnapshot, on host: String) {
        self = WindowOwnership(of: window, by: WindowOwner(host: host, user: newest.user, epoch: newest.epoch))
    }

    /// Whether somebody may have had it on screen who has left since. An epoch says that only of the host that counted it; of a
    /// window from elsewhere the user's name does.
    func isLeft(by newest: SessionSnapshot, on host: String) -> Bool {
        guard let owner else { return false }
        if owner.host.hasSameBytes(as: host), owner.epoch != newest.epoch { return true }
        guard let user = owner.user else { return false }
        return newest.user.map { !$0.hasSameBytes(as: user) } ?? true
    }

    /// Notes who is signed in in the same epoch.
    /// - Returns: Whether that is news.
    mutating func stay(with user: String?) -> Bool {
        guard let owner, owner.user != user else { return false }
        self.owner = WindowOwner(host: owner.host, user: user, epoch: owner.epoch)
        return true
    }

    init() {}

    /// The ownership of a saved window.
    init(of window: WindowState, by owner: WindowOwner?) {
        self.owner = owner
        if owner?.user != nil { flows = Set(window.modals.compactMap(\.flow)) }
    }
}

extension RootRouter {
    /// What went from a window with the user who has left.
    struct Leaving {
        /// What the ops have removed: nothing, if a root that looks the same began afresh.
        fileprivate(set) var removed: [Record.Removal] = []
        /// Whether there was an op.
        private(set) var hasStepped = false
        /// Whether all was removed; if the app's code refuses an op, the rest is for the next sweep to remove.
        private(set) var isAll = true

        fileprivate mutating func note(_ isDone: Bool) {
            hasStepped = hasStepped || isDone
            isAll = isDone
        }
    }

    /// Removes from the window what belongs to a user who has left since it was last judged: judges it as if nobody had been
    /// signed in between, and ends the flows that were begun for that user (<doc:TheSession#S9>). A root that is not there for
    /// everybody gives way to the one in force, which begins afresh. Call it with the session's lock held, before anything else looks at
    /// the window in a new epoch.
    ///
    /// - Parameter change: Does an op at once; `afresh` if nothing of what was shown stays, also where the op leads to the same.
    func removeLeft(at newest: SessionSnapshot, by change: (_ op: NavOp, _ afresh: Bool) -> Bool) -> Leaving {
        let host = context.log.host
        guard ownership.isLeft(by: newest, on: host) else {
            if ownership.owner?.host != host {
                ownership.claim(state, by: newest, on: host)
                publish()
            } else if ownership.stay(with: newest.user) {
                publish()
            }
            return Leaving()
        }
        let app = context.app.current
        let nobody = nobody(at: newest, app)
        var leaving = Leaving()
        if let root = freshRoot(app, by: newest, nobody) {
            let judgement = Judgement(of: state, by: nobody, in: context)
            leaving.note(change(root, true))
            guard leaving.isAll else { return leaving }
            leaving.removed += judgement.removals(to: state)
        } else {
            while true {
                let judgement = Judgement(of: state, by: nobody, in: context)
                let op =
                    rootOp(judgement.window, app, nobody)
                    ?? Reconciler.sweep(
                        judgement.window,
                        staying: judgement.allows,
                        flowEnds: ownership.owns
                    ).first
                guard let op else { break }
                leaving.note(change(op, false))
                guard leaving.isAll else { return leaving }
                leaving.removed += judgement.removals(to: state)
            }
        }
        // Who is signed in owns nothing of it yet.
        ownership.claim(state, by: nobody, on: host)
        _ = ownership.stay(with: newest.user)
        publish()
        return leaving
    }

    /// The session as it would be if nobody were signed in.
    private func nobody(at newest: SessionSnapshot, _ app: LoadedApp) -> SessionSnapshot {
        if let last = lastNobody, last.app === app, last.revision == newest.revision { return last.snapshot }
        let snapshot = SessionSnapshot(
            revision: newest.revision,
            epoch: newest.epoch,
            user: nil,
            facts: app.facts.resettingUserFacts(newest.facts)
        )
        lastNobody = (snapshot, app, newest.revision)
        return snapshot
    }

    /// The places, ascending, of those of the window's destinations that go when the user leaves.
    func personalPlaces(at newest: SessionSnapshot) -> [Int] {
        let app = context.app.current
        let (user, nobody) = (context.routingOfShown(newest), context.routing(nobody(at: newest, app)))
        func isForUser(_ destination: Destination) -> Bool {
            app.engine.verdict(for: destination, context: nobody) != .allowed
                && app.engine.verdict(for: destination, context: user) == .allowed
        }
        var place = 0
        var places: [Int] = []
        func add(_ stack: [Destination], isOwned: Bool) {
            for destination in stack {
                if isOwned || isForUser(destination) { places.append(place) }
                place += 1
            }
        }
        for tab in state.tabs { add(tab.stack, isOwned: false) }
        for modal in state.modals { add(modal.stack, isOwned: ownership.owns(modal.flow)) }
        return places
    }

    /// The op that shows the root in force afresh when a user has left; `nil` if tabs are there for everybody (what was shown, what is
    /// in force and what nobody sees), or a root flow is that has not moved on.
    private func freshRoot(_ app: LoadedApp, by newest: SessionSnapshot, _ nobody: SessionSnapshot) -> NavOp? {
        let engine = app.engine
        let shown = state.rootFlow(engine)
        let due = engine.rootFlow(context: context.routing(newest))?.name
        let ofNobody = engine.rootFlow(context: context.routing(nobody))?.name
        if shown == nil, due == nil, ofNobody == nil { return nil }
        let isForAll = shown == due && ofNobody == due
        var fresh = app.cleanWindow(context.routing(newest))
        if let due {
            fresh.tabs[0].stack = screens(startOf: due, asRoot: true, afresh: !isForAll, at: newest)
        }
        return isForAll && state == fresh ? nil : .setRoot(fresh.tabs, selected: fresh.selectedTab)
    }

    /// Does ``removeLeft(at:by:)`` in a window that is on screen, and records each op.
    func removeLeft(at newest: SessionSnapshot, _ subject: Record.Subject) -> Leaving {
        removeLeft(at: newest) { op, afresh in
            let step = begin(op, cause: .sweep, animated: false, afresh: afresh, subject: subject, at: newest)
            completeTransition()
            return step.hasBegun
        }
    }
}
