package import SceneRouting

/// Where an event wanted to go when a precondition stopped it. Only the wish is kept, never the target: a resume
/// resolves again (<doc:TheSession#S1>).
package struct ParkedIntent: Sendable {
    package let event: AdmittedEvent
    package let request: RouteRequest
    package let precondition: String
    /// The flow that is to satisfy the precondition.
    package let flow: String
    /// Who was signed in when it was parked; it belongs to that user (<doc:TheSession#S7>).
    package let user: String?
    /// The epoch it was parked in: who left and came back has left all the same.
    package let epoch: Int
    /// The attempt that was gated.
    package let attempt: Int
    /// That its flow reported completion, by which it is resumed.
    package var completion: Completion?

    /// The end of the flow that was to satisfy the precondition.
    package struct Completion: Sendable {
        /// The session as the flow's own commit left it.
        package let snapshot: SessionSnapshot
        /// Whether the precondition was closed even then.
        package let isUnsatisfied: Bool
    }

    /// Whether it belonged to somebody who has left since.
    package func isLeft(by newest: SessionSnapshot) -> Bool {
        user != nil && epoch != newest.epoch
    }

    /// Whether the intent's own flow left its precondition closed.
    var isUnsatisfied: Bool {
        completion?.isUnsatisfied ?? false
    }
}
