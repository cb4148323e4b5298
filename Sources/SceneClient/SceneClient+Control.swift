internal import StrictJSON

extension SceneClient {
    /// Moves a virtual clock on.
    /// - Parameter duration: How far, in whole milliseconds.
    /// - Returns: The clock's time afterwards, since the start.
    @discardableResult
    public func advance(by duration: Duration) async throws(SceneClientError) -> Duration {
        let reply = try await call("io.scened.Control.Advance", ["milliseconds": .milliseconds(duration)])
        return try Self.read { () throws(JSONFieldError) in .milliseconds(try JSONReader(reply)["now"].integer()) }
    }

    /// Begins anew: no windows, nobody signed in, tickets and IDs as at the start.
    /// - Returns: The new host's ID.
    @discardableResult
    public func reset(seed: Int? = nil) async throws(SceneClientError) -> String {
        let seed = seed.map(JSONValue.integer) ?? .null
        let reply = try await call("io.scened.Control.Reset", ["seed": seed])
        return try Self.read { () throws(JSONFieldError) in try JSONReader(reply)["host"].text() }
    }

    /// Waits until nothing is going on, in one window or in all; what is parked is quiet.
    public func quiesce(scene: String? = nil, timeout: Duration? = nil) async throws(SceneClientError) {
        let parameters: JSONObject = ["scene": .text(scene), "timeoutMilliseconds": .milliseconds(timeout)]
        _ = try await call("io.scened.Control.Quiesce", parameters)
    }
}
