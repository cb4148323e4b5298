public import SceneRouting

/// Leads through one flow of one scene: decides what follows from what its screens report.
///
/// It answers with values and touches nothing, so that it can be tested alone; the runtime carries its answers out. It
/// lives on its scene's actor from the first of the flow's screens to the last, its parent holds it, and it knows no
/// other. It keeps no copy of what is shown: the window is the only truth, and ``FlowContext/screens`` tells its part.
public protocol FlowCoordinator: AnyObject {
    /// The screens that the flow starts with when it is shown as a unit, root first; empty for the first one declared.
    func start(context: FlowContext) -> [Destination]

    /// What follows from an intent of the flow's screens, or of a child flow that did not take it.
    ///
    /// - Parameter screen: The screen that was on top when the intent's turn came.
    /// - Returns: What to do, which may be nothing; `nil` when the intent is not its own, so that its parent is asked.
    /// - Throws: Why the intent cannot be handled; it is rejected then, and nothing is done.
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]?

    /// What else the flow's end brings about. Session changes go into the commit that is made before the end is reported;
    /// moves within the flow come too late and are left out.
    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand]

    /// What follows from the end of a child flow. Its commit has been made, and it is no longer shown.
    func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) -> [FlowCommand]
}

extension FlowCoordinator {
    public func start(context: FlowContext) -> [Destination] { [] }

    public func handle(
        _ intent: Intent,
        from screen: Destination,
        context: FlowContext
    ) throws -> [FlowCommand]? { nil }

    public func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] { [] }

    public func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) -> [FlowCommand] { [] }
}

/// Makes the coordinator of a flow for one scene, with the one that will be its parent; `nil` for the generic one that
/// follows the manifest. The scene's root is asked for under the name `root`, without a parent.
///
/// It is called on the scene's actor, sometimes with locks held: it must return at once and not call the host.
public typealias FlowCoordinatorFactory =
    @Sendable (_ flow: String, _ parent: (any FlowCoordinator)?) -> (any FlowCoordinator)?

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
