// Clients of this module need the shared vocabulary as well.
@_exported public import SceneVocabulary

/// How an event ended, or where it stands so far (<doc:Outcomes>).
public enum Outcome: Hashable, Codable, Sendable {
    /// Waiting in the mailbox, or being dispatched.
    case admitted
    /// Parked until a precondition holds, whose flow is on screen. Not terminal.
    case gated(precondition: String)
    /// The window changed to show the target.
    case applied
    /// The target was already shown.
    case unchanged
    /// There was nothing to navigate.
    case delivered
    /// A gesture without effect, for a reason of <doc:Outcomes#Ignored>.
    case ignored(reason: String)
    /// The event could not be carried out, for a reason of <doc:Outcomes#Rejected>.
    case rejected(reason: String)
    /// A newer external event took the parked intent's place; its ID.
    case superseded(by: String)
    /// The event was given up, for a reason of <doc:Outcomes#Abandoned>.
    case abandoned(reason: String)

    /// The outcome's name on the wire and in records.
    public var name: OutcomeName {
        switch self {
        case .admitted: .admitted
        case .gated: .gated
        case .applied: .applied
        case .unchanged: .unchanged
        case .delivered: .delivered
        case .ignored: .ignored
        case .rejected: .rejected
        case .superseded: .superseded
        case .abandoned: .abandoned
        }
    }

    /// Why the event ended so; `nil` for outcomes that need no reason. For `superseded` it is `by` and the newer event's ID.
    public var reason: String? {
        switch self {
        case .ignored(let reason), .rejected(let reason), .abandoned(let reason): reason
        case .superseded(let event): "by \(event)"
        case .admitted, .gated, .applied, .unchanged, .delivered: nil
        }
    }

    /// The precondition that the event waits for; `nil` unless the outcome is `gated`.
    public var precondition: String? {
        guard case .gated(let precondition) = self else { return nil }
        return precondition
    }

    /// Whether the event has ended. All outcomes but `admitted` and `gated` are terminal.
    public var isTerminal: Bool {
        switch self {
        case .admitted, .gated: false
        case .applied, .unchanged, .delivered, .ignored, .rejected, .superseded, .abandoned: true
        }
    }
}
