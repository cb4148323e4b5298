public import StrictJSON

/// A record of the history. Details that its kind does not have are `nil`
/// (<doc:/SceneRuntime/Records> lists the kinds with their fields).
public struct ClientRecord: Hashable, Sendable {
    /// The daemon's reply, including members that this client does not know.
    public let reply: JSONObject
    /// The host's ID.
    public let host: String
    /// The record's number in its host's history, from 1 without gaps.
    public let index: Int
    /// What happened.
    public let kind: ClientWord<RecordKind>
    /// The time on the host's monotonic clock.
    public let time: Duration
    /// The scene that the record is about.
    public let scene: String?
    /// The event's place in the order of its scene, from 1.
    public let ticket: Int?
    /// 1 for a first attempt, 2 and more for resumes.
    public let attempt: Int?
    /// The ID of the event that the record is about.
    public let event: String?
    /// Where it happened, for a person: the scene's ID, or `the app` for an event that the app itself got; `nil` for what is about
    /// the host.
    public var place: String? { scene ?? (reply["receiver"] == nil ? nil : "the app") }
    /// The number of the connection that sent the event or the commit.
    public let connection: Int?
    /// The session's revision when the record was made.
    public let revision: Int?
    /// The session's epoch at that revision.
    public let epoch: Int?

    /// Reads a record from the daemon or from a file.
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
    /// The routing engine's verdict.
    public var verdict: ClientWord<RouteVerdict>? { word("verdict") }
    /// Why a window changed.
    public var cause: ClientWord<NavigationCause>? { word("cause") }
    /// How an event reached the app.
    public var delivery: ClientWord<EventDelivery>? { word("delivery") }
    /// Why the scene takes an event.
    public var choice: ClientWord<SceneChoice>? { word("choice") }
    /// What is dispatched: a first attempt or a resume.
    public var item: ClientWord<DispatchKind>? { word("item") }
    /// The activation states before and after a change.
    public var activations: (from: ClientWord<Activation>, to: ClientWord<Activation>)? {
        guard let from: ClientWord<Activation> = word("from"), let to: ClientWord<Activation> = word("to") else {
            return nil
        }
        return (from, to)
    }
    /// The reason for an outcome or a verdict, if it has one.
    public var reason: String? { text("reason") }
    /// The precondition of a gate.
    public var precondition: String? { text("precondition") }
    /// What is waited for at a gate, with the values that it is waited for, as text: `signedIn`, `checkedIn(trip: t7)`.
    public var need: String? {
        guard let precondition else { return nil }
        let parameters = (reply["parameters"]?.objectValue ?? [:]).compactMap { member in
            member.value.stringValue.map { (member.key, $0) }
        }
        return Destination(id: precondition, parameters: Dictionary(parameters) { first, _ in first }).description
    }
    /// Where the event leads.
    public var destination: Destination? { reply["destination"]?.objectValue.flatMap(Destination.init(reading:)) }
    /// What is shown for a destination that has variants.
    public var variant: Destination? { reply["variant"]?.objectValue.flatMap(Destination.init(reading:)) }
    /// The planned ops, in order.
    public var ops: [ClientOp]? { reply["ops"]?.arrayValue?.compactMap { $0.objectValue.flatMap(ClientOp.init) } }
    /// The op that was applied to the window.
    public var op: ClientOp? { reply["op"]?.objectValue.flatMap(ClientOp.init) }
    /// The window after that op.
    public var window: ClientWindow? {
        reply["window"]?.objectValue.flatMap { try? ClientWindow(JSONReader($0)) }
    }
    /// The events that begin another attempt when a host goes on after its end, because one was going on: each with the scene that
    /// dispatches it, `nil` for the app itself, its ticket there, and the number of the attempt that had begun.
    public var again: [(scene: String?, ticket: Int, attempt: Int)] {
        (reply["again"]?.arrayValue ?? []).compactMap { event in
            guard let ticket = event["ticket"]?.integerValue, let attempt = event["attempt"]?.integerValue else {
                return nil
            }
            return (event["scene"]?.stringValue, ticket, attempt)
        }
    }
    /// The hold that has stopped something, or lets it go on.
    public var hold: String? { text("hold") }
    /// The point at which a hold has stopped something.
    public var point: ClientWord<HoldPoint>? { word("point") }
    /// The flow of a gate or a coordinator.
    public var flow: String? { text("flow") }
    /// The flow that a coordinator was started from, or `root`.
    public var parent: String? { text("parent") }
    /// The event that superseded a parked one.
    public var successor: String? { text("by") }
    /// The kind of an admitted event, such as `url` or `gesture`.
    public var eventKind: String? { text("eventKind") }
    /// Whether an admitted event came from outside the app.
    public var isExternal: Bool { text("source") == "external" }
    /// Whether an admitted event is nobody's doing, and so brings no window to the front.
    public var isSilent: Bool { reply["silent"] == true }
    /// The name of a gesture or an intent.
    public var name: String? { text("name") }
    /// The connection options of a cold delivery.
    public var options: [String] { texts("options") }
    /// The scene from which an activity was dragged to where a new window opened for it.
    public var draggedFrom: String? { text("draggedFrom") }
    /// The place of an event in the set of URLs with which it was delivered: in the order in which they came, of how many, and
    /// among them as given, each from 1; `nil` if it came alone.
    public var setPlace: (place: Int, count: Int, given: Int)? {
        guard let set = reply["set"], let place = set["place"]?.integerValue, let count = set["count"]?.integerValue,
            let given = set["given"]?.integerValue
        else { return nil }
        return (place, count, given)
    }
    /// The number of the call on its connection.
    public var call: Int? { reply["call"]?.integerValue }
    /// The adapter that took an event, or was skipped.
    public var adapter: String? { text("adapter") }
    /// The route that took a URL.
    public var route: String? { text("route") }
    /// Who was offered an intent: screens, containers and coordinators, from the screen upwards.
    public var chain: [String] { texts("chain") }
    /// The coordinator that handled an intent.
    public var handler: String? { text("handler") }
    /// What an intent was answered, by name; `nil` for no answer.
    public var answer: JSONObject? { reply["answer"]?.objectValue }
    /// Why an intent could not be handled, or there is no window that the app asked for.
    public var error: String? { text("error") }
    /// What the app asked of its windows.
    public var request: ClientWord<WindowWish>? { word("request") }
    /// The scene of a new window that the app asked for.
    public var opened: String? { text("opened") }
    /// The scene of another window that the app closes, or of one that it refreshes by what it is for.
    public var target: String? { text("target") }
    /// The user who is signed in after a commit, or at a snapshot.
    public var user: String? { text("user") }
    /// Whether the sign-in is stale after a commit.
    public var isStale: Bool { reply["stale"] != nil }
    /// The scene in which a commit originated.
    public var originScene: String? { reply["origin"]?["scene"]?.stringValue }
    /// The destinations that a sweep removed, each with the reason.
    public var removed: [(destination: Destination, reason: String)] {
        (reply["removed"]?.arrayValue ?? []).compactMap { entry in
            guard let place = entry["destination"]?.objectValue.flatMap(Destination.init(reading:)) else { return nil }
            return (place, entry["reason"]?.stringValue ?? "")
        }
    }
    /// The app of a host that started.
    public var app: String? { text("app") }
    /// The version of the manifest in force.
    public var manifestVersion: String? { text("manifestVersion") }
    /// The digest of the manifest in force, of a host that started and of a reload.
    public var manifest: String? { text("manifest") }
    /// The scene configuration of a window.
    public var configuration: String? { text("configuration") }
    /// The ticket that a snapshot's scene gave last.
    public var lastTicket: Int? { reply["lastTicket"]?.integerValue }
    /// Whether a connected window was restored.
    public var isRestored: Bool { reply["restored"]?.boolValue ?? false }
    /// The rule that was violated.
    public var rule: String? { text("rule") }
    /// A description of the violation; of a resolution, what the time would have to be, if that is why it was gated or refused.
    public var detail: String? { text("detail") }
    /// How many records are missing at a gap.
    public var missing: Int? { reply["count"]?.integerValue }

    private func text(_ key: String) -> String? { reply[key]?.stringValue }

    private func texts(_ key: String) -> [String] { (reply[key]?.arrayValue ?? []).compactMap(\.stringValue) }

    private func word<Known>(_ key: String) -> ClientWord<Known>? { text(key).map(ClientWord.init) }
}

/// A planned or applied change of a window.
public struct ClientOp: Hashable, Sendable {
    /// The kind of change, such as `push`.
    public let name: ClientWord<NavOp.Name>
    /// The tab that changes.
    public let tab: String?
    /// The destination that is pushed or updated.
    public let destination: Destination?
    /// The flow that is presented.
    public let flow: String?

    init?(_ object: JSONObject) {
        guard let name = object["name"]?.stringValue else { return nil }
        self.name = ClientWord(name)
        tab = object["tab"]?.stringValue
        destination = object["destination"]?.objectValue.flatMap(Destination.init(reading:))
        flow = object["modal"]?["flow"]?.stringValue
    }
}
