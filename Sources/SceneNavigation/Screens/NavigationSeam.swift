/// The connection between navigation and a UI framework: carries out on real containers what the headless window does.
///
/// One seam serves one scene, on the scene's actor, sometimes with locks held: it must begin an op, return at once and not
/// call the host. Only the runtime calls it.
public protocol NavigationSeam: AnyObject {
    /// Shows a scene's window, for the first time or again, without animation.
    ///
    /// - Throws: Why it cannot. This is recorded as a violation `seamFailed`.
    func open(_ window: WindowState, screens: WindowScreens) throws

    /// Begins one op.
    ///
    /// - Throws: Why it cannot. The op has then not happened (earlier ones have), and the event ends as `rejected` with a
    ///   reason that begins with `seamFailed`.
    func begin(_ step: NavigationStep) throws

    /// Begins the transition of a swipe that is let go halfway: it takes time and changes nothing.
    func beginCancelled()

    /// The transition of the op that was begun last has ended: from now on gestures are taken again.
    func end()

    /// Whether everything begun so far is done, and no screen is held for a transition that goes on. The runtime looks for screens
    /// that have leaked only then. The default is `true`.
    var isSettled: Bool { get }

    /// Releases the window with all its screens.
    func close()

    /// The object that may take intents for a container of the window; `nil`, the default, if the container takes none.
    func responder(of container: FlowPlace.Container, in window: WindowState) -> (any IntentResponder)?
}

extension NavigationSeam {
    /// Does nothing.
    public func beginCancelled() {}

    /// Does nothing.
    public func end() {}

    /// Returns `true`: what is begun is done at once.
    public var isSettled: Bool { true }

    /// Returns `nil`: containers take no intents.
    public func responder(of container: FlowPlace.Container, in window: WindowState) -> (any IntentResponder)? { nil }
}

/// One op for a seam, with everything that the seam needs to carry it out.
public struct NavigationStep {
    /// What to do.
    public let op: NavOp
    /// Whether to animate the transition. In a plan, only the last op is animated.
    public let isAnimated: Bool
    /// What the window shows after the op.
    public let window: WindowState
    /// The screens that the window shows after the op, container by container.
    public let screens: WindowScreens

    /// A step with these parts.
    public init(op: NavOp, isAnimated: Bool, window: WindowState, screens: WindowScreens) {
        self.op = op
        self.isAnimated = isAnimated
        self.window = window
        self.screens = screens
    }
}
