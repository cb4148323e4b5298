import SceneHistory
import StrictJSON

/// A history written by hand, record by record.
struct HandMade {
    private(set) var records: [JSONObject] = []
    var revision = 0
    var epoch = 0
    private var lastTicket: [String: Int] = [:]
    /// The parent of each coordinator.
    private var parents: [String: String] = [:]
    /// The connection of each ticket.
    private var connections: [Int: Int] = [:]
    /// The epoch since which each scene shows what at which place.
    private var since: [String: [String: Int]] = [:]
    /// The last ticket of `s1`.
    var tickets: Int { lastTicket["s1", default: 0] }

    /// Begins with a host and a quiet scene `s1` that shows its tabs' roots.
    init(format: Int = 1) {
        add(
            "host.started",
            snapshot: true,
            [
                "format": .integer(format), "app": "Shop", "manifestVersion": "1", "manifest": "1", "settings": [:],
                "facts": [:], "holds": ["signedIn": false, "paymentMethod": false],
            ]
        )
        connect("s1")
    }

    mutating func add(_ kind: String, scene: String? = nil, snapshot: Bool = false, _ fields: JSONObject = [:]) {
        let index = records.count + 1
        var record: JSONObject = [
            "host": "h", "index": .integer(index), "kind": .string(kind), "monotonic": .integer(index),
        ]
        record["scene"] = scene.map(JSONValue.string)
        if snapshot {
            record["revision"] = .integer(revision)
            record["epoch"] = .integer(epoch)
        }
        for (key, value) in fields { record[key] = value }
        if let window = record["window"]?.objectValue { record["window"] = .object(dated(window, scene ?? "")) }
        records.append(record)
    }

    /// The window, its destinations with the epoch since which they are shown, unless they say another.
    private mutating func dated(_ window: JSONObject, _ scene: String) -> JSONObject {
        var window = window
        let stacks =
            (window["tabs"]?.arrayValue ?? []).map { ("tab \($0["id"]?.stringValue ?? "")", $0) }
            + (window["modals"]?.arrayValue ?? []).enumerated().map { ("modal \($0)", $1) }
        var places: [String] = []
        for (name, container) in stacks {
            for (depth, screen) in (container["stack"]?.arrayValue ?? []).enumerated() {
                places.append("\(name) \(depth) \(screen["id"]?.stringValue ?? "")")
            }
        }
        let before = since[scene, default: [:]]
        var now: [String: Int] = [:]
        window["shown"] = .array(
            zip(places, window["shown"]?.arrayValue ?? []).map { place, shown in
                var shown = shown.objectValue ?? [:]
                let since = shown["since"]?.integerValue ?? before[place] ?? epoch
                now[place] = since
                shown["since"] = .integer(since)
                return .object(shown)
            }
        )
        since[scene] = now
        return window
    }

    mutating func connect(_ scene: String, restored: Bool = false, given: Bool = false) {
        if !restored { since[scene] = nil }
        var fields: JSONObject = [
            "configuration": "default", "restored": .bool(restored), "window": Self.window(),
        ]
        if given { fields["given"] = true }
        add("scene.connected", scene: scene, snapshot: true, fields)
        attach("home", scene)
        attach("account", scene)
        activate(scene, "unattached", "foregroundInactive")
        activate(scene, "foregroundInactive", "foregroundActive")
    }

    mutating func activate(_ scene: String, _ from: String, _ to: String) {
        add("scene.activation", scene: scene, ["from": .string(from), "to": .string(to)])
    }

    mutating func attach(_ flow: String, _ scene: String = "s1", parent: String = "root") {
        parents[flow] = parent
        add("coordinator.attached", scene: scene, ["flow": .string(flow), "parent": .string(parent)])
    }

    mutating func detach(_ flow: String, _ scene: String = "s1") {
        add("coordinator.detached", scene: scene, ["flow": .string(flow), "parent": .string(parents[flow] ?? "root")])
    }

    /// - Parameters:
    ///   - stale: What is closed because the sign-in is stale; `nil` if it is not.
    ///   - facts: Those that it changes.
    mutating func commit(user: String?, leaves: Bool = false, stale: [String]? = nil, facts: JSONObject = [:]) {
        revision += 1
        if leaves { epoch += 1 }
        let isSignedIn = user != nil && stale?.contains("signedIn") != true
        var fields: JSONObject = [
            "user": user.map(JSONValue.string) ?? .null, "origin": [:], "facts": .object(facts),
            "holds": ["signedIn": .bool(isSignedIn), "paymentMethod": false],
        ]
        fields["stale"] = stale.map { .array($0.map(JSONValue.string)) }
        add("session.committed", snapshot: true, fields)
    }

    /// An attempt at a ticket commits.
    mutating func commit(by ticket: Int, user: String?, facts: JSONObject = [:]) {
        commit(user: user, facts: facts)
        var record = records.removeLast()
        record["scene"] = "s1"
        record["event"] = .string("e\(ticket)")
        record["connection"] = connections[ticket].map(JSONValue.integer)
        var origin: JSONObject = ["scene": "s1", "event": .string("e\(ticket)")]
        origin["connection"] = record["connection"]
        record["origin"] = .object(origin)
        records.append(record)
    }

    /// The host goes on after its end, with `s1` as its only scene.
    ///
    /// - Parameters:
    ///   - again: The tickets of what was going on, each with its attempt.
    ///   - waiting: The tickets of what waits.
    ///   - parked: The tickets of what waits for `signedIn`, each with its last attempt.
    ///   - flow: The flow that is shown for that, if it is.
    mutating func goOn(
        again: [(ticket: Int, attempt: Int)] = [],
        waiting: [Int] = [],
        parked: [(ticket: Int, attempt: Int)] = [],
        flow: String? = nil,
        window: JSONValue = Self.window()
    ) {
        func event(_ ticket: Int) -> JSONObject {
            let admission = records.last { $0["kind"] == "event.admitted" && $0["ticket"] == .integer(ticket) } ?? [:]
            var event: JSONObject = ["admittedIn": admission["epoch"] ?? nil]
            for field in ["ticket", "event", "connection", "source", "name", "destination"] {
                event[field] = admission[field]
            }
            event["eventKind"] = admission["source"] == "internal" ? admission["eventKind"] : nil
            return event
        }
        let last = records.last { $0["kind"] == "session.committed" } ?? records[0]
        var facts: JSONObject = [:]
        for record in records where record["kind"] == "session.committed" {
            for (name, value) in record["facts"]?.objectValue ?? [:] { facts[name] = value }
        }
        var host: JSONObject = [
            "app": "Shop", "manifestVersion": "1", "manifest": "1", "facts": .object(facts),
            "holds": last["holds"] ?? nil,
            "scenes": ["s1"], "format": records[0]["format"] ?? nil,
            "again": .array(
                again.map { ["scene": "s1", "ticket": .integer($0.ticket), "attempt": .integer($0.attempt)] }
            ),
        ]
        if case .string(let user)? = last["user"] { host["user"] = .string(user) }
        add("host.restarted", snapshot: true, host)
        add("app.snapshot", ["receiver": "app", "lastTicket": 0, "waiting": []])
        add(
            "scene.snapshot",
            scene: "s1",
            snapshot: true,
            [
                "configuration": "default", "connected": true, "activation": "foregroundActive", "window": window,
                "judgedIn": .integer(epoch), "lastTicket": .integer(tickets),
                "gateFlows": .array(flow.map { [.string($0)] } ?? []),
                "coordinators": .array(
                    [["flow": "home", "parent": "root"], ["flow": "account", "parent": "root"]]
                        + (flow.map { [["flow": .string($0), "parent": "home"]] } ?? [])
                ),
                "waiting": .array(waiting.map { .object(event($0)) }),
                "parked": .array(
                    parked.map { ticket, attempt in
                        var event = event(ticket)
                        event["attempt"] = .integer(attempt)
                        event["precondition"] = "signedIn"
                        event["flow"] = "auth"
                        event["parkedIn"] = .integer(epoch)
                        return .object(event)
                    }
                ),
            ]
        )
    }

    mutating func reload() {
        add(
            "manifest.loaded",
            snapshot: true,
            ["manifestVersion": "2", "manifest": "2", "holds": ["signedIn": false, "paymentMethod": false]]
        )
    }

    // MARK: - Events

    /// Admits the scene's next event, `e1` for ticket 1.
    @discardableResult
    mutating func admit(
        _ scene: String = "s1",
        ticket: Int? = nil,
        source: String = "external",
        connection: Int = 1,
        call: Int? = nil,
        kind: String = "gesture",
        to destination: String? = "cart",
        set: (place: Int, count: Int, given: Int)? = nil
    ) -> Int {
        let ticket = ticket ?? lastTicket[scene, default: 0] + 1
        lastTicket[scene] = ticket
        var fields = Self.subject(ticket, nil)
        connections[ticket] = connection
        fields["connection"] = .integer(connection)
        fields["eventKind"] = .string(source == "external" ? "url" : kind)
        fields["source"] = .string(source)
        fields["name"] = source == "external" ? nil : "swipe"
        fields["destination"] = source == "external" ? destination.map(Self.destination) : nil
        fields["call"] = .integer(call ?? records.count)
        fields["set"] = set.map {
            ["place": .integer($0.place), "count": .integer($0.count), "given": .integer($0.given)]
        }
        add("event.admitted", scene: scene, snapshot: true, fields)
        return ticket
    }

    /// A record about an attempt at a ticket.
    mutating func about(
        _ ticket: Int,
        _ kind: String,
        attempt: Int = 1,
        scene: String = "s1",
        snapshot: Bool = true,
        _ fields: JSONObject = [:]
    ) {
        var all = Self.subject(ticket, attempt)
        all["connection"] = connections[ticket].map(JSONValue.integer)
        for (key, value) in fields { all[key] = value }
        add(kind, scene: scene, snapshot: snapshot, all)
    }

    mutating func begin(_ ticket: Int, attempt: Int = 1, scene: String = "s1") {
        let item: JSONValue = attempt == 1 ? "dispatch" : "resume"
        about(ticket, "dispatch.began", attempt: attempt, scene: scene, snapshot: false, ["item": item])
    }

    mutating func resolve(_ ticket: Int, attempt: Int = 1, _ verdict: String = "proceed") {
        var fields: JSONObject = ["destination": Self.destination("cart"), "verdict": .string(verdict)]
        fields["reason"] = verdict == "proceed" ? nil : "signedIn"
        about(ticket, "dispatch.resolved", attempt: attempt, fields)
    }

    mutating func plan(_ ticket: Int, attempt: Int = 1, _ ops: [JSONValue] = []) {
        about(ticket, "dispatch.planned", attempt: attempt, ["ops": .array(ops)])
    }

    mutating func end(
        _ ticket: Int,
        attempt: Int = 1,
        scene: String = "s1",
        _ outcome: String = "applied",
        because reason: String = "flowCancelled"
    ) {
        var fields: JSONObject = ["outcome": .string(outcome)]
        fields["precondition"] = outcome == "gated" ? "signedIn" : nil
        fields["reason"] = ["rejected", "abandoned"].contains(outcome) ? .string(reason) : nil
        about(ticket, "dispatch.ended", attempt: attempt, scene: scene, fields)
    }

    mutating func step(
        _ ticket: Int?,
        attempt: Int = 1,
        _ op: JSONValue,
        cause: String = "dispatch",
        _ window: JSONValue
    ) {
        let fields: JSONObject = ["op": op, "cause": .string(cause), "window": window]
        guard let ticket else { return add("navigation.step", scene: "s1", snapshot: true, fields) }
        about(ticket, "navigation.step", attempt: attempt, fields)
    }

    /// An event from admission to its end, with one op.
    mutating func apply(_ op: JSONValue, _ window: JSONValue) {
        let ticket = admit()
        begin(ticket)
        resolve(ticket)
        plan(ticket, [op])
        step(ticket, op, window)
        end(ticket)
    }

    /// An event that is stopped by `signedIn` and shows the sheet for it.
    @discardableResult
    mutating func park(showing: Bool = true) -> Int {
        let ticket = admit()
        begin(ticket)
        resolve(ticket, "gated")
        plan(ticket, showing ? [Self.presentAuth] : [])
        if showing {
            attach("auth", parent: "home")
            step(ticket, Self.presentAuth, cause: "flow", Self.window(modals: ["auth"]))
        }
        gate(ticket, "gate.parked", ["flow": "auth"])
        end(ticket, "gated")
        return ticket
    }

    mutating func gate(_ ticket: Int, attempt: Int = 1, _ kind: String, _ fields: JSONObject = [:]) {
        var all: JSONObject = ["precondition": "signedIn", "destination": Self.destination("cart")]
        for (key, value) in fields { all[key] = value }
        about(ticket, kind, attempt: attempt, all)
    }

    /// A sweep of `s1` has taken away a screen.
    mutating func swept(_ ids: String..., because reason: String = "flowEnded") {
        let removed = ids.map { id -> JSONValue in ["destination": Self.destination(id), "reason": .string(reason)] }
        add("scene.swept", scene: "s1", snapshot: true, ["removed": .array(removed)])
    }

    /// A sweep dismisses the sheet.
    mutating func sweepAuth() {
        step(nil, ["name": "dismissModals", "keeping": 0], cause: "sweep", Self.window())
        detach("auth")
        swept("login")
    }

    /// A gesture takes the sheet of `signedIn` away.
    mutating func swipeAuth() {
        let swipe = admit(source: "internal", kind: "gesture")
        begin(swipe)
        step(swipe, ["name": "dismissModals", "keeping": 0], cause: "gesture", Self.window())
        detach("auth")
        end(swipe)
    }

    /// A sweep of `s1` pops what is on its home tab and says that it was this screen.
    mutating func sweepHome(_ id: String, because reason: String = "flowEnded") {
        step(nil, ["name": "popTo", "tab": "home", "depth": 1], cause: "sweep", Self.window())
        swept(id, because: reason)
    }

    /// The scene's window is released, with the coordinators of its tabs.
    /// - Parameter kind: The record that says why.
    mutating func release(_ scene: String, _ kind: String = "scene.disconnected") {
        add(kind, scene: scene)
        for flow in ["home", "account"] { detach(flow, scene) }
    }

    /// An intent at its turn.
    mutating func beginIntent() {
        admit(source: "internal", kind: "intent")
        begin(1)
    }

    /// The intent is handed up.
    mutating func bubble(to handler: String? = "root") {
        var fields: JSONObject = ["name": "swipe", "chain": ["screen home", "home", "root"]]
        fields["handler"] = handler.map(JSONValue.string)
        about(1, "intent.bubbled", fields)
    }

    // MARK: - Parts

    static let presentAuth: JSONValue = ["name": "present", "modal": modal("auth")]

    static func subject(_ ticket: Int, _ attempt: Int?) -> JSONObject {
        var subject: JSONObject = ["ticket": .integer(ticket), "event": .string("e\(ticket)")]
        subject["attempt"] = attempt.map(JSONValue.integer)
        return subject
    }

    static func destination(_ id: String) -> JSONValue { ["id": .string(id), "parameters": [:]] }

    static func push(_ id: String) -> JSONValue {
        ["name": "push", "tab": "home", "destination": destination(id)]
    }

    static func modal(_ flow: String) -> JSONValue {
        ["flow": .string(flow), "style": "sheet", "stack": [destination(flow == "auth" ? "login" : flow)]]
    }

    /// A window with this stack on the home tab; `cart` needs a user, `product` may repeat.
    /// - Parameter since: The epochs since which something is said to be shown, if they are not as they should be.
    static func window(
        home: [String] = ["home"],
        modals: [String] = [],
        selected: String = "home",
        since: [String: Int] = [:]
    ) -> JSONValue {
        func shown(_ id: String, _ coordinator: String) -> JSONValue {
            var entry: JSONObject = ["id": .string(id), "parameters": [:]]
            entry["needs"] = id == "cart" ? ["signedIn"] : []
            entry["coordinator"] = .string(coordinator)
            if id == "cart" { entry["personal"] = true }
            entry["since"] = since[id].map(JSONValue.integer)
            if id == "product" { entry["repeats"] = true }
            return .object(entry)
        }
        return [
            "tabs": [
                ["id": "home", "stack": .array(home.map(destination))],
                ["id": "account", "stack": [destination("account")]],
            ],
            "selectedTab": .string(selected), "modals": .array(modals.map(modal)),
            "shown": .array(
                home.map { shown($0, "home") } + [shown("account", "account")]
                    + modals.map { shown($0 == "auth" ? "login" : $0, $0) }
            ),
        ]
    }
}
