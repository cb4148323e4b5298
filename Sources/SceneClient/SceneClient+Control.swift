internal import StrictJSON

extension SceneClient {
    /// Moves a virtual clock on.
    /// - Returns: The clock's time afterwards, in milliseconds since the start.
    public func advance(milliseconds: Int) async throws(SceneClientError) -> Int {
        let reply = try await call("io.scened.Control.Advance", ["milliseconds": .integer(milliseconds)])
        return try Self.read { () throws(JSONFieldError) in try JSONReader(reply)["now"].integer() }
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
    public func quiesce(scene: String? = nil, timeoutMilliseconds: Int? = nil) async throws(SceneClientError) {
        let timeout = timeoutMilliseconds.map(JSONValue.integer) ?? .null
        _ = try await call("io.scened.Control.Quiesce", ["scene": .text(scene), "timeoutMilliseconds": timeout])
    }
}
