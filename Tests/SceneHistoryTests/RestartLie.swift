import Basics
import StrictJSON

/// A way in which a host goes on as it must not.
struct RestartLie: Sendable, CustomStringConvertible {
    let description: String
    /// What it makes of the records with which the host goes on; `nil` if there is nothing to lie about.
    let tell: @Sendable ([JSONObject], RestartModel, inout SplitMix) -> [JSONObject]?

    private init(
        _ description: String,
        _ tell: @escaping @Sendable ([JSONObject], RestartModel, inout SplitMix) -> [JSONObject]?
    ) {
        self.description = description
        self.tell = tell
    }

    /// Changes the snapshot of a scene.
    private static func scene(
        _ description: String,
        _ change: @escaping @Sendable (inout JSONObject, RestartModel.Scene) -> Bool
    ) -> RestartLie {
        RestartLie(description) { records, model, random in
            for place in records.indices.shuffled(using: &random) {
                var records = records
                guard let id = records[place]["scene"]?.stringValue, let scene = model.scenes[id],
                    change(&records[place], scene)
                else { continue }
                return records
            }
            return nil
        }
    }

    /// Changes an array of the snapshot of a scene.
    private static func array(
        _ description: String,
        _ field: String,
        _ change: @escaping @Sendable (inout [JSONValue]) -> Bool
    ) -> RestartLie {
        scene(description) { snapshot, _ in
            var array = snapshot[field]?.arrayValue ?? []
            guard change(&array) else { return false }
            snapshot[field] = .array(array)
            return true
        }
    }

    /// Changes the record with which the host goes on.
    private static func host(
        _ description: String,
        _ change: @escaping @Sendable (inout JSONObject, inout SplitMix) -> Bool
    ) -> RestartLie {
        RestartLie(description) { records, _, random in
            var records = records
            return change(&records[0], &random) ? records : nil
        }
    }

    /// Changes a number by one.
    private static func shift(_ object: inout JSONObject, _ field: String, by change: Int) -> Bool {
        guard let number = object[field]?.integerValue, number + change >= 0 else { return false }
        object[field] = .integer(number + change)
        return true
    }

    static let all: [RestartLie] = session + scenes + events

    private static let session: [RestartLie] = [
        host("an older revision") { host, _ in shift(&host, "revision", by: -1) },
        host("a revision that there was not") { host, _ in shift(&host, "revision", by: 1) },
        host("an older epoch") { host, _ in shift(&host, "epoch", by: -1) },
        host("a new epoch") { host, _ in shift(&host, "epoch", by: 1) },
        host("another user") { host, _ in
            host["user"] = host["user"] == nil ? "mina" : nil
            return true
        },
        host("a fact that is lost") { host, random in
            var facts = host["facts"]?.objectValue ?? [:]
            guard let name = facts.keys.randomElement(using: &random) else { return false }
            facts[name] = Optional.none
            host["facts"] = .object(facts)
            return true
        },
        host("a fact as it was not") { host, random in
            var facts = host["facts"]?.objectValue ?? [:]
            guard let name = facts.keys.randomElement(using: &random) else { return false }
            facts[name] = facts[name] == "as it was not" ? "at all" : "as it was not"
            host["facts"] = .object(facts)
            return true
        },
        host("a precondition that holds otherwise") { host, random in
            var holds = host["holds"]?.objectValue ?? [:]
            guard let name = holds.keys.randomElement(using: &random) else { return false }
            holds[name] = .bool(holds[name] == false)
            host["holds"] = .object(holds)
            return true
        },
        host("a sign-in that is fresh again") { host, _ in
            guard host["stale"] != nil else { return false }
            host["stale"] = Optional.none
            return true
        },
        host("an older format") { host, _ in shift(&host, "format", by: -1) },
        host("time that goes back") { host, _ in
            host["monotonic"] = -1
            return true
        },
    ]

    private static let scenes: [RestartLie] = [
        RestartLie("a scene that is lost") { records, _, random in
            guard
                let place = records.indices.filter({ records[$0]["kind"] == "scene.snapshot" }).randomElement(
                    using: &random
                )
            else { return nil }
            var records = records
            let scene = records.remove(at: place)["scene"]
            records[0]["scenes"] = .array((records[0]["scenes"]?.arrayValue ?? []).filter { $0 != scene })
            return records
        },
        RestartLie("a scene that was discarded") { records, model, _ in
            guard let gone = model.scenes.values.first(where: \.isDiscarded)?.id,
                var other = records.last(where: { $0["kind"] == "scene.snapshot" })
            else { return nil }
            var records = records
            records[0]["scenes"] = .array((records[0]["scenes"]?.arrayValue ?? []) + [.string(gone)])
            other["scene"] = .string(gone)
            return records + [other]
        },
        RestartLie("a scene that was never there") { records, _, _ in
            guard var other = records.last(where: { $0["kind"] == "scene.snapshot" }) else { return nil }
            var records = records
            records[0]["scenes"] = .array((records[0]["scenes"]?.arrayValue ?? []) + ["never"])
            other["scene"] = "never"
            return records + [other]
        },
        RestartLie("a scene without a snapshot") { records, _, _ in
            records.last?["kind"] == "scene.snapshot" ? Array(records.dropLast()) : nil
        },
        RestartLie("no snapshot of the app itself") { records, _, _ in
            records.filter { $0["kind"] != "app.snapshot" }
        },
        RestartLie("a scene that goes on before its snapshot") { records, _, _ in
            guard let snapshot = records.last, snapshot["kind"] == "scene.snapshot" else { return nil }
            var early: JSONObject = ["from": "foregroundInactive", "to": "background"]
            for field in ["host", "monotonic", "scene"] { early[field] = snapshot[field] }
            early["kind"] = "scene.activation"
            return records.dropLast() + [early, snapshot]
        },
        scene("a window that was never shown") { snapshot, _ in
            guard var window = snapshot["window"]?.objectValue, var tabs = window["tabs"]?.arrayValue,
                var tab = tabs.first?.objectValue, var stack = tab["stack"]?.arrayValue,
                var shown = window["shown"]?.arrayValue, var screen = shown.first?.objectValue
            else { return false }
            stack.append(["id": "never", "parameters": [:]])
            tab["stack"] = .array(stack)
            tabs[0] = .object(tab)
            screen["id"] = "never"
            shown.insert(.object(screen), at: stack.count - 1)
            window["tabs"] = .array(tabs)
            window["shown"] = .array(shown)
            snapshot["window"] = .object(window)
            return true
        },
        scene("a window in the middle of what was going on") { snapshot, scene in
            guard let before = scene.before,
                before.shown["tabs"] != scene.window.shown["tabs"]
                    || before.shown["modals"] != scene.window.shown["modals"]
            else { return false }
            snapshot["window"] = scene.window.shown
            snapshot["coordinators"] = .array(scene.window.coordinators.map(JSONValue.object))
            return true
        },
        scene("a window that is shown since another epoch") { snapshot, _ in
            guard var window = snapshot["window"]?.objectValue, var shown = window["shown"]?.arrayValue,
                var screen = shown.last?.objectValue, shift(&screen, "since", by: 1)
            else { return false }
            shown[shown.count - 1] = .object(screen)
            window["shown"] = .array(shown)
            snapshot["window"] = .object(window)
            return true
        },
        scene("a window that is connected, or not") { snapshot, _ in
            snapshot["connected"] = .bool(snapshot["connected"] == false)
            return true
        },
        scene("a window in another state") { snapshot, scene in
            let state: JSONValue = snapshot["activation"] == "background" ? "unattached" : "background"
            guard scene.item == nil else { return false }
            snapshot["activation"] = state
            return true
        },
        scene("a lock that is lifted, or closed") { snapshot, scene in
            // What lifts it may be going on.
            if scene.lastKind == "window.unlocked" { return false }
            snapshot["locked"] = snapshot["locked"] == nil ? true : Optional.none
            return true
        },
        scene("another configuration") { snapshot, _ in
            snapshot["configuration"] = "another"
            return true
        },
        scene("an epoch that is still to come") { snapshot, _ in shift(&snapshot, "judgedIn", by: 100) },
        scene("an older revision of a scene") { snapshot, _ in shift(&snapshot, "revision", by: -1) },
        array("a flow that is a gate's no more", "gateFlows") { $0.popLast() != nil },
        array("a coordinator that is missing", "coordinators") { $0.popLast() != nil },
        array("a coordinator of nothing", "coordinators") { coordinators in
            coordinators.append(["flow": "nothing", "parent": "root"])
            return true
        },
    ]

    private static let events: [RestartLie] = [
        array("an event that waited is lost", "waiting") { $0.popLast() != nil },
        array("an event that was parked is lost", "parked") { $0.popLast() != nil },
        array("an event waits twice", "waiting") { waiting in
            guard let last = waiting.last else { return false }
            waiting.append(last)
            return true
        },
        scene("an event that had ended waits") { snapshot, _ in
            let open = (snapshot["waiting"]?.arrayValue ?? []) + (snapshot["parked"]?.arrayValue ?? [])
            let tickets = Set(open.compactMap { $0["ticket"]?.integerValue })
            guard let last = snapshot["lastTicket"]?.integerValue,
                let ended = (1..<last + 1).first(where: { !tickets.contains($0) })
            else { return false }
            let event: JSONValue = [
                "ticket": .integer(ended), "event": "ended", "source": "external", "admittedIn": 0,
                "destination": ["id": "home", "parameters": [:]],
            ]
            let waiting = (snapshot["waiting"]?.arrayValue ?? []) + [event]
            snapshot["waiting"] = .array(
                waiting.sorted { $0["ticket"]?.integerValue ?? 0 < $1["ticket"]?.integerValue ?? 0 }
            )
            return true
        },
        scene("a parked event waits in the mailbox") { snapshot, _ in
            var parked = snapshot["parked"]?.arrayValue ?? []
            guard var event = parked.popLast()?.objectValue else { return false }
            for field in ["attempt", "precondition", "parameters", "variant", "flow", "user", "parkedIn"] {
                event[field] = Optional.none
            }
            snapshot["parked"] = .array(parked)
            snapshot["waiting"] = .array((snapshot["waiting"]?.arrayValue ?? []) + [.object(event)])
            return true
        },
        array("a parked event has had another attempt", "parked") { parked in
            guard var event = parked.popLast()?.objectValue, shift(&event, "attempt", by: 1) else { return false }
            parked.append(.object(event))
            return true
        },
        array("a parked event is another user's", "parked") { parked in
            guard var event = parked.popLast()?.objectValue else { return false }
            event["user"] = event["user"] == nil ? "nobody-here" : Optional.none
            parked.append(.object(event))
            return true
        },
        array("events wait in another order", "waiting") { waiting in
            guard waiting.count > 1 else { return false }
            waiting.swapAt(0, 1)
            return true
        },
        array("events are parked in another order", "parked") { parked in
            guard parked.count > 1 else { return false }
            parked.swapAt(0, 1)
            return true
        },
        scene("a ticket is given again") { snapshot, _ in shift(&snapshot, "lastTicket", by: -1) },
        scene("a ticket was given to nobody") { snapshot, _ in shift(&snapshot, "lastTicket", by: 1) },
        host("an attempt that does not begin again") { host, _ in
            guard var again = host["again"]?.arrayValue, again.popLast() != nil else { return false }
            host["again"] = .array(again)
            return true
        },
        host("an attempt of another number begins again") { host, _ in
            guard var again = host["again"]?.arrayValue, var last = again.popLast()?.objectValue,
                shift(&last, "attempt", by: 1)
            else { return false }
            host["again"] = .array(again + [.object(last)])
            return true
        },
        host("an event begins again twice") { host, _ in
            guard let again = host["again"]?.arrayValue, let last = again.last else { return false }
            host["again"] = .array(again + [last])
            return true
        },
        RestartLie("an event that waits begins again") { records, model, random in
            for id in model.scenes.keys.sorted().shuffled(using: &random) {
                guard let ticket = model.scenes[id]?.events.first(where: { $0.value.attempts == 0 })?.key,
                    model.scenes[id]?.isDiscarded == false
                else { continue }
                var records = records
                let again: JSONValue = ["scene": .string(id), "ticket": .integer(ticket), "attempt": 1]
                records[0]["again"] = .array((records[0]["again"]?.arrayValue ?? []) + [again])
                return records
            }
            return nil
        },
    ]
}
