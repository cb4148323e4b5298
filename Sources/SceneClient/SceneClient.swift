internal import Basics
public import StrictJSON
package import Varlink

/// A connection to a scened daemon.
///
/// The daemon gets calls in the order they are made and answers them in that order. An event that waits (`wait: .settled`, the
/// default) delays later calls on the same client; open another client for a call that has to overtake it.
public final class SceneClient: Sendable {
    /// How calls are made.
    enum Way {
        /// On one connection.
        case once(VarlinkClient)
        /// On one connection after another.
        case lasting(LastingConnection)
    }

    let way: Way
    /// Called when an event is admitted whose outcome is waited for.
    let onAdmission: (@Sendable ([ClientReceipt]) -> Void)?

    /// Connects to a daemon.
    /// - Parameters:
    ///   - path: The path of its socket.
    ///   - reconnecting: How to go on when the connection is lost, or nobody listens yet (<doc:LostConnections>); `nil` makes that an error.
    /// - Throws: ``SceneClientError/noDaemon(path:reason:)``.
    public init(path: String, reconnecting: Reconnecting? = nil) async throws(SceneClientError) {
        onAdmission = nil
        if let reconnecting {
            let connection = LastingConnection(path: path, reconnecting)
            try await connection.open()
            way = .lasting(connection)
            return
        }
        do {
            way = .once(try await VarlinkClient.connect(path: path))
        } catch {
            throw SceneClientError(error, path: path)
        }
    }

    private init(_ way: Way, onAdmission: @escaping @Sendable ([ClientReceipt]) -> Void) {
        self.way = way
        self.onAdmission = onAdmission
    }

    /// The same connection, on which each event that waits (``Delivery/wait``) calls `body` as soon as it is admitted: with its
    /// receipt, or those of a set. An older daemon tells nothing before the event has got as far as is waited for.
    package func telling(_ body: @escaping @Sendable (_ admitted: [ClientReceipt]) -> Void) -> SceneClient {
        SceneClient(way, onAdmission: body)
    }

    /// How to deliver an event.
    public struct Delivery: Hashable, Sendable {
        /// The scene to deliver it to; `nil` lets the daemon choose.
        public var scene: String?
        /// The sender's ID for the event, a name (<doc:/SceneRuntime/Words>); `nil` lets the daemon make one.
        public var event: String?
        /// When the daemon replies; `nil` means `settled`.
        public var wait: ReceiptStage?

        /// By default the daemon chooses scene and ID, and replies when the first attempt has ended.
        public init(scene: String? = nil, event: String? = nil, wait: ReceiptStage? = nil) {
            self.scene = scene
            self.event = event
            self.wait = wait
        }
    }

    /// Calls any method of the daemon by its full name, such as `io.scened.Events.OpenURL`. Members that are null are not sent.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws(SceneClientError) -> JSONObject {
        switch way {
        case .lasting(let connection): return try await connection.call(method, parameters)
        case .once(let client):
            do {
                return try await client.call(method, parameters.withoutNulls)
            } catch {
                throw SceneClientError(error, of: VarlinkCall(method: method, parameters: parameters.withoutNulls))
            }
        }
    }

    /// All pages of a list that the daemon answers in pages: the replies, of which the last has no elements.
    package func pages(
        of method: String,
        _ parameters: JSONObject = [:]
    ) async throws(SceneClientError) -> [JSONObject] {
        var pages: [JSONObject] = []
        var after = 0
        while true {
            var parameters = parameters
            parameters["after"] = .integer(after)
            let page = try await call(method, parameters)
            pages.append(page)
            let next = try Self.read { () throws(JSONFieldError) in try JSONReader(page)["next"].integer() }
            guard next > after else { return pages }
            after = next
        }
    }

    /// The manifest with this digest, as JSON; without one, that of the manifest in force. `nil` from an older daemon.
    package func manifest(_ digest: String? = nil) async throws(SceneClientError) -> String? {
        let status = try await call("io.scened.Manager.GetStatus")
        // All parts are to be of one manifest, although a reload may come between.
        guard let inForce = status["manifest"]?.stringValue else { return nil }
        let parts = try await pages(of: "io.scened.Manager.GetManifest", ["digest": .string(digest ?? inForce)])
        return parts.compactMap { $0["text"]?.stringValue }.joined()
    }

    /// The interfaces that the daemon serves, `org.varlink.service` too.
    package func interfaces() async throws(SceneClientError) -> [VarlinkInterface] {
        let names = try await call("org.varlink.service.GetInfo")["interfaces"]?.arrayValue ?? []
        var interfaces: [VarlinkInterface] = []
        for name in names.compactMap(\.stringValue) {
            let reply = try await call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            do {
                interfaces.append(try VarlinkInterface(parsing: reply["description"]?.stringValue ?? ""))
            } catch {
                throw SceneClientError(error, path: "")
            }
        }
        return interfaces
    }

    /// Calls any method of the daemon without waiting, on the connection that there is now: such a call is not repeated. Calls of one
    /// thread go out in the order they are made.
    ///
    /// - Parameters:
    ///   - parameters: No member may be null.
    ///   - answer: Called once with the reply or an error, on a thread that serves the connection. It must not block.
    package func send(
        _ method: String,
        _ parameters: JSONObject,
        answer: @escaping @Sendable (Result<JSONObject, SceneClientError>) -> Void
    ) {
        let client: VarlinkClient
        switch way {
        case .once(let only): client = only
        case .lasting(let connection):
            guard let current = connection.current else {
                return answer(.failure(.connectionLost(reason: "there is none just now")))
            }
            client = current
        }
        client.send(method, parameters) { result in
            switch result {
            case .success(let reply):
                if let name = reply.error {
                    answer(.failure(.refused(name: name, parameters: reply.parameters)))
                } else {
                    answer(.success(reply.parameters))
                }
            case .failure(let error): answer(.failure(SceneClientError(error, path: "")))
            }
        }
    }

    /// Closes the connection. Calls that wait for a reply fail.
    public func close() async {
        switch way {
        case .once(let client): await client.close()
        case .lasting(let connection): await connection.close()
        }
    }

    static func read<Value>(
        _ body: () throws(JSONFieldError) -> Value
    ) throws(SceneClientError) -> Value {
        do throws(JSONFieldError) {
            return try body()
        } catch {
            throw .unexpected(error)
        }
    }
}

extension JSONObject {
    var withoutNulls: JSONObject { JSONObject(filter { !$0.value.isNull }.map { ($0.key, $0.value) }) }
}

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }

    static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map { .integer($0.milliseconds) } ?? .null
    }

    static func members(_ object: JSONObject?) -> JSONValue { object.map(JSONValue.object) ?? .null }
}
