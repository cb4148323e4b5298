public import SceneRouting

/// What a coordinator may look at when it decides: values, taken at one moment.
public struct FlowContext: Sendable {
    /// The session: who is signed in and every fact.
    public let session: RoutingContext
    /// The flow's own screens, root first; empty before it is shown.
    public let screens: [Destination]
    /// The app as it is in force.
    public let engine: RoutingEngine

    /// A context of these parts.
    public init(session: RoutingContext, screens: [Destination], engine: RoutingEngine) {
        self.session = session
        self.screens = screens
        self.engine = engine
    }
}
