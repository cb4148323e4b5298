internal import StrictJSON

extension SceneClient {
    /// Advances a virtual clock.
    /// - Parameter duration: By how much, in whole milliseconds.
    /// - Returns: The clock's time afterwards, since the daemon's start or last reset.
    @discardableResult
    public func advance(by duration: Duration) async throws(SceneClientError) -> Duration {
        let reply = try await call("io.scened.Control.Advance", ["milliseconds": .milliseconds(duration)])
        return try Self.read { () throws(JSONFieldError) in .milliseconds(try JSONReader(reply)["now"].integer()) }
    }

    /// Starts over: no windows, nobody signed in, tickets and IDs as at the start.
    /// - Parameter seed: Determines what is random in the new host, but never its ID, which no other history has.
    /// - Returns: The new host's ID.
    @discardableResult
    public func reset(seed: Int? = nil) async throws(SceneClientError) -> String {
        let seed = seed.map(JSONValue.integer) ?? .null
        let reply = try await call("io.scened.Control.Reset", ["seed": seed])
        return try Self.read { () throws(JSONFieldError) in try JSONReader(reply)["host"].text() }
    }

    /// Waits until nothing is going on, in one window or in all. A parked event does not count.
    /// - Parameter timeout: In whole milliseconds; `nil` for no limit.
    /// - Throws: A ``SceneClientError`` whose refusal is ``DaemonError/timedOut``, when the timeout expires.
    public func quiesce(scene: String? = nil, timeout: Duration? = nil) async throws(SceneClientError) {
        let parameters: JSONObject = ["scene": .text(scene), "timeoutMilliseconds": .milliseconds(timeout)]
        _ = try await call("io.scened.Control.Quiesce", parameters)
    }
}
