internal import Basics
internal import SceneClient
internal import SceneHistory
internal import SceneSoak
internal import StrictJSON

/// One of two daemons that are sent the same calls, and what is seen of it after each.
struct ComparedDaemon: Sendable {
    private let client: SceneClient
    /// Whether its clock stands until it is advanced.
    let isVirtual: Bool

    /// How long a person takes for a step, on a virtual clock, in milliseconds: longer than most transitions.
    static let pause = 5_000
    /// When a virtual clock begins: where the dates are that are sent.
    static let start = "1970-01-01T00:00:00Z"

    private let side: ComparedSide
    private let app: RunningApp
    private let watch: SilenceWatch

    /// - Parameters:
    ///   - side: Which of the two it is.
    ///   - watch: What is done while it does not answer.
    init(_ side: ComparedSide, _ app: RunningApp, _ watch: SilenceWatch) async throws {
        (self.side, self.app, self.watch) = (side, app, watch)
        let client = try await app.connect()
        self.client = client
        isVirtual = try await Self.answer(side, app, watch, client) { _ in try await ScriptPlayer.isVirtual(client) }
    }

    /// What it answers.
    /// - Parameter step: What it was sent, for who waits.
    /// - Throws: A ``LostDaemon`` if it has ended, or does not answer for too long.
    func answer<Answer: Sendable>(
        _ step: @escaping @Sendable () -> String = { "" },
        _ ask: (SceneClient) async throws -> Answer
    ) async throws -> Answer {
        try await conversation(step) { client, _ in try await ask(client) }
    }

    /// What comes of many calls, none of which may wait for too long.
    /// - Parameters:
    ///   - step: What it was sent, for who waits.
    ///   - talk: Makes the calls, and tells of each answer that it was heard.
    /// - Throws: A ``LostDaemon`` if it has ended, or does not answer for too long.
    func conversation<Answer: Sendable>(
        _ step: @escaping @Sendable () -> String,
        _ talk: (SceneClient, Conversation) async throws -> Answer
    ) async throws -> Answer {
        try await Self.answer(side, app, watch, client, step) { try await talk(client, $0) }
    }

    private static func answer<Answer: Sendable>(
        _ side: ComparedSide,
        _ app: RunningApp,
        _ watch: SilenceWatch,
        _ client: SceneClient,
        _ step: @escaping @Sendable () -> String = { "" },
        _ ask: (Conversation) async throws -> Answer
    ) async throws -> Answer {
        let conversation = Conversation(app, client)
        let silence = Guarded<Duration?>(nil)
        let watching = Task {
            guard let time = await watch.untilOver(side, step, since: { conversation.heard }) else { return }
            silence.withLock { $0 = time }
            app.kill()
            await conversation.close()
        }
        defer { watching.cancel() }
        do {
            return try await ask(conversation)
        } catch SceneClientError.connectionLost {
            try Task.checkCancellation()
            throw LostDaemon(side: side, silence: silence.withLock(\.self))
        }
    }

    /// Starts over.
    func reset(seed: Int) async throws {
        try await answer { _ = try await $0.reset(seed: seed, start: isVirtual ? Self.start : nil) }
    }

    /// The manifest that it tells; `nil` if it is not for this user.
    func manifest() async throws -> String? { try await answer { try await $0.manifest() } }

    /// Makes a call, lets time pass, and looks.
    /// - Parameters:
    ///   - call: `nil` only lets time pass.
    ///   - events: The events sent before that may go on.
    ///   - step: What it was sent last, for who waits.
    func take(
        _ call: SoakCall?,
        watching events: [String],
        _ step: @escaping @Sendable () -> String
    ) async throws -> Sight {
        var calls: [(method: String, parameters: JSONObject)] = []
        if let call {
            let wait: JSONValue? = WalkStep.isEvent(call) ? "admitted" : nil
            calls.append((call.method, call.setting("wait", to: wait).parameters))
        }
        calls.append(
            isVirtual
                ? (WalkStep.advance, ["milliseconds": .integer(Self.pause)])
                : ("io.scened.Control.Quiesce", ["timeoutMilliseconds": 10_000])
        )
        let events = events + (call?.events ?? [])
        calls += events.map { ("io.scened.Events.Get", ["event": .string($0)]) }
        calls += [("io.scened.Scenes.List", [:]), ("io.scened.Session.Get", [:])]
        let link = call?.link
        if let link { calls.append((Sight.resolving, ["url": .string(link)])) }
        var replies = try await answer(step) { _ in try await answers(to: calls) }[...]
        var sight = Sight()
        if call != nil, case .failure(.refused(let name, let parameters))? = replies.popFirst() {
            sight.refusal = ["error": .string(name), "parameters": .object(parameters)]
        }
        if case .failure(let error)? = replies.popFirst() {
            guard error.refusal == .timedOut else { throw error }
        }
        for event in events {
            // It is not there if it was refused.
            guard case .success(let reply)? = replies.popFirst() else { continue }
            sight.receipts[event] = reply["receipt"]?.objectValue
        }
        sight.scenes = try replies.popFirst()?.get()["scenes"]?.arrayValue ?? []
        sight.session = try replies.popFirst()?.get()["session"]?.objectValue ?? [:]
        if link != nil, case .failure(.refused(let name, let parameters))? = replies.popFirst() {
            sight.unresolved = ["error": .string(name), "parameters": .object(parameters)]
        }
        return sight
    }

    /// The answers to calls that are made one right after the other.
    private func answers(
        to calls: [(method: String, parameters: JSONObject)]
    ) async throws -> [Result<JSONObject, SceneClientError>] {
        let answers: [Result<JSONObject, SceneClientError>] = await withCheckedContinuation { continuation in
            let all = Guarded<[Result<JSONObject, SceneClientError>]>([])
            for (method, parameters) in calls {
                client.send(method, parameters) { answer in
                    let complete = all.withLock { all in
                        all.append(answer)
                        return all.count == calls.count ? all : nil
                    }
                    if let complete { continuation.resume(returning: complete) }
                }
            }
        }
        for case .failure(let error) in answers {
            if case .refused = error { continue }
            throw error
        }
        return answers
    }

    /// Counts what its records since it began show.
    func count(_ coverage: inout CoverageCounter) async throws {
        var after = 0
        while true {
            let page = try await answer { [after] in
                try await $0.call("io.scened.Records.Read", ["after": .integer(after), "limit": 10_000])
            }
            for record in (page["records"]?.arrayValue ?? []).compactMap(\.objectValue) {
                do throws(JSONFieldError) {
                    coverage.take(try HistoryRecord(record))
                } catch {
                    throw SceneClientError.unexpected(error)
                }
            }
            guard let next = page["next"]?.integerValue, next > after else { return }
            after = next
        }
    }
}

/// Connections to a daemon that end together, and when it was heard on one of them.
final class Conversation: Sendable {
    private struct State {
        var clients: [SceneClient]
        var heard = ContinuousClock.now
        var isClosed = false
    }

    private let app: RunningApp
    private let state: Guarded<State>

    fileprivate init(_ app: RunningApp, _ client: SceneClient) {
        self.app = app
        state = Guarded(State(clients: [client]))
    }

    /// When the daemon has answered last, or was asked first.
    fileprivate var heard: ContinuousClock.Instant { state.withLock(\.heard) }

    /// Notes that the daemon has answered.
    func hear() { state.withLock { $0.heard = .now } }

    /// Makes another connection.
    func connect() async throws -> SceneClient {
        let client = try await app.connect()
        let isClosed = state.withLock { state in
            state.clients.append(client)
            return state.isClosed
        }
        if isClosed { await client.close() }
        return client
    }

    /// Ends all connections, and those still to be made.
    fileprivate func close() async {
        let clients = state.withLock { state in
            state.isClosed = true
            return state.clients
        }
        for client in clients { await client.close() }
    }
}

/// What is seen of a daemon after a step.
struct Sight: Sendable {
    /// The error with which it refused the step, and its parameters.
    var refusal: JSONObject?
    /// Why the link that was just sent leads nowhere, as people read it, such as the reason of a condition.
    var unresolved: JSONObject?
    /// How the events stand that were watched.
    var receipts: [String: JSONObject] = [:]
    var scenes: [JSONValue] = []
    var session: JSONObject = [:]

    /// The method that says where a link leads.
    static let resolving = "io.scened.Routing.Resolve"

    /// The events that may still go on.
    var openEvents: [String] {
        receipts.filter { ["admitted", "gated"].contains($0.value["outcome"]) }.keys.sorted()
    }

    /// Whether nothing waits for time that passes.
    var isQuiet: Bool {
        receipts.values.allSatisfy { $0["outcome"] != "admitted" }
            && scenes.allSatisfy { $0["window"]?["transitioning"] != true }
    }

    /// What is compared, by what it is about. Left out is what differs from run to run or says how something came about: the host,
    /// tickets, counts, revisions and epochs.
    var compared: JSONObject {
        var compared: JSONObject = [:]
        compared["refused"] = refusal.map(JSONValue.object)
        compared["resolve"] = unresolved.map(JSONValue.object)
        let events = receipts.sorted { $0.key < $1.key }.map { event, receipt in
            (event, JSONValue.object(receipt.keeping(Self.ofReceipts)))
        }
        compared["events"] = .object(JSONObject(events))
        let windows = scenes.compactMap { scene -> (String, JSONValue)? in
            guard let id = scene["id"]?.stringValue, var kept = scene.objectValue?.keeping(Self.ofScenes) else {
                return nil
            }
            kept["parked"] = .array(
                (scene["parked"]?.arrayValue ?? []).map {
                    .object(($0.objectValue ?? [:]).keeping(["event", "precondition", "destination"]))
                }
            )
            return (id, .object(kept))
        }
        compared["windows"] = .object(JSONObject(windows))
        compared["session"] = .object(session.keeping(Self.ofSessions))
        return compared
    }

    private static let ofReceipts = [
        "scene", "choice", "outcome", "reason", "precondition", "window", "answer", "windows",
    ]
    private static let ofScenes = ["configuration", "activation", "connected", "locked", "window", "coordinators"]
    private static let ofSessions = ["user", "stale", "facts"]
}

extension SoakCall {
    /// The link that it sends, if it is one alone.
    var link: String? { method == "io.scened.Events.OpenURL" ? parameters["url"]?.stringValue : nil }

    /// The events that it sends, if it names them.
    var events: [String] {
        guard WalkStep.isEvent(self), let event = parameters["event"]?.stringValue else { return [] }
        guard let urls = parameters["urls"]?.arrayValue else { return [event] }
        return urls.indices.map { "\(event)/\($0 + 1)" }
    }
}

extension JSONObject {
    func keeping(_ names: [String]) -> JSONObject {
        JSONObject(names.compactMap { name in self[name].map { (name, $0) } })
    }
}
