public import SceneRouting

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
