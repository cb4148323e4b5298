internal import SceneRouting

extension HeldDispatch {
    init(_ point: HoldPoint, _ kind: DispatchKind, _ subject: Record.Subject) {
        self.init(
            point: point,
            scene: subject.scene,
            ticket: subject.ticket,
            event: subject.event,
            kind: kind,
            subject: subject
        )
    }
}

extension SceneContext {
    /// Waits at a point that an attempt has reached, as long as somebody holds it there.
    /// - Parameter attempt: The attempt; `nil` for a sweep.
    func pass(_ point: HoldPoint, _ attempt: Attempt?) async {
        guard checkpoints.isWatched else { return }
        let held = HeldDispatch(point, attempt?.kind ?? .sweep, attempt?.subject ?? Record.Subject(scene: scene))
        await checkpoints.pass(held, isGone: { life.isDiscarded })
    }

    /// Abandons an event whose dispatch has not begun.
    func giveUp(_ event: AdmittedEvent, reason: String) {
        let attempt = Attempt(event, scene: scene)
        let end = AttemptEnding(outcome: .abandoned(reason: reason))
        log.append(.dispatchEnded(outcome: end.outcome), attempt.subject, keeping: [end.kept(for: event)])
        ledger.update(event, end)
    }

    /// Abandons a parked intent and notifies those who wait for it.
    func giveUp(_ intent: ParkedIntent, reason: String) {
        recordAbandoned(intent, reason: reason, at: store.snapshot)
        ledger.update(intent.event, AttemptEnding(outcome: .abandoned(reason: reason)))
    }

    /// Records that a parked intent is abandoned. The caller notifies those who wait for it, outside every lock.
    func recordAbandoned(_ intent: ParkedIntent, reason: String, at newest: SessionSnapshot) {
        log.append(
            .gateAbandoned(
                precondition: intent.precondition,
                destination: intent.request.destination,
                reason: reason
            ),
            Attempt(intent, scene: scene).subject.at(newest),
            keeping: [AttemptEnding(outcome: .abandoned(reason: reason)).kept(for: intent.event)]
        )
    }
}
