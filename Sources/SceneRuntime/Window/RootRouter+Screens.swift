internal import SceneNavigation
internal import SceneRouting

// Screens and leaks. A headless scene has no screens, but its coordinators can leak.
extension RootRouter {
    /// Has the app's screens and its seam follow an op that the window has begun.
    func show(_ op: NavOp, animated: Bool, afresh: Bool) throws(Display.Failure) {
        guard let display else { return }
        let gone = try display.carryOut(
            op,
            animated: animated && op.isTransition,
            afresh: afresh,
            window: window.state,
            owners: coordinators.owner(ofEachIn: window.state)
        )
        expectGone(gone)
    }

    func expectGone(_ places: [WindowScreens.Place]) {
        for place in places {
            if let screen = place.screen { leaks.expectGone(screen, "screen \(place.destination)") }
        }
    }

    /// Who is asked to take an intent before any coordinator is: the screen that reports, then its container. In a headless
    /// scene neither has a responder, but both are named in the record.
    func displayed(_ reporter: Reporter) -> [(name: String, responder: (any IntentResponder)?)] {
        let able = display?.responders(at: reporter.place, in: reporter.container, of: window.state)
        let container = (reporter.container.name(in: window.state), able?.container)
        return reporter.isContainer ? [container] : [("screen \(reporter.screen)", able?.screen), container]
    }

    /// Records a violation for each screen or coordinator that is no longer shown but still exists. Called at the end of a
    /// mailbox item, when the runtime itself no longer holds any of them.
    package func reportLeaks(cause: NavigationCause) {
        guard !leaks.isEmpty || coordinators.expectsLeaks else { return }
        var found = coordinators.leaks(holders: holders)
        // Containers hold what is on its way off the screen; then the end of a later item looks.
        if display?.isSettled ?? true {
            found += leaks.check(
                isShown: { display?.screens.contains($0) ?? false },
                holders: holders,
                keepers: { display.map { [("the containers", $0)] } ?? [] }
            )
        }
        guard !found.isEmpty else { return }
        leaked += found.count
        for leak in found {
            context.log.append(
                .violation(rule: "leak", cause: cause.rawValue, detail: leak.description),
                Record.Subject(scene: context.scene).at(context.store.snapshot)
            )
        }
        publish()
    }

    /// The objects that may hold a leaked one: coordinators, screens, the factory, the seam.
    private func holders() -> [(name: String, object: AnyObject)] {
        let screens = display?.screens.places ?? []
        return coordinators.all.map { ("coordinator \($0.flow)", $0.coordinator) }
            + screens.compactMap { place in place.screen.map { ("screen \(place.destination)", $0) } }
            + (display?.holders ?? [])
    }

    func record(_ failure: Display.Failure, cause: NavigationCause, at newest: SessionSnapshot) {
        context.log.append(
            .violation(rule: failure.part.rawValue, cause: cause.rawValue, detail: failure.detail),
            Record.Subject(scene: context.scene).at(newest)
        )
    }
}
