public import SceneNavigation
public import SceneVocabulary
internal import SceneRuntime
internal import Basics

/// A screen that only remembers what it was given.
public final class SpyScreen: IntentResponder, Sendable {
    /// The flow whose coordinator owns it, or the tab's name.
    public let flow: String
    /// Decides which intents the screen takes itself.
    public let responder = SpyResponder()
    private let scene: SceneHandle
    private let shown: Guarded<Destination>

    init(_ destination: Destination, flow: String, scene: SceneHandle) {
        self.flow = flow
        self.scene = scene
        shown = Guarded(destination)
    }

    /// What the screen shows, with the newest parameters.
    public var destination: Destination { shown.withLock { $0 } }

    /// Reports an intent, as the screen of a real app would when it is touched.
    ///
    /// - Throws: Why the host refused it.
    public func report(_ intent: Intent) throws {
        try scene.report(intent)
    }

    /// Takes the intent if ``responder`` does.
    public func take(_ intent: Intent, from screen: Destination) throws -> Bool {
        try responder.take(intent, from: screen)
    }

    func update(to destination: Destination) {
        shown.withLock { $0 = destination }
    }
}
