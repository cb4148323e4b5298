import StrictJSON
import Varlink

/// A hold that a test releases. It ends with the connection that set it.
struct Hold: Sendable {
    /// The daemon's ID for it.
    let id: JSONValue
    fileprivate let lever: VarlinkClient

    /// Waits until something is caught.
    @discardableResult
    func caught() async throws -> JSONObject {
        try await lever.call("io.scened.Control.Await", ["hold": id, "timeoutMilliseconds": 120_000])
    }

    func release() async throws {
        _ = try await lever.call("io.scened.Control.Release", ["hold": id])
    }
}

extension VarlinkClient {
    /// Sets a hold at a point.
    func hold(_ point: String, _ scene: String? = nil, event: String? = nil, kind: String? = nil) async throws -> Hold {
        var parameters: JSONObject = ["point": .string(point)]
        parameters["scene"] = scene.map(JSONValue.string)
        parameters["event"] = event.map(JSONValue.string)
        parameters["kind"] = kind.map(JSONValue.string)
        return Hold(id: try await call("io.scened.Control.Hold", parameters)["hold"] ?? .null, lever: self)
    }
}
