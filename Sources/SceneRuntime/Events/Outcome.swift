// Whoever imports this module speaks these words too.
@_exported public import SceneVocabulary

/// How an event ended, or where it stands (<doc:Outcomes>).
public enum Outcome: Hashable, Sendable {
    /// Waiting in the mailbox, or being dispatched.
    case admitted
    /// Parked behind a precondition whose flow is on screen. Not terminal.
    case gated(precondition: String)
    /// The window changed to show the target.
    case applied
    /// The target was already shown.
    case unchanged
    /// There was nothing to navigate.
    case delivered
    /// A gesture without effect.
    case ignored(reason: String)
    case rejected(reason: String)
    /// A newer external event took the parked intent's place.
    case superseded(by: String)
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

    /// Why, where the name does not say everything.
    public var reason: String? {
        switch self {
        case .ignored(let reason), .rejected(let reason), .abandoned(let reason): reason
        case .superseded(let event): "by \(event)"
        case .admitted, .gated, .applied, .unchanged, .delivered: nil
        }
    }

    /// The precondition that an event is parked on.
    public var precondition: String? {
        guard case .gated(let precondition) = self else { return nil }
        return precondition
    }

    /// Whether nothing can come after it.
    public var isTerminal: Bool {
        switch self {
        case .admitted, .gated: false
        case .applied, .unchanged, .delivered, .ignored, .rejected, .superseded, .abandoned: true
        }
    }
}
