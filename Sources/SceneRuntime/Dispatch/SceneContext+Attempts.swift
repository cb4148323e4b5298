internal import SceneRouting

extension SceneContext {
    /// Waits at a point that an attempt, or with `nil` a sweep, has reached, while somebody holds it there.
    func pass(_ point: HoldPoint, _ attempt: Attempt?) async {
        guard checkpoints.isWatched else { return }
        await checkpoints.pass(
            HeldDispatch(
                point: point,
                scene: scene,
                ticket: attempt?.subject.ticket,
                event: attempt?.subject.event,
                kind: attempt?.kind ?? .sweep
            ),
            isGone: { life.isDiscarded }
        )
    }

    /// Ends an event that has not begun and will not.
    func giveUp(_ event: AdmittedEvent, reason: String) {
        let attempt = Attempt(event: event, number: 1, kind: .dispatch, scene: scene)
        log.append(.dispatchEnded(outcome: .abandoned(reason: reason)), attempt.subject)
        ledger.update(event, outcome: .abandoned(reason: reason))
    }

    /// Ends an intent that will not be resumed, and tells those who wait for it.
    func giveUp(_ intent: ParkedIntent, reason: String) {
        recordAbandoned(intent, reason: reason, at: store.snapshot)
        ledger.update(intent.event, outcome: .abandoned(reason: reason))
    }

    /// Records that an intent will not be resumed; who waits for it has to be told outside every lock.
    func recordAbandoned(_ intent: ParkedIntent, reason: String, at newest: SessionSnapshot) {
        log.append(
            .gateAbandoned(
                precondition: intent.precondition,
                destination: intent.request.destination,
                reason: reason
            ),
            Attempt(intent, scene: scene).subject.at(newest)
        )
    }
}
