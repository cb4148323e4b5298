package import SceneRuntime

/// What all scenes together have to do, keep waiting and hold.
package struct SceneLoad: Hashable, Sendable {
    package let scenes: Int
    /// Events admitted whose first attempt has not ended.
    package let pending: Int
    /// Intents behind a precondition.
    package let parked: Int
    /// Coordinators attached.
    package let coordinators: Int

    package init(_ scenes: [SceneStatus]) {
        self.scenes = scenes.count
        pending = scenes.reduce(0) { $0 + $1.admitted - $1.settled }
        parked = scenes.reduce(0) { $0 + $1.parked.count }
        coordinators = scenes.reduce(0) { $0 + $1.coordinators.count }
    }
}
