public import SceneRouting

/// Decides, for one flow in one scene, what follows from what the flow's screens report.
///
/// It returns values and changes nothing itself, so that it can be tested alone; the runtime carries out what it returns. It
/// lives on its scene's actor from the first of the flow's screens to the last. Its parent holds it, and it knows no other
/// coordinator. It keeps no copy of what is shown: ``FlowContext/screens`` has the flow's part of the window.
public protocol FlowCoordinator: AnyObject {
    /// Chooses the screens with which the flow starts when it is presented or shown instead of tabs, root first. If empty, it
    /// starts with the first screen that the manifest declares.
    func start(context: FlowContext) -> [Destination]

    /// Decides what follows from an intent of the flow's screens, or of a child flow that did not take it.
    ///
    /// - Parameters:
    ///   - intent: What a screen reported.
    ///   - screen: The screen that was on top when the intent's turn came.
    ///   - context: What may be looked at for the decision.
    /// - Returns: What to do, which may be nothing; `nil` if the intent is not for this flow, so that its parent is asked.
    /// - Throws: Why the intent cannot be handled; it is then rejected, and nothing is done.
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]?

    /// Decides what else is done when the flow ends. Session changes become part of the commit that is made before the end is
    /// reported. Moves within the flow come too late and are left out.
    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand]

    /// Decides what follows from the end of a child flow. Its commit has been made, and it is no longer shown. A flow that ends
    /// with a child over it is not told of the child's end.
    ///
    /// - Throws: Why it cannot be done; the event is then rejected, and the child has ended all the same.
    func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) throws -> [FlowCommand]
}

extension FlowCoordinator {
    /// Starts with the first screen that the manifest declares.
    public func start(context: FlowContext) -> [Destination] { [] }

    /// Takes no intent, so that the parent is asked.
    public func handle(
        _ intent: Intent,
        from screen: Destination,
        context: FlowContext
    ) throws -> [FlowCommand]? { nil }

    /// Does nothing else when the flow ends.
    public func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] { [] }

    /// Does nothing when a child flow ends.
    public func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) -> [FlowCommand] { [] }
}

/// Makes the coordinator of a flow in one scene, given the coordinator that will be its parent. `nil` means that the flow
/// follows the manifest. For the scene's root the flow is `root`, and there is no parent.
///
/// It is called on the scene's actor, sometimes with locks held: it must return at once and not call the host.
public typealias FlowCoordinatorFactory =
    @Sendable (_ flow: String, _ parent: (any FlowCoordinator)?) -> (any FlowCoordinator)?

/// What a coordinator may look at when it decides, as it is at one moment.
public struct FlowContext: Sendable {
    /// The session: who is signed in, and every fact.
    public let session: RoutingContext
    /// The flow's own screens, root first; empty before it is shown.
    public let screens: [Destination]
    /// The routing engine of the app's version that is in force.
    public let engine: RoutingEngine
    /// The destination that will wait for the flow, when a flow is asked how it starts at a gate; else `nil`.
    public let waiting: Destination?
    /// What a flow is started with, when it is asked how it starts: the parameters that another flow gives it, or at a gate those
    /// of ``waiting``.
    public let parameters: [String: String]
    /// Whether the flow itself has started the child that has ended, rather than that a gate has presented it.
    public let hasStarted: Bool

    /// A context of these parts.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - screens: The flow's screens, root first.
    ///   - engine: Says what the manifest declares.
    ///   - waiting: The destination that will wait for the flow, if any.
    ///   - parameters: What the flow is started with; `nil` for those of what waits for it.
    ///   - hasStarted: Whether the flow itself has started the child that has ended.
    public init(
        session: RoutingContext,
        screens: [Destination],
        engine: RoutingEngine,
        waiting: Destination? = nil,
        parameters: [String: String]? = nil,
        hasStarted: Bool = false
    ) {
        self.session = session
        self.screens = screens
        self.engine = engine
        self.waiting = waiting
        self.parameters = parameters ?? waiting?.parameters ?? [:]
        self.hasStarted = hasStarted
    }
}
