package import SceneRouting

/// Where an event wanted to go when a precondition stopped it. Only the wish is kept, never the target: a resume
/// resolves again (S1).
package struct ParkedIntent: Sendable {
    package let event: AdmittedEvent
    package let request: RouteRequest
    package let precondition: String
    /// The flow that is to satisfy the precondition.
    package let flow: String
    /// Who was signed in when it was parked; it belongs to that user (S7).
    package let user: String?
    /// The attempt that was gated.
    package let attempt: Int
}
