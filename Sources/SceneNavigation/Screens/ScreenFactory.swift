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
