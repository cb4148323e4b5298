import StrictJSON

/// What a host that keeps its state has to find again at any moment of its history, by the records so far.
///
/// It follows records as a host that writes its state with them does, and knows nothing of the checker.
struct RestartModel {
    private(set) var history: [JSONObject] = []
    private var start: JSONObject = [:]
    private var session: JSONObject = [:]
    private var facts: JSONObject = [:]
    /// In the order opened.
    private var order: [String] = []
    private(set) var scenes: [String: Scene] = [:]
    private(set) var app = Scene(id: nil)
    /// How many URLs of a set are still to come.
    private var setRest = 0
    /// Where in the history the session changed last.
    private var changedAt = 0
    /// Whether a reload has announced a commit.
    private var isReloading = false
    /// Whether the host is making a snapshot.
    private var isSnapshotting = false
    private(set) var isStopped = false

    /// What a scene is.
    struct Scene {
        let id: String?
        var configuration: JSONValue = nil
        var isConnected = false
        var isDiscarded = false
        /// Where in the history it came to the foreground last, and from where, if nothing has happened in it since.
        var cameForward: (index: Int, from: JSONValue)?
        var lastTicket = 0
        var events: [Int: Event] = [:]
        var window = Window()
        /// The window as it was before what is going on.
        var before: Window?
        /// Where in the history that began, and its ticket and attempt; none for a sweep.
        var item: (start: Int, ticket: Int?, attempt: Int)?
        /// Where in the history its window was shown last, or before what is going on.
        var shownAt: Int { (before ?? window).index }
        /// The kind of the last record of it.
        var lastKind = ""
        /// Whether the window was brought back and the sweep may be still to come.
        var isOpening = false
    }

    /// What a window shows, and why.
    struct Window {
        var shown: JSONValue = nil
        var index = 0
        var isLocked = false
        var activation: JSONValue = "unattached"
        var judgedIn: JSONValue = 0
        var coordinators: [JSONObject] = []
        var gateFlows: Set<String> = []
        var startedFlows: [String: String] = [:]

        func owns(_ flow: JSONValue?) -> Bool {
            shown["shown"]?.arrayValue?.contains { $0["coordinator"] == flow } ?? false
        }

        /// Notes a coordinator that comes or goes.
        mutating func note(_ record: JSONObject) {
            if record["kind"] == "coordinator.attached" {
                var coordinator: JSONObject = ["flow": record["flow"] ?? nil, "parent": record["parent"] ?? nil]
                coordinator["code"] = record["code"]
                coordinators.removeAll { $0["flow"] == record["flow"] }
                return coordinators.append(coordinator)
            }
            coordinators.removeAll { $0["flow"] == record["flow"] }
            for place in coordinators.indices where coordinators[place]["parent"] == record["flow"] {
                coordinators[place]["parent"] = record["parent"]
            }
        }

        func shows(_ flow: String) -> Bool {
            let modals = shown["modals"]?.arrayValue ?? []
            let tabs = shown["tabs"]?.arrayValue ?? []
            return modals.contains { $0["flow"]?.stringValue == flow }
                || tabs.count == 1 && tabs[0]["id"]?.stringValue == "root"
                    && shown["shown"]?.arrayValue?.first?["coordinator"]?.stringValue == flow
        }
    }

    /// An event that has not ended.
    struct Event {
        let admission: JSONObject
        /// How many attempts have begun.
        var attempts = 0
        /// Whether one is going on.
        var isRunning = false
        /// Whether one was when the host ended.
        var isCutOff = false
        /// Whether it may go on, and has not begun.
        var isResumed = false
        /// How its newest attempt has parked it, and how its last one that has ended.
        var parking: JSONObject?
        var settled: JSONObject?
        var variant: JSONValue?
    }

    // MARK: - Records

    mutating func apply(_ record: JSONObject) {
        history.append(record)
        let kind = record["kind"]?.stringValue ?? ""
        let id = record["scene"]?.stringValue
        switch kind {
        case "host.started":
            start = record
            session = record
            facts = record["facts"]?.objectValue ?? [:]
        case "host.stopped": isStopped = true
        case "session.committed", "manifest.loaded": noteSession(record, kind)
        case "host.snapshot": isSnapshotting = true
        case "app.snapshot": isSnapshotting = false
        case "scene.connected":
            let id = id ?? ""
            if scenes[id] == nil || scenes[id]?.isDiscarded == true {
                order.removeAll { $0 == id }
                order.append(id)
                scenes[id] = Scene(id: id)
            }
        default: break
        }
        guard var scene = id.map({ scenes[$0] ?? Scene(id: $0) }) ?? (record["receiver"] == "app" ? app : nil) else {
            return
        }
        note(record, kind, &scene)
        if let id { scenes[id] = scene } else { app = scene }
    }

    private mutating func noteSession(_ record: JSONObject, _ kind: String) {
        changedAt = history.count
        isReloading = kind == "manifest.loaded" && record["revision"] != session["revision"]
        for field in ["holds", "stale", "manifestVersion", "manifest"]
        where kind == "manifest.loaded" || field != "manifest" {
            if record[field] != nil || field == "stale" { session[field] = record[field] }
        }
        guard kind == "session.committed" else { return }
        for field in ["revision", "epoch", "user"] { session[field] = record[field] }
        for (name, value) in record["facts"]?.objectValue ?? [:] {
            facts[name] = value == .null ? JSONValue?.none : value
        }
    }

    private mutating func note(_ record: JSONObject, _ kind: String, _ scene: inout Scene) {
        let ticket = record["ticket"]?.integerValue
        var isForward = kind == "event.admitted"
        scene.lastKind = kind
        defer { if !isForward { scene.cameForward = nil } }
        let isOfItem =
            ticket != nil && scene.item?.ticket == ticket && record["attempt"]?.integerValue == scene.item?.attempt
        switch kind {
        case "event.admitted":
            scene.lastTicket = ticket ?? 0
            scene.events[ticket ?? 0] = Event(admission: record)
            if let set = record["set"], let count = set["count"]?.integerValue, let place = set["place"]?.integerValue {
                setRest = count - place
            }
        case "dispatch.began":
            scene.before = scene.window
            // What comes to the front for its event has begun with that.
            if let from = scene.cameForward?.from { scene.before?.activation = from }
            let start = scene.cameForward?.index ?? history.count - 1
            scene.item = (start, ticket, record["attempt"]?.integerValue ?? 1)
            scene.isOpening = false
            scene.events[ticket ?? 0]?.attempts += 1
            scene.events[ticket ?? 0]?.isRunning = true
            scene.events[ticket ?? 0]?.isCutOff = false
            scene.events[ticket ?? 0]?.isResumed = false
        case "dispatch.resolved":
            scene.events[ticket ?? 0]?.variant = record["variant"]
        case "dispatch.planned": keepFlows(record, &scene)
        case "dispatch.ended":
            if isOfItem { (scene.item, scene.before) = (nil, nil) }
            scene.events[ticket ?? 0]?.isRunning = false
            let parking = scene.events[ticket ?? 0]?.parking
            scene.events[ticket ?? 0]?.settled = parking
            if record["outcome"] != "gated" { scene.end(ticket) }
        case "gate.parked":
            var parking = record
            parking["variant"] = scene.events[ticket ?? 0]?.variant
            parking["user"] = session["user"]
            scene.events[ticket ?? 0]?.parking = parking
        case "gate.resumed": scene.events[ticket ?? 0]?.isResumed = true
        case "gate.superseded", "gate.abandoned": scene.end(ticket)
        case "scene.connected":
            scene.isConnected = true
            scene.configuration = record["configuration"] ?? nil
            scene.window.activation = "unattached"
            scene.isOpening = record["restored"] == true
            scene.show(record)
        case "scene.activation":
            scene.window.activation = record["to"] ?? nil
            if record["to"] == "foregroundInactive", record["from"] != "foregroundActive" {
                scene.cameForward = (history.count - 1, record["from"] ?? nil)
                isForward = true
            }
        case "scene.disconnected":
            scene.isConnected = false
            scene.window.activation = "unattached"
            scene.window.judgedIn = session["epoch"] ?? nil
        case "scene.discarded":
            scene.isDiscarded = true
        case "window.locked": scene.window.isLocked = true
        case "window.unlocked":
            scene.window.isLocked = false
            if record["reason"] == "lifted" { scene.before?.isLocked = false }
        case "coordinator.attached", "coordinator.detached": scene.window.note(record)
        case "navigation.step":
            if scene.item == nil, record["cause"] == "sweep" {
                scene.before = scene.window
                scene.item = (history.count - 1, nil, 0)
            }
            scene.present(record, isPlanned: scene.isPlanned(history))
            scene.show(record)
        case "scene.swept":
            if scene.item?.ticket == nil { (scene.item, scene.before) = (nil, nil) }
            scene.isOpening = false
        default: return
        }
        // A sweep is over when something else begins.
        let isLife = ["scene.connected", "scene.activation", "scene.disconnected", "scene.discarded"].contains(kind)
        if isLife, scene.item?.ticket == nil { (scene.item, scene.before) = (nil, nil) }
    }

    /// A flow to which something leads is not there for a gate alone any more.
    private func keepFlows(_ record: JSONObject, _ scene: inout Scene) {
        guard
            let resolved = history.last(where: { $0["kind"] == "dispatch.resolved" && $0["scene"] == record["scene"] }),
            resolved["verdict"] == "proceed"
        else { return }
        var modals = (scene.window.shown["modals"]?.arrayValue ?? []).map { $0["flow"]?.stringValue }
        for op in record["ops"]?.arrayValue ?? [] {
            switch op["name"]?.stringValue {
            case "dismissModals": modals = Array(modals.prefix(op["keeping"]?.integerValue ?? 0))
            case "present": modals.append(op["modal"]?["flow"]?.stringValue)
            case "setRoot": modals = []
            default: break
            }
        }
        let target = resolved["overCurrent"] == true ? Array(modals.suffix(1)) : modals
        scene.window.gateFlows.subtract(target.compactMap(\.self))
    }

    // MARK: - The restart

    /// Whether a host can end here: what is one step to it is whole.
    var mayEnd: Bool { !history.isEmpty && setRest == 0 && !isReloading && !isStopped }

    /// Whether every window is by the newest session, and as it stays: what screens need, and whose they are, is known.
    func isSteady(before rest: some Collection<JSONObject>) -> Bool {
        there.allSatisfy { scene in
            let next = rest.first { $0["scene"]?.stringValue == scene.id && $0["kind"] != "event.admitted" }
            return scene.shownAt >= changedAt && next?["kind"] != "window.locked" && next?["cause"] != "lock"
        }
    }

    /// Whether several events are parked in one window.
    var isCrowded: Bool { there.contains { $0.parked.count > 1 } }

    private var there: [Scene] { order.compactMap { scenes[$0] }.filter { !$0.isDiscarded } }

    /// The records with which the host goes on if it has ended here.
    ///
    /// - Parameter rest: The records that followed. Those of coordinators come a little later than the window that they are for.
    func restart(before rest: some Collection<JSONObject>) -> [JSONObject] {
        let head: JSONObject = ["host": start["host"] ?? nil, "monotonic": history.last?["monotonic"] ?? nil]
        var host = head
        host["kind"] = "host.restarted"
        for field in ["format", "app", "code"] { host[field] = start[field] }
        for field in ["revision", "epoch", "user", "holds", "stale", "manifestVersion", "manifest"] {
            host[field] = session[field] == .null ? nil : session[field]
        }
        host["appVersion"] = start["settings"]?["appVersion"]
        host["facts"] = .object(facts)
        host["scenes"] = .array(there.map { .string($0.id ?? "") })
        host["again"] = .array(
            ([app] + there).flatMap { scene in
                scene.events.sorted { $0.key < $1.key }.compactMap { ticket, event -> JSONValue? in
                    guard event.isRunning || event.isCutOff else { return nil }
                    var again: JSONObject = ["ticket": .integer(ticket), "attempt": .integer(event.attempts)]
                    again["scene"] = scene.id.map(JSONValue.string)
                    return .object(again)
                }
            }
        )
        var records = [host]
        var own = head
        own["kind"] = "app.snapshot"
        own["receiver"] = "app"
        own["lastTicket"] = .integer(app.lastTicket)
        own["waiting"] = .array(app.waiting)
        records.append(own)
        for scene in there {
            var snapshot = head
            snapshot["kind"] = "scene.snapshot"
            snapshot["scene"] = scene.id.map(JSONValue.string)
            snapshot["revision"] = session["revision"]
            snapshot["epoch"] = session["epoch"]
            scene.write(to: &snapshot, scene.coordinators(before: rest))
            records.append(snapshot)
        }
        return records
    }

    /// What was going on, once more from its beginning; `nil` if the session has changed since, or if it would not do the same.
    func again(before rest: some Collection<JSONObject>) -> [JSONObject]? {
        guard !isSnapshotting, there.allSatisfy({ $0.isWhole(before: rest) }) else { return nil }
        var records: [JSONObject] = []
        for scene in there + [app] {
            if scene.isOpening { return nil }
            for (ticket, event) in scene.parked where event.isResumed || event.isRunning {
                guard let resumed = history.last(where: { $0.isGateResumed(of: ticket, in: scene.id) }),
                    resumed["revision"] == session["revision"], resumed["flow"] == nil
                else { return nil }
                var again = resumed
                if event.isRunning { again["attempt"] = .integer(event.attempts) }
                records.append(again)
            }
        }
        for scene in there + [app] {
            guard let item = scene.item else { continue }
            var start = item.start
            if item.ticket == nil {
                // What its first step shows comes before that.
                while history[start - 1]["kind"] == "coordinator.attached", history[start - 1].isInside(scene.id),
                    scene.before?.owns(history[start - 1]["flow"]) == false
                {
                    start -= 1
                }
            }
            let done = history[start...].filter { $0.isInside(scene.id) }
            let changes = history[item.start...].filter {
                ["session.committed", "manifest.loaded"].contains($0["kind"]?.stringValue)
            }
            guard changes.isEmpty || scene.ownCommit(in: history) != nil else { return nil }
            for record in done {
                let kind = record["kind"]?.stringValue ?? ""
                if record["ticket"]?.integerValue != item.ticket, record["ticket"] != nil { continue }
                let stays = ["event.admitted", "session.committed", "variant.chosen", "window.requested"]
                if stays.contains(kind) { continue }
                var again = record
                // It is decided by the session that it has changed itself.
                for field in ["revision", "epoch"] where again[field] != nil { again[field] = session[field] }
                if item.ticket != nil, again["attempt"] != nil { again["attempt"] = .integer(item.attempt + 1) }
                records.append(again)
            }
        }
        // What ends together with its scene does nothing again.
        if scenes.values.contains(where: { $0.isDiscarded && !$0.events.isEmpty }) { return nil }
        return records
    }

    /// What was going on has committed this, and nobody has since.
    var ownCommit: JSONObject? { (there + [app]).lazy.compactMap { $0.ownCommit(in: history) }.first }

    /// A later record of this history as it is after the restart: of an attempt that was going on, or waited to go on, with its new number.
    func shifted(_ record: JSONObject) -> JSONObject {
        if record["kind"] == "scene.snapshot" { return shifted(snapshot: record) }
        guard let ticket = record["ticket"]?.integerValue, let attempt = record["attempt"]?.integerValue,
            let event = (record["scene"]?.stringValue.map { scenes[$0] } ?? app)?.events[ticket], event.isRunning,
            attempt >= event.attempts, record["event"] == event.admission["event"]
        else { return record }
        var record = record
        record["attempt"] = .integer(attempt + 1)
        return record
    }
}

extension RestartModel {
    /// A later snapshot as it is after the restart.
    private func shifted(snapshot: JSONObject) -> JSONObject {
        var snapshot = snapshot
        let scene = snapshot["scene"]?.stringValue.flatMap { scenes[$0] }
        snapshot["parked"] = .array(
            (snapshot["parked"]?.arrayValue ?? []).map { intent in
                guard var object = intent.objectValue, let attempt = object["attempt"]?.integerValue,
                    let event = object["ticket"]?.integerValue.flatMap({ scene?.events[$0] }), event.isRunning,
                    event.admission["event"] == object["event"]
                else { return intent }
                object["attempt"] = .integer(attempt + 1)
                return .object(object)
            }
        )
        return snapshot
    }
}

extension RestartModel.Event {
    fileprivate var parkedAt: Int { settled?["index"]?.integerValue ?? 0 }
}

extension RestartModel.Scene {
    fileprivate mutating func end(_ ticket: Int?) {
        events[ticket ?? 0] = nil
    }

    fileprivate mutating func show(_ record: JSONObject) {
        window.shown = record["window"] ?? nil
        window.index = record["index"]?.integerValue ?? 0
        window.judgedIn = record["epoch"] ?? nil
        window.gateFlows = window.gateFlows.filter(window.shows)
        window.startedFlows = window.startedFlows.filter { window.shows($0.key) }
    }

    /// Whether the newest round of what is going on has a plan.
    fileprivate func isPlanned(_ history: [JSONObject]) -> Bool {
        guard let item, item.ticket != nil else { return false }
        for record in history[item.start...].reversed()
        where record["ticket"]?.integerValue == item.ticket && record.isInside(id) {
            if record["kind"] == "dispatch.planned" { return true }
            if record["kind"] == "dispatch.resolved" { return false }
        }
        return false
    }

    /// The only commit since what is going on began, if it is its own and nothing has been done since but to say so.
    fileprivate func ownCommit(in history: [JSONObject]) -> JSONObject? {
        guard let item, let ticket = item.ticket else { return nil }
        let since = history[item.start...]
        let changes = since.filter { ["session.committed", "manifest.loaded"].contains($0["kind"]?.stringValue) }
        let before = ["dispatch.began", "intent.bubbled", "session.committed", "scene.activation", "event.admitted"]
        guard changes.count == 1, let commit = changes.first, commit.isInside(id),
            commit["event"] == events[ticket]?.admission["event"],
            since.allSatisfy({ !$0.isInside(id) || before.contains($0["kind"]?.stringValue ?? "") })
        else { return nil }
        return commit
    }

    fileprivate mutating func present(_ record: JSONObject, isPlanned: Bool) {
        guard record["op"]?["name"] == "present", let flow = record["op"]?["modal"]?["flow"]?.stringValue else {
            return
        }
        if record["cause"] == "flow", !isPlanned {
            window.startedFlows[flow] = window.coordinators.last?["parent"]?.stringValue
        } else if record["cause"] == "flow" || record["cause"] == "lock" {
            window.gateFlows.insert(flow)
        }
    }

    /// What waits at a gate when its host goes on, in the order parked.
    fileprivate var parked: [(ticket: Int, event: RestartModel.Event)] {
        events.filter { $0.value.settled != nil }.map { ($0.key, $0.value) }
            .sorted { $0.event.parkedAt < $1.event.parkedAt }
    }

    fileprivate var waiting: [JSONValue] {
        events.sorted { $0.key < $1.key }.filter { $0.value.settled == nil }.map { ticket, event in
            var waiting = described(ticket, event, isParked: false)
            let isAct = event.admission["source"] == "internal"
            if !isAct || event.admission["eventKind"] == "window" {
                waiting["destination"] = event.admission["destination"]
            }
            return .object(waiting)
        }
    }

    private func described(_ ticket: Int, _ event: RestartModel.Event, isParked: Bool) -> JSONObject {
        let admission = event.admission
        var object: JSONObject = ["ticket": .integer(ticket), "event": admission["event"] ?? nil]
        for field in ["connection", "source", "name", "addressee"] { object[field] = admission[field] }
        if admission["source"] == "internal" || admission["name"] != nil {
            object["eventKind"] = admission["eventKind"]
        }
        object["admittedIn"] = admission["epoch"]
        for field in ["silent", "code"] { object[field] = admission[field] }
        if !isParked { object["act"] = admission["act"] }
        return object
    }

    private var parkings: [JSONValue] {
        parked.compactMap { ticket, event in
            guard let parking = event.settled else { return nil }
            var object = described(ticket, event, isParked: true)
            object["attempt"] = .integer(event.attempts)
            for field in ["precondition", "parameters", "destination", "variant", "flow"] {
                object[field] = parking[field]
            }
            object["user"] = parking["user"] == .null ? nil : parking["user"]
            object["parkedIn"] = parking["epoch"]
            return .object(object)
        }
    }

    /// The coordinators of the window with which the scene goes on.
    fileprivate func coordinators(before rest: some Collection<JSONObject>) -> [JSONObject] {
        var window = before ?? window
        guard isConnected else { return [] }
        if before == nil {
            let own = rest.lazy.filter { $0["scene"]?.stringValue == id && $0["kind"] != "event.admitted" }
            for record in own.prefix(while: { $0["kind"]?.stringValue?.hasPrefix("coordinator.") ?? false })
            where window.owns(record["flow"]) == (record["kind"] == "coordinator.attached") {
                window.note(record)
            }
        }
        for coordinator in window.coordinators where !window.owns(coordinator["flow"]) {
            window.note([
                "kind": "coordinator.detached", "flow": coordinator["flow"] ?? nil,
                "parent": coordinator["parent"] ?? nil,
            ])
        }
        return window.coordinators
    }

    /// Whether the records of coordinators are as far as the window.
    fileprivate func isWhole(before rest: some Collection<JSONObject>) -> Bool {
        before != nil || coordinators(before: rest) == window.coordinators
    }

    fileprivate func write(to snapshot: inout JSONObject, _ coordinators: [JSONObject]) {
        let window = before ?? window
        snapshot["configuration"] = configuration
        snapshot["connected"] = .bool(isConnected)
        if window.isLocked { snapshot["locked"] = true }
        snapshot["activation"] = window.activation
        snapshot["window"] = window.shown
        snapshot["judgedIn"] = window.judgedIn
        snapshot["coordinators"] = .array(coordinators.map(JSONValue.object))
        snapshot["lastTicket"] = .integer(lastTicket)
        snapshot["waiting"] = .array(waiting)
        snapshot["parked"] = .array(parkings)
        snapshot["gateFlows"] = .array(window.gateFlows.filter(window.shows).sorted().map(JSONValue.string))
        if !window.startedFlows.isEmpty {
            let flows = window.startedFlows.sorted { $0.key < $1.key }
            snapshot["startedFlows"] = .object(JSONObject(flows.map { ($0.key, .string($0.value)) }))
        }
    }
}

extension JSONObject {
    fileprivate func isInside(_ scene: String?) -> Bool {
        scene.map { self["scene"]?.stringValue == $0 } ?? (self["receiver"] == "app")
    }

    fileprivate func isGateResumed(of ticket: Int, in scene: String?) -> Bool {
        self["kind"] == "gate.resumed" && self["ticket"]?.integerValue == ticket && isInside(scene)
    }
}
