internal import SceneRuntime
internal import StrictJSON
internal import Locking
internal import Varlink

/// `io.scened.Records`: the host's history, once or as a stream.
struct RecordsService: Sendable {
    let running: RunningHost

    private var host: SceneHost { running.current }

    /// How many records a reply holds unless the client says, and at most.
    private static let usualLimit = 1_000
    private static let greatestLimit = 10_000
    /// How large a reply may grow before the rest is left to the next one, in bytes of JSON.
    private static let replyBytes = 256 << 10

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.records)
        try service.on("Read") { request, responder in
            let query = Query(request.parameters)
            guard query.after >= 0 else {
                responder.fail(.invalidParameter("after"))
                return
            }
            guard (1...Self.greatestLimit).contains(query.limit) else {
                responder.fail(.invalidParameter("limit"))
                return
            }
            if let unknown = query.kinds?.first(where: { !Record.Kind.selectors.contains($0) }) {
                var parameters: JSONObject = ["kind": .string(unknown)]
                parameters["suggestion"] = Record.Kind.nearest(to: unknown).map(JSONValue.string)
                responder.fail(VarlinkError("io.scened.Records.UnknownKind", parameters))
                return
            }
            guard request.call.more else {
                responder.reply(page(query, after: query.after, of: host.records).reply)
                return
            }
            follow(query, request, responder)
        }
        return service
    }

    private func follow(_ query: Query, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let position = Guarded(query.after)
        let produce: @Sendable () -> JSONObject? = {
            position.withLock { position in
                while true {
                    let page = page(query, after: position, of: host.records)
                    let hasMoved = page.next > position
                    position = page.next
                    if !page.records.isEmpty { return page.reply }
                    if !hasMoved { return nil }
                }
            }
        }
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder, produce: produce)
        // Who stops reading misses records, and is told how many.
        responder.toleratesStalls()
        let token = host.records.listen { record in
            if query.matches(record) { pump.signal() }
        }
        responder.onClose { host.records.stopListening(token) }
        running.end(responder, following: host) {
            // However far behind the client is, it sees the history to its end.
            // Until then the listener keeps the pump alive.
            pump.finish {
                host.records.stopListening(token)
                return ["records": [], "next": .integer(position.withLock { $0 })]
            }
        }
        pump.signal()
    }

    private func page(_ query: Query, after: Int, of log: RecordLog) -> Page {
        let (records, next) = log.read(after: after, limit: query.limit, matching: query.matches)
        var page = Page(records: [], next: next)
        var bytes = 0
        for record in records {
            let json = JSONValue.object(record.json)
            bytes += json.text().utf8.count
            if bytes > Self.replyBytes, !page.records.isEmpty {
                page.next = record.index - 1
                break
            }
            page.records.append(json)
        }
        return page
    }

    private struct Page {
        var records: [JSONValue]
        var next: Int

        var reply: JSONObject { ["records": .array(records), "next": .integer(next)] }
    }

    private struct Query: Sendable {
        let after: Int
        let limit: Int
        let scene: String?
        let event: String?
        let kinds: [String]?

        init(_ parameters: JSONObject) {
            after = parameters["after"]?.integerValue ?? 0
            limit = parameters["limit"]?.integerValue ?? RecordsService.usualLimit
            scene = parameters["scene"]?.stringValue
            event = parameters["event"]?.stringValue
            kinds = parameters["kinds"]?.arrayValue?.compactMap(\.stringValue)
        }

        func matches(_ record: Record) -> Bool {
            (scene == nil || record.subject.scene == scene) && (event == nil || record.subject.event == event)
                && (kinds?.contains { Self.isKind(record.kind, of: $0) } ?? true)
        }

        /// Whether a kind is the one named, or one of the family named: `gate` names `gate.parked` and the others.
        private static func isKind(_ kind: String, of name: String) -> Bool {
            kind == name || (kind.hasPrefix(name) && kind.dropFirst(name.count).first == ".")
        }
    }
}
