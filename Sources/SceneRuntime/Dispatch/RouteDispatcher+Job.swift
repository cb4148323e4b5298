internal import SceneRouting

extension RouteDispatcher {
    /// One attempt of one event, or one sweep.
    final class Job {
        let event: AdmittedEvent
        let attempt: Int
        let kind: Record.DispatchKind
        let subject: Record.Subject
        /// Whether an op of this attempt has begun, in whichever round.
        var hasChangedWindow = false
        /// The epoch in which a coordinator decided, or that its commit made: what it wants is not done for another user
        /// (<doc:TheSession#S6>, <doc:TheSession#S7>).
        var epoch: Int?
        /// The precondition that the intent's own flow left closed; to be stopped by it again is the end.
        let unsatisfied: String?

        init(event: AdmittedEvent, attempt: Int, kind: Record.DispatchKind, scene: String, unsatisfied: String? = nil) {
            self.unsatisfied = unsatisfied
            self.event = event
            self.attempt = attempt
            self.kind = kind
            subject = Record.Subject(
                scene: scene,
                ticket: event.ticket,
                attempt: attempt,
                event: event.id,
                connection: event.connection
            )
        }

        /// The attempt that parked the intent.
        convenience init(_ parked: ParkedIntent, scene: String) {
            self.init(event: parked.event, attempt: parked.attempt, kind: .dispatch, scene: scene)
        }

        /// Whether this is a newer external event; a resume is not newer than what is parked.
        var supersedes: Bool { attempt == 1 && event.source == .external || Fault.insidersSupersede.isMade }
    }
}
