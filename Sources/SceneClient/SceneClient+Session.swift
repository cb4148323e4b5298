public import StrictJSON

extension SceneClient {
    /// The current session.
    public func session() async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.Get"))
    }

    /// Signs a user in and sets facts, in one commit.
    /// - Parameters:
    ///   - user: Who signs in: 1 to 128 bytes of visible ASCII.
    ///   - facts: Facts to set in the same commit, by name.
    ///   - lifetime: When the user is signed out again, in whole milliseconds from now; `nil` for never.
    ///   - freshness: When the sign-in becomes stale, in whole milliseconds from now; `nil` for never.
    ///   - scene: The scene in which it happens, for the records.
    public func signIn(
        user: String,
        facts: JSONObject? = nil,
        expiresIn lifetime: Duration? = nil,
        staleIn freshness: Duration? = nil,
        scene: String? = nil
    ) async throws(SceneClientError) -> ClientSession {
        let reply = try await call(
            "io.scened.Session.SignIn",
            [
                "user": .string(user), "facts": .members(facts), "expiresInMilliseconds": .milliseconds(lifetime),
                "staleInMilliseconds": .milliseconds(freshness), "scene": .text(scene),
            ]
        )
        return try session(reply)
    }

    /// Signs the user out. If nobody is signed in, nothing changes.
    public func signOut(scene: String? = nil) async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.SignOut", ["scene": .text(scene)]))
    }

    /// Makes the sign-in stale: windows keep what they show, and gates that need a fresh sign-in close. If nobody is signed in,
    /// nothing changes.
    /// - Parameter scene: The scene in which it happens, for the records.
    public func markStale(scene: String? = nil) async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.MarkStale", ["scene": .text(scene)]))
    }

    /// Sets facts, and resets others to the app's defaults, in one commit.
    /// - Parameters:
    ///   - set: The facts to set, by name.
    ///   - remove: The facts to reset.
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
