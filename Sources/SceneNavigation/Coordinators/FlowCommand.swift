public import SceneRouting

/// What a coordinator wants done. It decides; the runtime carries it out.
///
/// Of one answer first all session changes are made, in one commit and once however often a navigation is resumed; then
/// the flow moves, then it finishes, then it routes, each in the order given.
public enum FlowCommand: Hashable, Sendable {
    /// Goes to a destination of the app by the same policy as every other door, from inside.
    case route(Destination)
    case session(SessionChange)
    /// Within the flow: pushes a screen.
    case push(Destination, animated: Bool = true)
    /// Within the flow: so many screens back, at least 1; the flow's first screen stays.
    case pop(Int = 1, animated: Bool = true)
    /// Within the flow: back to its first screen.
    case popToRoot(animated: Bool = true)
    /// Within the flow: another screen in the place of the topmost.
    case replace(Destination, animated: Bool = true)
    /// Ends the flow with a result.
    case finish(FlowResult)
}
