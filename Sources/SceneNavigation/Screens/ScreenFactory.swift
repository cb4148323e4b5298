public import SceneRouting

/// Makes an app's screens. It is declared here, where screens are needed, and written where the UI framework is: the only
/// place of an app that has to import one.
///
/// One factory serves one scene, on the scene's actor, sometimes with locks held: it must return at once and not call
/// the host. It must not keep what it makes; the window's containers do.
public protocol ScreenFactory: AnyObject {
    /// Makes the screen of a destination, new and not shown yet.
    ///
    /// - Parameter flow: The flow whose coordinator owns the screen, or the tab's name.
    /// - Throws: Why there can be none. The event ends as `rejected` with the reason `screenFailed`, and the window stays
    ///   as it was.
    func makeScreen(for destination: Destination, flow: String) throws -> AnyObject

    /// Gives a screen that stays where it is the parameters of `destination`, which has the same name.
    ///
    /// - Throws: As ``makeScreen(for:flow:)``; the screen is then asked to go back to what it had.
    func update(_ screen: AnyObject, to destination: Destination) throws
}

/// A screen or a container that may take an intent itself, before any coordinator is asked: a picker that only scrolls, a
/// split container that shows its other side.
///
/// It is asked on the scene's actor, at the intent's turn, with no lock held. What it takes leads nowhere else: screens and
/// containers know no destinations, so where an intent is to lead is for a ``FlowCoordinator`` to say.
public protocol IntentResponder: AnyObject {
    /// Takes an intent, or leaves it to the next in the chain.
    ///
    /// - Parameter screen: The screen that was on top when the intent's turn came.
    /// - Returns: Whether it took it; nobody else is asked then.
    /// - Throws: Why the intent cannot be handled; it is rejected then.
    func take(_ intent: Intent, from screen: Destination) throws -> Bool
}
