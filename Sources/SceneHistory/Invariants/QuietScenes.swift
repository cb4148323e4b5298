/// Invariant 7: once the host is quiet, no connected scene shows a destination whose preconditions fail or waits for a
/// precondition that holds, and nothing parked belongs to a user who has left.
struct QuietScenes: InvariantCheck {
    let invariant = Invariant.quietScenes

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        // A host that stops abandons sweeps too.
        guard rest == .quiet else { return [] }
        let session = history.session
        return history.resting.flatMap { id, scene -> [Violation] in
            guard scene.phase != .discarded else { return [] }
            // What a screen needs under a new manifest is not known until the next record of the window.
            let isKnown = scene.windowReloads == session.reloads
            let shown = (isKnown ? scene.window?.added(since: nil) ?? [] : []).compactMap { destination, shown in
                session.firstForbidding(shown.needs).map {
                    Violation(
                        [session.index, scene.windowIndex],
                        "scene \(id) shows \(destination) although \($0) does not hold"
                    )
                }
            }
            return shown
                + scene.open.sorted { $0.key < $1.key }.compactMap { debt(of: $0.value, in: id, scene, session) }
        }
    }

    private func debt(
        of event: OpenEvent,
        in id: String,
        _ scene: KnownScene,
        _ session: KnownSession
    ) -> Violation? {
        guard let parking = event.parking else { return nil }
        if let user = parking.user, user != session.user {
            return Violation(
                [parking.index, session.index],
                "event \(event.event), parked by \(user) in scene \(id), is still parked although \(user) has left"
            )
        }
        // A disconnected window is checked again when it is reconnected.
        guard scene.phase == .connected, session.holds[parking.precondition] == true else { return nil }
        return Violation(
            [parking.index, session.index],
            "event \(event.event) in scene \(id) waits for \(parking.precondition), which holds"
        )
    }
}
