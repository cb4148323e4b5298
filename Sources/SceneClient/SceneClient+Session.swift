public import StrictJSON

extension SceneClient {
    /// The session now.
    public func session() async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.Get"))
    }

    /// Signs a user in and sets facts, in one commit.
    /// - Parameter lifetime: After which time, in whole milliseconds, the user is signed out; `nil` for never.
    public func signIn(
        user: String,
        facts: JSONObject? = nil,
        expiresIn lifetime: Duration? = nil,
        scene: String? = nil
    ) async throws(SceneClientError) -> ClientSession {
        let reply = try await call(
            "io.scened.Session.SignIn",
            [
                "user": .string(user), "facts": .members(facts), "expiresInMilliseconds": .milliseconds(lifetime),
                "scene": .text(scene),
            ]
        )
        return try session(reply)
    }

    /// Signs out; without a user this changes nothing.
    public func signOut(scene: String? = nil) async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.SignOut", ["scene": .text(scene)]))
    }

    /// Sets and removes facts in one commit.
    public func commit(
        set: JSONObject? = nil,
        remove: [String]? = nil,
        expectedRevision: Int? = nil,
        scene: String? = nil
    ) async throws(SceneClientError) -> ClientSession {
        let reply = try await call(
            "io.scened.Session.Commit",
            [
                "set": .members(set), "remove": remove.map { .array($0.map(JSONValue.string)) } ?? .null,
                "expectedRevision": expectedRevision.map(JSONValue.integer) ?? .null, "scene": .text(scene),
            ]
        )
        return try session(reply)
    }

    private func session(_ reply: JSONObject) throws(SceneClientError) -> ClientSession {
        try Self.read { () throws(JSONFieldError) in try ClientSession(JSONReader(reply)["session"]) }
    }
}
