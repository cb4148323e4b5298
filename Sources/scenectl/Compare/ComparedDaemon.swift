internal import Basics
internal import SceneClient
internal import SceneHistory
internal import SceneSoak
internal import StrictJSON

/// One of two daemons that are sent the same calls, and what is seen of it after each.
struct ComparedDaemon: Sendable {
    let client: SceneClient
    /// Whether its clock stands until it is advanced.
    let isVirtual: Bool

    /// How long a person takes for a step, on a virtual clock, in milliseconds: longer than most transitions.
    static let pause = 5_000
    /// How long it may take to answer, in real time.
    private static let patience = Duration.seconds(60)
    /// When a virtual clock begins: where the dates are that are sent.
    static let start = "1970-01-01T00:00:00Z"

    /// Makes another connection to it.
    let connect: @Sendable () async throws -> SceneClient

    /// - Parameter connect: Makes a connection to it.
    init(_ connect: @escaping @Sendable () async throws -> SceneClient) async throws {
        self.connect = connect
        client = try await connect()
        isVirtual = try await ScriptPlayer.isVirtual(client)
    }

    /// Starts over.
    func reset(seed: Int) async throws {
        _ = try await client.reset(seed: seed, start: isVirtual ? Self.start : nil)
    }

    /// Makes a call, lets time pass, and looks.
    /// - Parameters:
    ///   - call: `nil` only lets time pass.
    ///   - events: The events sent before that may go on.
    func take(_ call: SoakCall?, watching events: [String]) async throws -> Sight {
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
        var replies = try await answers(to: calls)[...]
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
        return sight
    }

    /// The answers to calls that are made one right after the other. An answer is late if the daemon hangs: then the connection is closed.
    private func answers(
        to calls: [(method: String, parameters: JSONObject)]
    ) async throws -> [Result<JSONObject, SceneClientError>] {
        let watch = Task { [client] in
            try await Task.sleep(for: Self.patience)
            await client.close()
        }
        defer { watch.cancel() }
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
            let page = try await client.call(
                "io.scened.Records.Read",
                ["after": .integer(after), "limit": 10_000]
            )
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

/// What is seen of a daemon after a step.
struct Sight: Sendable {
    /// The error with which it refused the step, and its parameters.
    var refusal: JSONObject?
    /// How the events stand that were watched.
    var receipts: [String: JSONObject] = [:]
    var scenes: [JSONValue] = []
    var session: JSONObject = [:]

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
