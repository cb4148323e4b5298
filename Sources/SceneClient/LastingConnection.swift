internal import Basics
internal import Glibc
internal import StrictJSON
internal import Varlink

/// What a client has to one host: one connection after another.
final class LastingConnection: Sendable {
    private struct State {
        var current: HostConnection?
        /// The host that the client belongs to; `nil` before the first connection, and when it is not known whether a reset was made.
        var host: String?
        var isClosed = false
    }

    private let path: String
    private let settings: Reconnecting
    private let state = Guarded(State())
    /// How old the index may be at which an event is sent for the first time: the younger, the fewer records have to be there to tell
    /// later whether it was admitted.
    private static let freshness = Duration.seconds(1)

    init(path: String, _ settings: Reconnecting) {
        self.path = path
        self.settings = settings
    }

    /// Connects, however long the daemon takes to listen within the time that there is.
    func open() async throws(SceneClientError) {
        var attempts = Attempts(settings)
        while true {
            do throws(CallFailure) {
                _ = try await connection()
                return
            } catch {
                guard error.kind != .answered, await attempts.wait() else { throw error.error }
            }
        }
    }

    /// Closes the connection for good.
    func close() async {
        let current = state.withLock { state in
            state.isClosed = true
            defer { state.current = nil }
            return state.current
        }
        await current?.client.close()
    }

    /// The connection that there is now.
    var current: VarlinkClient? { state.withLock { $0.current?.client } }

    // MARK: - Calls

    /// Makes a call until it is answered.
    /// - Parameter telling: Gets the first reply to an event as soon as it is admitted.
    func call(
        _ method: String,
        _ parameters: JSONObject,
        telling: (@Sendable (JSONObject) throws(SceneClientError) -> Void)? = nil
    ) async throws(SceneClientError) -> JSONObject {
        var call = RepeatedCall(method, parameters.withoutNulls, settings.eventID, telling)
        var attempts = Attempts(settings)
        while true {
            do throws(CallFailure) {
                let connection = try await connection()
                do throws(CallFailure) {
                    return try await make(&call, on: connection)
                } catch {
                    // Calls of others that wait for their answers keep it. To another host nobody goes back: what comes next connects again,
                    // and is told the same.
                    if error.kind != .answered || error.isOfAnotherHost { leave(connection) }
                    throw error
                }
            } catch {
                let isOver = error.kind == .answered || !call.mayBeRepeated(after: error.kind)
                guard !isOver, await attempts.wait() else { throw call.told(error) }
            }
        }
    }

    private func make(
        _ call: inout RepeatedCall,
        on connection: HostConnection
    ) async throws(CallFailure) -> JSONObject {
        let isRepeated = call.doubt != nil
        if call.repetition == .event {
            if let doubt = call.doubt {
                if let reply = try await connection.reply(known: call, since: doubt) {
                    try call.tell(reply)
                    return reply
                }
            } else if connection.isOlder(than: settings.time.now() - Self.freshness) {
                try await connection.look(at: settings.time.now())
            }
        }
        guard await connection.client.isOpen() else {
            throw CallFailure(.notSent, .connectionLost(reason: "it had closed before the call"))
        }
        let doubt = RepeatedCall.Doubt(host: connection.host, index: connection.index)
        let answer: Result<JSONObject, CallFailure>
        do throws(CallFailure) {
            answer = .success(try await connection.make(&call))
        } catch {
            if call.repetition != .read, error.kind == .lost || error.kind == .refusedForNow {
                call.doubt = call.doubt ?? doubt
            }
            guard error.kind == .answered else {
                if call.isReset, error.kind == .lost { state.withLock { $0.host = nil } }
                throw error
            }
            answer = .failure(error)
        }
        // No host comes back: if it is the same now, it was when it was asked.
        if isRepeated, call.repetition == .event { try await connection.look(at: settings.time.now()) }
        let reply = try answer.get()
        if call.isReset, let host = reply["host"]?.stringValue { belong(to: host, on: connection) }
        return reply
    }

    // MARK: - Connections

    private func connection() async throws(CallFailure) -> HostConnection {
        if let current = try present() { return current }
        return try keep(await connect())
    }

    private func present() throws(CallFailure) -> HostConnection? {
        let (current, isClosed) = state.withLock { ($0.current, $0.isClosed) }
        if isClosed { throw CallFailure(.answered, .connectionLost(reason: "this client has closed it")) }
        return current
    }

    /// A connection of its own, such as for a stream.
    func connect() async throws(CallFailure) -> HostConnection {
        let client: VarlinkClient
        do {
            client = try await VarlinkClient.connect(path: path)
        } catch {
            var kind = CallFailure.Kind.notSent
            if case VarlinkClientError.cannotConnect(_, let errno, _) = error, !Self.passing.contains(errno) {
                kind = .answered
            }
            throw CallFailure(kind, SceneClientError(error, path: path))
        }
        let connection = try await HostConnection(client, at: settings.time.now())
        let host = state.withLock { state in
            if state.host == nil { state.host = connection.host }
            return state.host ?? connection.host
        }
        guard host == connection.host else {
            throw CallFailure(.answered, .hostChanged(from: host, to: connection.host, event: nil))
        }
        return connection
    }

    /// Why nobody may listen while a daemon starts again.
    private static let passing: Set<CInt> = [ENOENT, ECONNREFUSED, ECONNRESET, EPIPE, EAGAIN, EINTR]

    /// Keeps a new connection, unless another call was faster.
    private func keep(_ connection: HostConnection) throws(CallFailure) -> HostConnection {
        state.withLock { if !$0.isClosed, $0.current == nil { $0.current = connection } }
        return try present() ?? connection
    }

    private func leave(_ connection: HostConnection) {
        state.withLock { if $0.current === connection { $0.current = nil } }
    }

    private func belong(to host: String, on connection: HostConnection) {
        state.withLock { state in
            state.host = host
            if state.current === connection { state.current = HostConnection(connection.client, host) }
        }
    }

    // MARK: - Records

    /// What has been tried in vain to follow records.
    func attempts() -> Attempts { Attempts(settings) }
}

/// Why an attempt to make a call came to nothing.
struct CallFailure: Error {
    enum Kind {
        /// Nothing of the call has reached a daemon.
        case notSent
        /// The daemon may have got the call, and did not answer.
        case lost
        /// The daemon answered that it cannot do it now; whether it has done it is not known.
        case refusedForNow
        /// Another attempt would end in the same way.
        case answered
    }

    let kind: Kind
    let error: SceneClientError

    var isOfAnotherHost: Bool {
        guard case .hostChanged = error else { return false }
        return true
    }

    init(_ kind: Kind, _ error: SceneClientError) {
        self.kind = kind
        self.error = error
    }

    /// Of a call that was sent.
    init(sent error: any Error) {
        if case VarlinkClientError.violation = error {
            self.init(.answered, SceneClientError(error, path: ""))
            return
        }
        let error = error as? SceneClientError ?? SceneClientError(error, path: "")
        switch error {
        case .refused: self.init(error.refusal?.isForNow == true ? .refusedForNow : .answered, error)
        case .connectionLost: self.init(.lost, error)
        default: self.init(.answered, error)
        }
    }

    /// The same of a question that came before the call, which was not made therefore.
    var beforeCall: CallFailure { kind == .answered ? self : CallFailure(.notSent, error) }
}

extension DaemonError {
    /// Whether the daemon may answer otherwise when it has started again. Whether it has done what was asked, it does not say.
    var isForNow: Bool {
        switch self {
        case .draining, .storageFailed: true
        default: false
        }
    }
}

/// A call that may be made more than once.
struct RepeatedCall {
    /// Where it was sent for the first time without an answer.
    struct Doubt {
        let host: String
        /// All records that it can have made come after this one.
        let index: Int
    }

    let method: String
    /// The same each time.
    let parameters: JSONObject
    let repetition: Repetition
    /// Set once the daemon may have done it.
    var doubt: Doubt?
    private let telling: (@Sendable (JSONObject) throws(SceneClientError) -> Void)?
    private var hasTold = false

    init(
        _ method: String,
        _ given: JSONObject,
        _ eventID: @Sendable () -> String,
        _ telling: (@Sendable (JSONObject) throws(SceneClientError) -> Void)?
    ) {
        self.method = method
        repetition = Repetition(of: method, given)
        self.telling = telling
        var parameters = given
        if repetition == .event, parameters["event"] == nil { parameters["event"] = .string(eventID()) }
        self.parameters = parameters
    }

    /// Whether it tells of the first of two replies.
    var tells: Bool { telling != nil }
    var isReset: Bool { method == "io.scened.Control.Reset" }
    var event: String? { repetition == .event ? parameters["event"]?.stringValue : nil }
    /// The IDs of its events: of a set of URLs there are several.
    var events: [String] {
        guard let event else { return [] }
        guard let urls = parameters["urls"]?.arrayValue else { return [event] }
        return urls.indices.map { "\(event)/\($0 + 1)" }
    }

    /// Whether a receipt says all that the caller waits for.
    func isEnough(_ receipt: JSONValue?) -> Bool {
        let outcome = receipt?["outcome"]?.stringValue
        switch parameters["wait"]?.stringValue {
        case ReceiptStage.admitted.rawValue: return true
        case ReceiptStage.finished.rawValue:
            return outcome != OutcomeName.admitted.rawValue && outcome != OutcomeName.gated.rawValue
        default: return outcome != OutcomeName.admitted.rawValue
        }
    }

    mutating func tell(_ reply: JSONObject) throws(CallFailure) {
        guard let telling, !hasTold else { return }
        hasTold = true
        do throws(SceneClientError) { try telling(reply) } catch { throw CallFailure(.answered, error) }
    }

    func mayBeRepeated(after failure: CallFailure.Kind) -> Bool { repetition != .never || failure == .notSent }

    /// What the caller is told in the end.
    func told(_ failure: CallFailure) -> SceneClientError {
        switch (failure.kind, failure.error) {
        case (_, .hostChanged(let from, let to, _)): .hostChanged(from: from, to: to, event: doubt == nil ? nil : event)
        case (.refusedForNow, let error) where repetition == .never: error
        case (.answered, let error):
            if repetition == .revision, doubt != nil, case .revisionConflict = error.refusal {
                unsure(error)
            } else {
                error
            }
        case (_, let error): doubt == nil ? error : unsure(error)
        }
    }

    private func unsure(_ error: SceneClientError) -> SceneClientError {
        .unsure(method: method, event: event, reason: "\(error)")
    }
}
