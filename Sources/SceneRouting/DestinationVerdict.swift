/// Whether one destination may be shown, by its own preconditions and conditions.
public enum DestinationVerdict: Hashable, Sendable {
    case allowed
    /// The first precondition that does not hold.
    case gated(precondition: String)
    /// The first condition that does not hold, and why.
    case refused(condition: String, reason: String)
    /// The manifest knows no such destination, or not these parameters.
    case unknown(reason: String)
}
