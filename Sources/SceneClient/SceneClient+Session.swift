public import StrictJSON

extension SceneClient {
    /// The current session.
    public func session() async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.Get"))
    }

    /// Signs a user in and sets facts, in one commit.
    /// - Parameters:
    ///   - lifetime: When the user is signed out again, in whole milliseconds from now; `nil` for never.
    ///   - scene: The scene in which it happens, for the records.
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

    /// Signs the user out. If nobody is signed in, nothing changes.
    public func signOut(scene: String? = nil) async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.SignOut", ["scene": .text(scene)]))
    }

    /// Sets facts, and resets others to the app's defaults, in one commit.
    /// - Parameters:
    ///   - expectedRevision: If the session has another revision, the daemon refuses with
    ///     ``DaemonError/revisionConflict(expected:actual:)``; `nil` for any.
    ///   - scene: The scene in which it happens, for the records.
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
