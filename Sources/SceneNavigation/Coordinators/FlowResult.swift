public import SceneRouting

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
