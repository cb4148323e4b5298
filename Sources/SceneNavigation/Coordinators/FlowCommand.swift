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

/// One change of the session that a coordinator asks for. Those of one answer are made in order, in one commit.
public enum SessionChange: Hashable, Sendable {
    /// Gives a fact a value; a text becomes what the fact's declared type reads in it.
    case set(fact: String, FactValue)
    /// Appends to a list fact, unless it is there already.
    case append(fact: String, String)
    /// Gives a fact its declared default.
    case reset(fact: String)
    /// Signs somebody in; who was signed in before leaves in the same commit.
    case signIn(user: String)
    case signOut
}

/// How a flow ended.
public enum FlowResult: Hashable, Sendable {
    case completed(FlowCompletion)
    case cancelled
}

/// What a completed flow reports. It is committed to the session before completion is told to anybody
/// (S4 of <doc:/SceneRuntime/TheSession>).
public struct FlowCompletion: Hashable, Sendable {
    /// Who signed in, if the flow is about that.
    public var user: String?
    /// Facts of the session by name, as the app declares them.
    public var facts: [String: FactValue]

    /// A completion; most flows have nothing more to report than that they are complete.
    public init(user: String? = nil, facts: [String: FactValue] = [:]) {
        self.user = user
        self.facts = facts
    }
}
