internal import SceneRouting

/// The one place where something that was admitted is recorded as abandoned before or between its attempts.
extension SceneContext {
    /// Ends an event that has not begun and will not.
    func giveUp(_ event: AdmittedEvent, reason: String) {
        let job = RouteDispatcher.Job(event: event, attempt: 1, kind: .dispatch, scene: scene)
        log.append(.dispatchEnded(outcome: .abandoned(reason: reason)), job.subject)
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
            RouteDispatcher.Job(intent, scene: scene).subject.at(newest)
        )
    }
}
