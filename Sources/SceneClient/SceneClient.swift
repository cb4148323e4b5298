public import StrictJSON
internal import Varlink

/// A connection to a scened daemon.
///
/// Calls go out in the order made and are answered in that order; an event that waits (`wait: .settled`, the default)
/// makes later calls on the same client wait too. Open another client for what has to overtake it.
public final class SceneClient: Sendable {
    private let client: VarlinkClient

    /// Connects to the daemon at `path`.
    /// - Throws: ``SceneClientError/noDaemon(path:reason:)``.
    public init(path: String) async throws(SceneClientError) {
        do {
            client = try await VarlinkClient.connect(path: path)
        } catch {
            throw SceneClientError(error, path: path)
        }
    }

    /// What an event's sender may say besides the event itself.
    public struct Delivery: Hashable, Sendable {
        /// The scene it is meant for; `nil` lets the daemon choose.
        public var scene: String?
        /// The sender's ID for the event, 1 to 128 bytes.
        public var event: String?
        /// When the daemon replies; `nil` is `settled`.
        public var wait: Wait?

        /// How long to wait for the receipt.
        public enum Wait: String, Hashable, Sendable, CaseIterable {
            case admitted, settled, finished
        }

        /// A delivery; by default the daemon chooses scene and ID and replies when the first attempt has ended.
        public init(scene: String? = nil, event: String? = nil, wait: Wait? = nil) {
            self.scene = scene
            self.event = event
            self.wait = wait
        }
    }

    // MARK: - Events

    /// Opens a URL: a custom scheme of the app, or an https link that the associated domains decide.
    public func openURL(
        _ url: String,
        sourceApplication: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send("OpenURL", ["url": .string(url), "sourceApplication": .text(sourceApplication)], delivery)
    }

    /// Continues a user activity. A Handoff may be `announced` first, and come, or be a `failure`, in a second call.
    public func continueActivity(
        type: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        referrerURL: String? = nil,
        handoff: Bool? = nil,
        announced: Bool? = nil,
        failure: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "ContinueActivity",
            [
                "activityType": .string(type), "webpageURL": .text(webpageURL), "userInfo": .members(userInfo),
                "title": .text(title), "targetContentIdentifier": .text(targetContentIdentifier),
                "persistentIdentifier": .text(persistentIdentifier), "referrerURL": .text(referrerURL),
                "handoff": .flag(handoff), "announced": .flag(announced), "failure": .text(failure),
            ],
            delivery
        )
    }

    /// Delivers a push, and what the person does with it: `present`, `open`, `dismiss` or `action`.
    public func push(
        payload: JSONObject,
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil,
        voip: Bool? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "Push",
            [
                "payload": .object(payload), "interaction": .text(interaction), "action": .text(action),
                "text": .text(text), "voip": .flag(voip),
            ],
            delivery
        )
    }

    /// Taps a widget.
    public func tapWidget(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "TapWidget",
            ["kind": .string(kind), "family": .text(family), "url": .text(url), "userInfo": .members(userInfo)],
            delivery
        )
    }

    /// Chooses a quick action of the app's icon.
    public func performShortcut(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "PerformShortcut",
            [
                "type": .string(type), "userInfo": .members(userInfo),
                "targetContentIdentifier": .text(targetContentIdentifier),
            ],
            delivery
        )
    }

    /// Has the topmost screen of a window report an intent. The delivery must name the scene.
    public func sendIntent(
        _ name: String,
        parameters: [String: String] = [:],
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        let texts = parameters.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return try await send(
            "SendIntent",
            ["name": .string(name), "parameters": .object(JSONObject(texts))],
            delivery
        )
    }

    /// Does a gesture on a window: `back`, `swipeBack`, `dismiss`, `swipeDown` or `selectTab`. The delivery must name the
    /// scene.
    ///
    /// - Parameters:
    ///   - tab: The tab, for `selectTab`.
    ///   - cancelled: Whether a swipe is begun and let go.
    public func gesture(
        _ gesture: String,
        tab: String? = nil,
        cancelled: Bool? = nil,
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "Gesture",
            [
                "gesture": .string(gesture), "tab": .text(tab), "cancelled": cancelled.map(JSONValue.bool) ?? .null,
            ],
            delivery
        )
    }

    /// Reports how a flow of a window ended: `completed` or `cancelled`. The delivery must name the scene.
    ///
    /// - Parameters:
    ///   - user: Who signed in, if the flow is about that.
    ///   - facts: Facts to commit with the completion.
    public func finishFlow(
        _ flow: String,
        result: String,
        user: String? = nil,
        facts: JSONObject? = nil,
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "FinishFlow",
            ["flow": .string(flow), "result": .string(result), "user": .text(user), "facts": .members(facts)],
            delivery
        )
    }

    /// The current receipt of an event that this user sent.
    public func receipt(of event: String) async throws(SceneClientError) -> ClientReceipt {
        try receipt(await call("io.scened.Events.Get", ["event": .string(event)]))
    }

    // MARK: - Scenes

    /// Opens a window, or brings back that of a disconnected scene.
    ///
    /// - Parameter window: A window to restore, as the daemon showed it in an earlier run.
    public func connect(
        scene: String? = nil,
        configuration: String? = nil,
        restoring window: JSONObject? = nil
    ) async throws(SceneClientError) -> ClientScene {
        let reply = try await call(
            "io.scened.Scenes.Connect",
            ["scene": .text(scene), "configuration": .text(configuration), "window": .members(window)]
        )
        return try self.scene(reply)
    }

    /// Changes how active a scene is: `foregroundActive`, `foregroundInactive`, `background`, one step at a time.
    public func setActivation(_ activation: String, of scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(
            await call("io.scened.Scenes.SetActivation", ["scene": .string(scene), "activation": .string(activation)])
        )
    }

    /// Releases a scene's window; the next event, or connecting it again, brings it back.
    public func disconnect(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Disconnect", ["scene": .string(scene)]))
    }

    /// Ends a scene for good, with all that it had admitted.
    public func discard(scene: String) async throws(SceneClientError) -> ClientScene {
        try self.scene(await call("io.scened.Scenes.Discard", ["scene": .string(scene)]))
    }

    /// One window as it is now.
    public func scene(_ id: String) async throws(SceneClientError) -> ClientScene {
        try scene(await call("io.scened.Scenes.Get", ["scene": .string(id)]))
    }

    /// Every window, in the order opened.
    public func scenes() async throws(SceneClientError) -> [ClientScene] {
        let reply = try await call("io.scened.Scenes.List")
        return try Self.read { () throws(UnexpectedReply) in
            var scenes: [ClientScene] = []
            for reader in try ReplyReader(reply).objects("scenes") { scenes.append(try ClientScene(reader)) }
            return scenes
        }
    }

    // MARK: - Session

    /// The session now.
    public func session() async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.Get"))
    }

    /// Signs a user in and sets facts, in one commit.
    public func signIn(
        user: String,
        facts: JSONObject? = nil,
        expiresInMilliseconds: Int? = nil,
        scene: String? = nil
    ) async throws(SceneClientError) -> ClientSession {
        let lifetime = expiresInMilliseconds.map(JSONValue.integer) ?? .null
        let reply = try await call(
            "io.scened.Session.SignIn",
            [
                "user": .string(user), "facts": .members(facts), "expiresInMilliseconds": lifetime,
                "scene": .text(scene),
            ]
        )
        return try session(reply)
    }

    /// Signs out; without a user this changes nothing.
    public func signOut(scene: String? = nil) async throws(SceneClientError) -> ClientSession {
        try session(await call("io.scened.Session.SignOut", ["scene": .text(scene)]))
    }

    /// Sets and removes facts in one commit.
    public func commit(
        set: JSONObject? = nil,
        remove: [String]? = nil,
        expectedRevision: Int? = nil,
        scene: String? = nil
    ) async throws(SceneClientError) -> ClientSession {
        let reply = try await call(
            "io.scened.Session.Commit",
            [
                "set": .members(set), "remove": remove.map { .array($0.map(JSONValue.string)) } ?? .null,
                "expectedRevision": expectedRevision.map(JSONValue.integer) ?? .null, "scene": .text(scene),
            ]
        )
        return try session(reply)
    }

    // MARK: - Records

    /// Records after an index, and the index to pass next time.
    public func records(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [String]? = nil,
        limit: Int? = nil
    ) async throws(SceneClientError) -> (records: [JSONObject], next: Int) {
        try Self.page(await call("io.scened.Records.Read", Self.query(after, scene, event, kinds, limit)))
    }

    /// Records after an index, then those that come; until the sequence is left, which closes this client.
    public func followRecords(
        after: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        kinds: [String]? = nil
    ) -> some AsyncSequence<[JSONObject], any Error> {
        client.callMore("io.scened.Records.Read", Self.query(after, scene, event, kinds, nil)).map {
            try Self.page($0).records
        }
    }

    private static func query(
        _ after: Int,
        _ scene: String?,
        _ event: String?,
        _ kinds: [String]?,
        _ limit: Int?
    ) -> JSONObject {
        let query: JSONObject = [
            "after": .integer(after), "scene": .text(scene), "event": .text(event),
            "kinds": kinds.map { .array($0.map(JSONValue.string)) } ?? .null,
            "limit": limit.map(JSONValue.integer) ?? .null,
        ]
        // Nothing is said of what is not asked for.
        return JSONObject(query.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
    }

    private static func page(_ reply: JSONObject) throws(SceneClientError) -> (records: [JSONObject], next: Int) {
        try read { () throws(UnexpectedReply) in
            let reader = ReplyReader(reply)
            return (try reader.rawObjects("records"), try reader.integer("next"))
        }
    }

    // MARK: - Control

    /// Moves a virtual clock on.
    /// - Returns: The clock's time afterwards, in milliseconds since the start.
    public func advance(milliseconds: Int) async throws(SceneClientError) -> Int {
        let reply = try await call("io.scened.Control.Advance", ["milliseconds": .integer(milliseconds)])
        return try Self.read { () throws(UnexpectedReply) in try ReplyReader(reply).integer("now") }
    }

    /// Begins anew: no windows, nobody signed in, tickets and IDs as at the start.
    /// - Returns: The new host's ID.
    @discardableResult
    public func reset(seed: Int? = nil) async throws(SceneClientError) -> String {
        let seed = seed.map(JSONValue.integer) ?? .null
        let reply = try await call("io.scened.Control.Reset", ["seed": seed])
        return try Self.read { () throws(UnexpectedReply) in try ReplyReader(reply).string("host") }
    }

    /// Waits until nothing is going on, in one window or in all; what is parked is quiet.
    public func quiesce(scene: String? = nil, timeoutMilliseconds: Int? = nil) async throws(SceneClientError) {
        let timeout = timeoutMilliseconds.map(JSONValue.integer) ?? .null
        _ = try await call("io.scened.Control.Quiesce", ["scene": .text(scene), "timeoutMilliseconds": timeout])
    }

    // MARK: - Calls

    /// Calls any method of the daemon by its full name.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws(SceneClientError) -> JSONObject {
        do {
            return try await client.call(
                method,
                JSONObject(parameters.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
            )
        } catch {
            throw SceneClientError(error, path: "")
        }
    }

    /// Sends an event by its method of `io.scened.Events` and that method's parameters, without those of the delivery.
    public func send(
        _ method: String,
        _ parameters: JSONObject,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        var parameters = parameters
        parameters["scene"] = .text(delivery.scene)
        parameters["event"] = .text(delivery.event)
        parameters["wait"] = .text(delivery.wait?.rawValue)
        return try receipt(await call("io.scened.Events.\(method)", parameters))
    }

    private func receipt(_ reply: JSONObject) throws(SceneClientError) -> ClientReceipt {
        try Self.read { () throws(UnexpectedReply) in
            let reader = ReplyReader(reply)
            var receipt = try ClientReceipt(reader.object("receipt"))
            receipt.warnings =
                try reader.optional("warnings") { reader, key throws(UnexpectedReply) in try reader.strings(key) } ?? []
            return receipt
        }
    }

    private func scene(_ reply: JSONObject) throws(SceneClientError) -> ClientScene {
        try Self.read { () throws(UnexpectedReply) in try ClientScene(ReplyReader(reply).object("scene")) }
    }

    private func session(_ reply: JSONObject) throws(SceneClientError) -> ClientSession {
        try Self.read { () throws(UnexpectedReply) in try ClientSession(ReplyReader(reply).object("session")) }
    }

    private static func read<Value>(
        _ body: () throws(UnexpectedReply) -> Value
    ) throws(SceneClientError) -> Value {
        do throws(UnexpectedReply) {
            return try body()
        } catch {
            throw .unexpected(error)
        }
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    fileprivate static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }

    fileprivate static func members(_ object: JSONObject?) -> JSONValue { object.map(JSONValue.object) ?? .null }
}
