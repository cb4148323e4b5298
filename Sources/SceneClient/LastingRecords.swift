internal import StrictJSON
internal import Varlink

/// Records that are followed from connection to connection, as long as the host is the same.
struct LastingRecords {
    static let method = "io.scened.Records.Read"

    private let connections: LastingConnection
    private var query: JSONObject
    private var attempts: Attempts
    private var replies: VarlinkReplies.Iterator?
    private var host: String?
    /// The index after the last page.
    private var position: Int?
    /// Whether the last stream came to its end: then its host has ended, or its daemon.
    private var hasEnded = false

    init(_ connections: LastingConnection, _ query: JSONObject) {
        self.connections = connections
        self.query = query
        attempts = connections.attempts()
    }

    /// The next page, as ``VarlinkReplies`` has it.
    mutating func nextPart() async throws -> JSONPart?? {
        while true {
            let failure: CallFailure
            do throws(CallFailure) {
                if replies == nil { try await connect() }
                if let page = try await page() { return page }
                if Task.isCancelled { throw CallFailure(.answered, .connectionLost(reason: "the task was cancelled")) }
                hasEnded = true
                failure = CallFailure(.lost, .connectionLost(reason: "the daemon has stopped"))
            } catch {
                if hasEnded, case .hostChanged = error.error { return nil }
                failure = error
            }
            replies = nil
            guard failure.kind != .answered, await attempts.wait() else {
                if Task.isCancelled { throw CancellationError() }
                throw failure.error
            }
        }
    }

    private mutating func connect() async throws(CallFailure) {
        let connection = try await connections.connect()
        let host = self.host ?? connection.host
        guard connection.host == host else {
            throw CallFailure(.answered, .hostChanged(from: host, to: connection.host, event: nil))
        }
        if let position, connection.index < position {
            let reason = "record \(position) was read, and the host has only \(connection.index) now"
            throw CallFailure(.answered, .unsure(method: Self.method, event: nil, reason: reason))
        }
        self.host = host
        replies = connection.client.callMore(Self.method, query).makeAsyncIterator()
    }

    private mutating func page() async throws(CallFailure) -> JSONPart?? {
        guard var replies else { return nil }
        defer { self.replies = replies }
        do {
            let page = try await replies.nextPart()
            if let next = page??["next"]?.integerValue {
                position = next
                query["after"] = .integer(next)
                hasEnded = false
            }
            return page
        } catch {
            let failure = CallFailure(sent: error)
            if case .cutOff = failure.error.refusal { throw CallFailure(.lost, failure.error) }
            throw failure
        }
    }
}
