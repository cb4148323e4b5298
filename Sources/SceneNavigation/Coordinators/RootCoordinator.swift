public import SceneRouting

/// A scene's generic root: takes the intents that the app declares for every screen.
///
/// It knows which destination an intent means and nothing of screens; the destination's flow is the manifest's to name.
public final class RootCoordinator: FlowCoordinator {
    /// A root.
    public init() {}

    public func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard let declaration = context.engine.intent(intent.name) else { return nil }
        return context.commands(of: declaration, for: intent, flow: nil, from: screen)
    }
}
