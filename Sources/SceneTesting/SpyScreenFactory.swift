public import SceneNavigation
public import SceneVocabulary
public import SceneRuntime
internal import Basics

/// A factory whose screens only remember what they were given. It can be told to fail.
public final class SpyScreenFactory: ScreenFactory, Sendable {
    /// A call of the factory.
    public enum Call: Hashable, Sendable {
        /// A screen was to be made for the destination, owned by the flow.
        case make(Destination, flow: String)
        /// A screen was to be given the destination's parameters.
        case update(Destination)
    }

    private struct State {
        var calls: [Call] = []
        var failing: [String: String] = [:]
    }

    private let scene: SceneHandle
    private let state = Guarded(State())

    /// A factory for a scene.
    public init(scene: SceneHandle) {
        self.scene = scene
    }

    /// All calls, in order, including those that failed.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Fails from now on to make or update screens for destinations of this name, until this is called with `nil`.
    public func fail(_ destinationID: String, with reason: String?) {
        state.withLock { $0.failing[destinationID] = reason }
    }

    /// Makes a ``SpyScreen``.
    /// - Throws: ``SpyFailure`` if it has been told to fail.
    public func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
        try take(.make(destination, flow: flow), destination)
        return SpyScreen(destination, flow: flow, scene: scene)
    }

    /// Gives a ``SpyScreen`` the destination's parameters.
    /// - Throws: ``SpyFailure`` if it has been told to fail.
    public func update(_ screen: AnyObject, to destination: Destination) throws {
        try take(.update(destination), destination)
        (screen as? SpyScreen)?.update(to: destination)
    }

    private func take(_ call: Call, _ destination: Destination) throws {
        let failure = state.withLock { state in
            state.calls.append(call)
            return state.failing[destination.id]
        }
        if let failure { throw SpyFailure(reason: failure) }
    }
}
