internal import SceneRuntime
internal import StrictJSON
internal import Basics
internal import Varlink

/// `io.scened.Records`: reads the host's history, once or as a stream.
struct RecordsService: Sendable {
    let running: RunningHost
    let accounts: UserAccounts
    private let checks = HistoryChecks()

    init(running: RunningHost, accounts: UserAccounts) {
        self.running = running
        self.accounts = accounts
    }

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.records)
        try service.on("Read") { request, responder in
            guard let part = ReplyPage(request, responder) else { return }
            let query = Query(request.parameters, part)
            if let unknown = query.unknownKind {
                var parameters: JSONObject = ["kind": .string(unknown)]
                parameters["suggestion"] = RecordKind.nearest(to: unknown).map(JSONValue.string)
                responder.fail(VarlinkError("io.scened.Records.UnknownKind", parameters))
                return
            }
            guard request.call.more else {
                // What is kept can be read, too, while other records cannot be kept.
                let newestKept = host.records.newestKept
                if newestKept != nil { responder.tellAtOnce() }
                let page = Page(query, after: query.after, of: host.records, upTo: newestKept ?? .max)
                responder.reply { _ = page.write(to: &$0) }
                return
            }
            follow(query, request, responder)
        }
        try service.on("Check") { request, responder in check(request, responder) }
        return service
    }

    private func check(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let user = request.connection.peer.userID
        guard accounts.take(.checks, for: user) else {
            let limit = JSONValue.integer(accounts.limit(.checks))
            return _ = responder.fail(VarlinkError("io.scened.Records.TooManyChecks", ["limit": limit]))
        }
        let isOneway = request.call.oneway
        // Until it has stopped, not until the client has left, which it notices a moment later.
        checks.run(of: host, while: { !isOneway && responder.isOpen }) { [accounts] report in
            accounts.giveBack(.checks, of: user)
            if let report { responder.reply { $0.value(.object(report)) } }
        }
    }

    private func follow(_ query: Query, _ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let host = self.host
        let position = Guarded(query.after)
        let produce: @Sendable (inout JSONText) -> Bool = { json in
            position.withLock { position in
                while true {
                    let page = Page(query, after: position, of: host.records)
                    guard page.records.isEmpty else {
                        position = page.write(to: &json)
                        return true
                    }
                    guard page.next > position else { return false }
                    position = page.next
                }
            }
        }
        let pump = StreamPump(eventLoop: request.connection.eventLoop, responder: responder, writing: produce)
        // A client that stops reading misses records, and is told how many.
        responder.tolerateStalls()
        let token = host.records.listen { record in
            if query.matches(record) { pump.signal() }
        }
        responder.onClose { host.records.stopListening(token) }
        running.end(responder, following: host) {
            // However far behind the client is, it sees the history to its end. Until then the listener keeps the pump alive.
            pump.finish {
                host.records.stopListening(token)
                return ["records": [], "next": .integer(position.withLock { $0 })]
            }
        }
        // If it is cut off before the end, it is told how far it came.
        responder.onCutOff {
            responder.fail(VarlinkError("io.scened.Records.CutOff", ["next": .integer(position.withLock { $0 })]))
        }
        pump.signal()
    }

    private struct Page {
        let records: [Record]
        let next: Int

        /// - Parameter last: The index of the last record to be told.
        init(_ query: Query, after: Int, of log: RecordLog, upTo last: Int = .max) {
            let (records, next) =
                query.choosesAll
                ? log.read(after: after, limit: query.limit)
                : log.read(after: after, limit: query.limit, matching: query.matches)
            self.records = records.filter { $0.index <= last }
            self.next = min(next, max(after, last))
        }

        /// Writes the reply, with as many of the records as fit.
        /// - Returns: The index to pass as `after` next time.
        func write(to json: inout JSONText) -> Int {
            var next = self.next
            json.object { json in
                json.name("records")
                let written = json.page(records) { $1.write(to: &$0) }
                if written < records.count { next = records[written].index - 1 }
                json.member("next", next)
            }
            return next
        }
    }

    private struct Query: Sendable {
        let after: Int
        let limit: Int
        let scene: String?
        let event: String?
        /// The kinds of record that were asked for, also those of families; `nil` for all.
        let kinds: Set<RecordKind>?
        /// The first name that was asked for and that is neither a kind nor a family.
        let unknownKind: String?

        init(_ parameters: JSONObject, _ part: ReplyPage) {
            (after, limit) = (part.after, part.limit)
            scene = parameters["scene"]?.stringValue
            event = parameters["event"]?.stringValue
            let names = parameters["kinds"]?.arrayValue?.compactMap(\.stringValue)
            kinds = names.map { Set($0.lazy.flatMap(RecordKind.named)) }
            unknownKind = names?.first { RecordKind.named($0).isEmpty }
        }

        /// Whether every record matches.
        var choosesAll: Bool { scene == nil && event == nil && kinds == nil }

        func matches(_ record: Record) -> Bool {
            (scene == nil || record.subject.scene == scene) && (event == nil || record.subject.event == event)
                && (kinds?.contains(record.kind) ?? true)
        }
    }
}
