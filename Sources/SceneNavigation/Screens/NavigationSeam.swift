/// Where navigation meets a UI framework: carries out on real containers what the headless window does.
///
/// One seam serves one scene, on the scene's actor, sometimes with locks held: it must begin, return at once and not
/// call the host. Nothing but the runtime's apply step calls it.
public protocol NavigationSeam: AnyObject {
    /// Shows a scene's window for the first time or again, without animation.
    ///
    /// - Throws: Why it cannot; recorded as a violation `seamFailed`.
    func open(_ window: WindowState, screens: WindowScreens) throws

    /// Begins one op.
    ///
    /// - Throws: Why it cannot. What it did before stays, this op did not happen, and the event ends as `rejected` with the
    ///   reason `seamFailed`.
    func begin(_ step: NavigationStep) throws

    /// Lets the window go, with all its screens.
    func close()

    /// What may take intents for the container of the window's topmost screen; `nil`, as by default, where it takes none.
    func responder(ofTopmostContainerIn window: WindowState) -> (any IntentResponder)?
}

extension NavigationSeam {
    public func responder(ofTopmostContainerIn window: WindowState) -> (any IntentResponder)? { nil }
}

/// One op for a seam, with everything it needs to carry it out.
public struct NavigationStep {
    public let op: NavOp
    /// Whether the transition is to be seen; of a plan only the last op is.
    public let isAnimated: Bool
    /// What the window shows afterwards.
    public let window: WindowState
    /// The screens that it shows afterwards, container by container.
    public let screens: WindowScreens

    /// A step of these parts.
    public init(op: NavOp, isAnimated: Bool, window: WindowState, screens: WindowScreens) {
        self.op = op
        self.isAnimated = isAnimated
        self.window = window
        self.screens = screens
    }
}
