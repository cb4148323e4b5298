public import StrictJSON

extension SceneClient {
    /// Opens a window, or reconnects a disconnected scene.
    ///
    /// - Parameters:
    ///   - scene: The scene's ID; `nil` lets the daemon make one.
    ///   - configuration: The scene configuration; by default the app's first, or that of the disconnected scene.
    ///   - window: A window to restore, from ``ClientScene/reply``.
    ///   - owner: Whose it was, from the same reply; by default it belongs to who is signed in.
    ///   - inBackground: Whether it goes to the background instead of the front, as when the system connects it.
    public func connect(
        scene: String? = nil,
        configuration: String? = nil,
        restoring window: JSONObject? = nil,
        of owner: JSONObject? = nil,
        inBackground: Bool = false
    ) async throws(SceneClientError) -> ClientScene {
        let reply = try await call(
            "io.scened.Scenes.Connect",
            [
                "scene": .text(scene), "configuration": .text(configuration), "window": .members(window),
                "owner": .members(owner), "background": inBackground ? true : .null,
            ]
        )
        return try self.scene(reply)
    }

    /// Changes a scene's activation by one step, as <doc:/SceneRuntime/Scenes> allows it.
    public func setActivation(_ activation: Activation, of scene: String) async throws(SceneClientError) -> ClientScene
    {
        try self.scene(
            await call(
                "io.scened.Scenes.SetActivation",
                ["scene": .string(scene), "activation": .string(activation.rawValue)]
            )
        )
    }

    /// Disconnects a scene from its window. The next event, or ``connect(scene:configuration:restoring:of:inBackground:)``, reconnects it.
    public func disconnect(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Disconnect", ["scene": .string(scene)]))
    }

    /// Ends a scene for good; the events that wait in it are abandoned.
    public func discard(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Discard", ["scene": .string(scene)]))
    }

    /// The current state of a scene.
    public func scene(_ id: String) async throws(SceneClientError) -> ClientScene {
        try scene(await call("io.scened.Scenes.Get", ["scene": .string(id)]))
    }

    /// Every scene, in the order opened.
    public func scenes() async throws(SceneClientError) -> [ClientScene] {
        let pages = try await pages(of: "io.scened.Scenes.List")
        return try Self.read { () throws(JSONFieldError) in
            var scenes: [ClientScene] = []
            for page in pages {
                for reader in try JSONReader(page)["scenes"].elements() { scenes.append(try ClientScene(reader)) }
            }
            return scenes
        }
    }

    private func scene(_ reply: JSONObject) throws(SceneClientError) -> ClientScene {
        try Self.read { () throws(JSONFieldError) in try ClientScene(JSONReader(reply)["scene"]) }
    }
}
