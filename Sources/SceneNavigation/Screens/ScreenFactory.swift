public import SceneRouting

/// Makes an app's screens. The protocol is declared here, and the app implements it where it imports its UI framework, which
/// no other part of its navigation needs to do.
///
/// One factory serves one scene, on the scene's actor, sometimes with locks held: it must return at once and not call the
/// host. It must not keep what it makes; the window's containers do.
public protocol ScreenFactory: AnyObject {
    /// Makes the screen of a destination, new and not shown yet.
    ///
    /// - Parameters:
    ///   - destination: What the screen shows.
    ///   - flow: The flow whose coordinator owns the screen, or the tab's name.
    /// - Throws: Why there can be none. The event ends as `rejected` with a reason that begins with `screenFailed`, and the
    ///   window stays as it was.
    func makeScreen(for destination: Destination, flow: String) throws -> AnyObject

    /// Gives a screen, which stays where it is, the parameters of `destination`, which has the same name.
    ///
    /// - Throws: Why it cannot, with the same effect as for ``makeScreen(for:flow:)``. The screen is then updated back to the
    ///   parameters that it had.
    func update(_ screen: AnyObject, to destination: Destination) throws
}

/// A screen or a container that may take an intent itself, before any coordinator is asked: for example a picker that only
/// scrolls, or a split container that shows its other side.
///
/// It is asked on the scene's actor, at the intent's turn, with no lock held. An intent that it takes navigates nowhere:
/// screens and containers know no destinations, and only a ``FlowCoordinator`` decides where an intent leads.
public protocol IntentResponder: AnyObject {
    /// Takes an intent, or leaves it to the next in the chain.
    ///
    /// - Parameters:
    ///   - intent: What a screen reported.
    ///   - screen: The screen that was on top when the intent's turn came.
    /// - Returns: Whether it took the intent. If so, nobody else is asked.
    /// - Throws: Why the intent cannot be handled; it is then rejected.
    func take(_ intent: Intent, from screen: Destination) throws -> Bool
}
