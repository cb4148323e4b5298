public import StrictJSON

extension SceneClient {
    /// Opens a window, or brings back that of a disconnected scene.
    ///
    /// - Parameter window: A window to restore, as the daemon showed it in an earlier run.
    public func connect(
        scene: String? = nil,
        configuration: String? = nil,
        restoring window: JSONObject? = nil
    ) async throws(SceneClientError) -> ClientScene {
        let reply = try await call(
            "io.scened.Scenes.Connect",
            ["scene": .text(scene), "configuration": .text(configuration), "window": .members(window)]
        )
        return try self.scene(reply)
    }

    /// Changes how active a scene is, one step at a time.
    public func setActivation(_ activation: Activation, of scene: String) async throws(SceneClientError) -> ClientScene
    {
        try self.scene(
            await call(
                "io.scened.Scenes.SetActivation",
                ["scene": .string(scene), "activation": .string(activation.rawValue)]
            )
        )
    }

    /// Releases a scene's window; the next event, or connecting it again, brings it back.
    public func disconnect(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Disconnect", ["scene": .string(scene)]))
    }

    /// Ends a scene for good, with all that it had admitted.
    public func discard(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Discard", ["scene": .string(scene)]))
    }

    /// One window as it is now.
    public func scene(_ id: String) async throws(SceneClientError) -> ClientScene {
        try scene(await call("io.scened.Scenes.Get", ["scene": .string(id)]))
    }

    /// Every window, in the order opened.
    public func scenes() async throws(SceneClientError) -> [ClientScene] {
        let reply = try await call("io.scened.Scenes.List")
        return try Self.read { () throws(JSONFieldError) in
            var scenes: [ClientScene] = []
            for reader in try JSONReader(reply)["scenes"].elements() { scenes.append(try ClientScene(reader)) }
            return scenes
        }
    }

    private func scene(_ reply: JSONObject) throws(SceneClientError) -> ClientScene {
        try Self.read { () throws(JSONFieldError) in try ClientScene(JSONReader(reply)["scene"]) }
    }
}
