public import SceneNavigation
public import SceneVocabulary
public import SceneRuntime
internal import Locking

/// A factory whose screens only remember what they were given; it can be told to have none.
public final class SpyScreenFactory: ScreenFactory, Sendable {
    /// What a factory was asked.
    public enum Call: Hashable, Sendable {
        case make(Destination, flow: String)
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

    /// Everything it was asked, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// From now on there is no screen for destinations of this name, and none of them can be updated; `nil` ends that.
    public func fail(_ destinationID: String, with reason: String?) {
        state.withLock { $0.failing[destinationID] = reason }
    }

    /// See ``ScreenFactory``.
    public func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
        try take(.make(destination, flow: flow), destination)
        return SpyScreen(destination, flow: flow, scene: scene)
    }

    /// See ``ScreenFactory``.
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

/// What a spy throws when it is told to.
public struct SpyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let reason: String
    public var description: String { reason }
}
