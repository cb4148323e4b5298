public import StrictJSON

/// One line of the history: what it is about, and the details that its kind has; the others are `nil`.
public struct ClientRecord: Hashable, Sendable {
    /// The daemon's words, with members that this client does not know.
    public let reply: JSONObject
    /// The host's ID.
    public let host: String
    /// The record's number in its host's history, from 1 without gaps.
    public let index: Int
    /// What happened.
    public let kind: ClientWord<RecordKind>
    /// Time on the host's clock.
    public let time: Duration
    /// The scene it is about.
    public let scene: String?
    /// The event's place in the order of its scene.
    public let ticket: Int?
    /// 1 for a first attempt, 2 and more for resumes.
    public let attempt: Int?
    /// The event it is about.
    public let event: String?
    /// The connection that the event or the commit came by.
    public let connection: Int?
    /// The session's revision that it was made by.
    public let revision: Int?
    /// The session's epoch then.
    public let epoch: Int?

    /// Reads a record as the daemon or a file tells it.
    package init(_ object: JSONObject) throws(JSONFieldError) { try self.init(JSONReader(object)) }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        host = try reader["host"].text()
        index = try reader["index"].integer()
        kind = ClientWord(try reader["kind"].text())
        time = .nanoseconds(try reader["monotonic"].integer())
        scene = try reader.optional("scene")?.text()
        ticket = try reader.optional("ticket")?.integer()
        attempt = try reader.optional("attempt")?.integer()
        event = try reader.optional("event")?.text()
        connection = try reader.optional("connection")?.integer()
        revision = try reader.optional("revision")?.integer()
        epoch = try reader.optional("epoch")?.integer()
    }
}

extension ClientRecord {
    /// How an attempt ended.
    public var outcome: ClientWord<OutcomeName>? { word("outcome") }
    /// What the engine answered.
    public var verdict: ClientWord<RouteVerdict>? { word("verdict") }
    /// Why a window changed.
    public var cause: ClientWord<NavigationCause>? { word("cause") }
    /// How an event reached the app.
    public var delivery: ClientWord<EventDelivery>? { word("delivery") }
    /// What a turn is for.
    public var item: ClientWord<DispatchKind>? { word("item") }
    /// The activation that a scene left, and that it went to.
    public var activations: (from: ClientWord<Activation>, to: ClientWord<Activation>)? {
        guard let from: ClientWord<Activation> = word("from"), let to: ClientWord<Activation> = word("to") else {
            return nil
        }
        return (from, to)
    }
    /// Why it came so, where the word for it does not say everything.
    public var reason: String? { text("reason") }
    /// The precondition of a gate.
    public var precondition: String? { text("precondition") }
    /// Where the event wants to go.
    public var destination: Destination? { reply["destination"]?.objectValue.flatMap(Destination.init(told:)) }
    /// What was planned, in its order.
    public var ops: [ClientOp]? { reply["ops"]?.arrayValue?.compactMap { $0.objectValue.flatMap(ClientOp.init) } }
    /// What was done to the window.
    public var op: ClientOp? { reply["op"]?.objectValue.flatMap(ClientOp.init) }
    /// The window afterwards.
    public var window: ClientWindow? {
        reply["window"]?.objectValue.flatMap { try? ClientWindow(JSONReader($0)) }
    }
    /// The flow of a gate or a coordinator.
    public var flow: String? { text("flow") }
    /// The flow that a coordinator was started from, or `root`.
    public var parent: String? { text("parent") }
    /// The event that took a parked one's place.
    public var successor: String? { text("by") }
    /// The kind of an event at the door, such as `url` or `gesture`.
    public var eventKind: String? { text("eventKind") }
    /// Which of its kind an event is, or an intent.
    public var name: String? { text("name") }
    /// The connection options of a cold delivery.
    public var options: [String] { texts("options") }
    /// The call's number on its connection.
    public var call: Int? { reply["call"]?.integerValue }
    /// The adapter that took an event, or was passed over.
    public var adapter: String? { text("adapter") }
    /// The route that took a URL.
    public var route: String? { text("route") }
    /// Who was asked to take an intent, from the screen up.
    public var chain: [String] { texts("chain") }
    /// Who took it.
    public var handler: String? { text("handler") }
    /// Why nobody could.
    public var error: String? { text("error") }
    /// Who is signed in after a commit.
    public var user: String? { text("user") }
    /// The scene in which a commit arose.
    public var originScene: String? { reply["origin"]?["scene"]?.stringValue }
    /// What a sweep removed, and what no longer held.
    public var removed: [(destination: Destination, reason: String)] {
        (reply["removed"]?.arrayValue ?? []).compactMap { entry in
            guard let place = entry["destination"]?.objectValue.flatMap(Destination.init(told:)) else { return nil }
            return (place, entry["reason"]?.stringValue ?? "")
        }
    }
    /// The app of a host that started.
    public var app: String? { text("app") }
    /// The version of the manifest in force.
    public var manifestVersion: String? { text("manifestVersion") }
    /// The scene configuration of a window.
    public var configuration: String? { text("configuration") }
    /// Whether a window was there before.
    public var isRestored: Bool { reply["restored"]?.boolValue ?? false }
    /// The rule that was violated.
    public var rule: String? { text("rule") }
    /// What the violation was.
    public var detail: String? { text("detail") }
    /// How many records are missing before this one.
    public var missing: Int? { reply["count"]?.integerValue }

    private func text(_ key: String) -> String? { reply[key]?.stringValue }

    private func texts(_ key: String) -> [String] { (reply[key]?.arrayValue ?? []).compactMap(\.stringValue) }

    private func word<Known>(_ key: String) -> ClientWord<Known>? { text(key).map(ClientWord.init) }
}

/// One thing that was done to a window, or is to be: which, and where or what to.
public struct ClientOp: Hashable, Sendable {
    /// What is done.
    public let name: ClientWord<NavOp.Name>
    /// The tab it is done to.
    public let tab: String?
    /// What is pushed or updated.
    public let destination: Destination?
    /// The flow of what is presented.
    public let flow: String?

    init?(_ object: JSONObject) {
        guard let name = object["name"]?.stringValue else { return nil }
        self.name = ClientWord(name)
        tab = object["tab"]?.stringValue
        destination = object["destination"]?.objectValue.flatMap(Destination.init(told:))
        flow = object["modal"]?["flow"]?.stringValue
    }
}
