internal import Basics
internal import SceneClient
internal import StrictJSON

/// What one open page does with the daemon. Its holds are on one connection, so that they end with the page.
struct LivePage: Sendable {
    /// Events and everything else that does not have to wait, in the order in which they are made.
    var client: SceneClient { current.withLock { $0 } }
    private let current: Guarded<SceneClient>
    /// Asked whether the daemon answers, which must not wait for another call.
    private let pulse: SceneClient
    let daemon: InspectedDaemon
    /// That of the browser in which it is open.
    let key: String
    /// How many calls that wait are under way.
    private let waiting = Guarded(0)

    /// As many calls as a page may have that wait for a window: one that is held keeps them waiting.
    private static let mostWaiting = 16

    /// What the browser has done so far.
    let done: DoneActs
    /// Whether the manifest calls something secret, or one before it did.
    let hasSecrets = Guarded(false)

    init(_ daemon: InspectedDaemon, key: String, done: DoneActs) async throws {
        current = Guarded(try await daemon.connect())
        pulse = try await daemon.connect()
        self.done = done
        self.daemon = daemon
        self.key = key
    }

    /// How long a daemon may take to answer what costs it nothing.
    private static let patience = Duration.seconds(2)

    /// Whether the daemon answers.
    func beats() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await pulse.call("org.varlink.service.GetInfo")) != nil }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    func close() async {
        await client.close()
        await pulse.close()
    }

    /// Calls that wait for what goes on in a window, so that what comes after them, such as the release of a hold, cannot wait for them.
    private static let waits: Set = [
        "io.scened.Scenes.Connect", "io.scened.Scenes.SetActivation", "io.scened.Scenes.Disconnect",
        "io.scened.Scenes.Discard", "io.scened.Control.Quiesce", "io.scened.Control.Await", "io.scened.Adapters.Try",
        "io.scened.Records.Check",
    ]

    /// Makes a call of the page: the daemon's reply, or its error with a message, and the command that does the same.
    /// - Parameter host: The host that the page shows.
    func call(_ method: String, _ given: JSONObject, host: JSONValue?) async throws -> JSONObject {
        let number = done.begin(of: key)
        do {
            let (answer, shown) = try await answer(to: method, given)
            done.end(
                number,
                of: key,
                ["method": .string(method), "parameters": .object(shown), "host": host ?? .null],
                answer
            )
            return answer
        } catch {
            done.forget(number, of: key)
            throw error
        }
    }

    /// - Returns: The answer, and the parameters as they may be shown later.
    private func answer(to method: String, _ given: JSONObject) async throws -> (JSONObject, shown: JSONObject) {
        guard method.hasPrefix("io.scened.") else { throw BadRequest("method '\(method)': expected one of io.scened.") }
        var parameters = given
        // The page sees by the records how an event ends.
        if method.hasPrefix("io.scened.Events."), method != "io.scened.Events.Get" { parameters["wait"] = "admitted" }
        let concealed =
            hasSecrets.withLock { $0 } ? await ConcealedCall(method, parameters, by: client) : nil
        var answer: JSONObject = [:]
        let isWaiting = Self.waits.contains(method)
        do {
            answer["reply"] = .object(
                try await isWaiting ? waitingCall(method, parameters) : client.call(method, parameters)
            )
        } catch let error as BadRequest {
            throw error
        } catch let error as SceneClientError {
            answer["message"] = .string(await message(of: error, after: parameters, isShared: !isWaiting))
            if case .refused(let name, let parameters) = error {
                answer["error"] = .string(name)
                answer["parameters"] = .object(parameters)
            }
        }
        let order = Self.order(in: answer)
        guard let concealed else {
            if let order { parameters["order"] = order }
            answer["command"] = .string(daemon.command(method, parameters))
            return (answer, given)
        }
        if var shown = await concealed.shown(by: client) {
            if let order { shown["order"] = order }
            answer["command"] = .string(daemon.command(method, shown))
            return (answer, shown)
        }
        answer["command"] = .string("# \(method): what was typed is not shown, for it may be secret")
        // Who has typed it reads the message, which may quote it; later this is told.
        if let error = answer["error"]?.stringValue?.split(separator: ".").last { answer["told"] = .string("\(error)") }
        return (answer, [:])
    }

    /// The order in which URLs came that were opened at once, as their places: it is left to chance, so a command says it.
    private static func order(in answer: JSONObject) -> JSONValue? {
        guard let receipts = answer["reply"]?["receipts"]?.arrayValue else { return nil }
        let tickets = receipts.compactMap { $0["ticket"]?.integerValue }
        guard tickets.count == receipts.count, Set(tickets).count == tickets.count else { return nil }
        return .array(tickets.indices.sorted { tickets[$0] < tickets[$1] }.map { .integer($0 + 1) })
    }

    /// What went wrong. The connection that calls share is made anew if it was lost, so that the page goes on.
    /// - Parameter isShared: Whether the call was made on that one.
    private func message(of error: SceneClientError, after parameters: JSONObject, isShared: Bool) async -> String {
        guard case .connectionLost = error else { return daemon.message(error) }
        var words = "The daemon closed the connection without an answer; its log says why."
        let length = JSONValue.object(parameters).text().utf8.count
        if length > 1 << 16 { words += " The call was \(length) bytes long; by default a daemon takes 1048576." }
        guard isShared else { return words }
        guard let next = try? await daemon.connect() else { return daemon.message(error) }
        let lost = current.withLock { current in
            defer { current = next }
            return current
        }
        await lost.close()
        return "\(words) What this page held is released; it is connected again."
    }

    /// What was done, as a text.
    func copy(as name: String) async throws -> JSONObject {
        guard let copy = daemon.copies.first(where: { $0.name == name }) else {
            let names = daemon.copies.map(\.name).joined(separator: ", ")
            throw BadRequest("copy as '\(name)': expected one of \(names)")
        }
        do {
            return ["text": .string(try await copy.text(client))]
        } catch {
            return ["message": .string(daemon.message(error))]
        }
    }

    private func waitingCall(_ method: String, _ parameters: JSONObject) async throws -> JSONObject {
        let isAllowed = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAllowed else {
            throw BadRequest("\(Self.mostWaiting) calls wait for a window already; release what is held, or wait")
        }
        defer { waiting.withLock { $0 -= 1 } }
        let client = try await daemon.connect()
        do {
            let reply = try await client.call(method, parameters)
            await client.close()
            return reply
        } catch {
            await client.close()
            throw error
        }
    }
}

/// What a page may not ask for.
struct BadRequest: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
