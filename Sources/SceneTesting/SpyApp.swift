internal import SceneNavigation
internal import SceneRuntime
internal import Basics

/// The spies of an app's scenes.
public final class SpyApp: Sendable {
    private struct State {
        var factories: [String: SpyScreenFactory] = [:]
        var seams: [String: SpySeam] = [:]
    }

    private let state = Guarded(State())

    init() {}

    /// The spy that makes a scene's screens; `nil` if the scene was never opened, or the app has its own factory.
    public func factory(of scene: String) -> SpyScreenFactory? { state.withLock { $0.factories[scene] } }

    /// The spy that takes the place of a scene's containers; `nil` if the scene was never opened, or the app has its own seam.
    public func seam(of scene: String) -> SpySeam? { state.withLock { $0.seams[scene] } }

    /// The app's code, with spies for the parts that it lacks.
    func watching(_ code: AppCode) -> AppCode {
        var code = code
        if code.screens == nil {
            code.screens = { scene in
                let factory = SpyScreenFactory(scene: scene)
                self.state.withLock { $0.factories[scene.id] = factory }
                return factory
            }
        }
        if code.seam == nil {
            code.seam = { scene in
                let seam = SpySeam()
                self.state.withLock { $0.seams[scene.id] = seam }
                return seam
            }
        }
        return code
    }
}
