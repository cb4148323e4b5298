import Basics
import SceneHistory
import StrictJSON

/// One change that makes a history false, if it is not equivalent.
///
/// The records are numbered again and keep their times in order, so that only what they say can show the change.
struct Falsification {
    enum Way: String, CaseIterable, Codable {
        case changed = "a field changed"
        case leftOut = "a field left out"
        case dropped = "a record dropped"
        case repeated = "a record repeated"
        case swapped = "a record swapped with the one before it"
        case moved = "a record moved"
        case exchanged = "an end exchanged for another"
        case unknown = "an op made unknown"
        case kept = "a sweep left out"
    }

    let way: Way
    /// The kind of the record, and the changed field, with a question mark if it was left out, or how the record was changed.
    let what: String
    /// The places of the records that were replaced, in the history's order.
    let places: Range<Int>
    /// What is in their place.
    let records: [JSONObject]

    /// Every way to drop, repeat, swap and move the record at `place`, and to change a field of it.
    static func all(of objects: [JSONObject], at place: Int, _ fields: HistoryFields, _ random: inout SplitMix)
        -> [Falsification]
    {
        let original = objects[place]
        let kind = original["kind"]?.stringValue ?? ""
        func changed(_ way: Way, _ places: Range<Int>, _ records: [JSONObject]) -> Falsification {
            let placed = records.enumerated().map { index, record in
                var record = record
                record["index"] = .integer(places.lowerBound + index + 1)
                record["monotonic"] = objects[min(places.lowerBound + index, places.upperBound - 1)]["monotonic"]
                return record
            }
            return Falsification(way: way, what: "\(kind) \(way)", places: places, records: placed)
        }
        var all = fields.variants(of: original, &random).map {
            Falsification(
                way: $0.field.hasSuffix("?") ? .leftOut : .changed,
                what: $0.field,
                places: place..<place + 1,
                records: [$0.object]
            )
        }
        if !isMoot(original, objects[(place + 1)...]) {
            all.append(changed(.dropped, place..<place + 1, []))
            all.append(changed(.repeated, place..<place + 1, [original, original]))
        }
        // To its left neighbour among the records that it is tied to, and some way to each side.
        if let left = objects[..<place].lastIndex(where: { isTied($0, original) }), place - left < 100 {
            all.append(changed(.swapped, left..<place + 1, swapped(objects[left...place])))
        }
        let (left, right) = (max(0, place - 1 - random.below(12)), min(objects.count - 1, place + 1 + random.below(12)))
        if left < place, objects[left..<place].contains(where: { isTied($0, original) }) {
            all.append(changed(.moved, left..<place + 1, [original] + objects[left..<place]))
        }
        if right > place, objects[place + 1...right].contains(where: { isTied(original, $0) }) {
            all.append(changed(.moved, place..<right + 1, objects[place + 1...right] + [original]))
        }
        return all
    }

    /// How an attempt may end, each outcome with reasons of it, and one with none that there is.
    private static let ends: [(outcome: String, reason: String?)] =
        [("applied", nil), ("unchanged", nil), ("delivered", nil)]
        + ["nothingToPop", "swipeCancelled", "inTransition", "zzz"].map { ("ignored", $0) }
        + ["userLeft", "flowCancelled", "zzz"].map { ("abandoned", $0) }
        + [
            "zzz", "noSuchFlow", "stackFull", "contended", "gateBusy", "queueFull", "gateUnsatisfied", "otherUser",
            "destinationGone", "unhandledIntent", "userMissing", "intentFailed", "unknownRoute", "noAdapter",
            "nothingToPop", "inStock", "signedIn",
        ].map { ("rejected", $0) }

    /// Every other end of the attempt at `place`, and every op of the record there made one that nobody knows.
    static func exchanged(in objects: [JSONObject], at place: Int) -> [Falsification] {
        let original = objects[place]
        func changed(_ way: Way, _ change: (inout JSONObject) -> Void) -> Falsification {
            var object = original
            change(&object)
            let kind = original["kind"]?.stringValue ?? ""
            return Falsification(way: way, what: "\(kind) \(way)", places: place..<place + 1, records: [object])
        }
        switch original["kind"]?.stringValue {
        case "dispatch.ended" where original["outcome"] != "gated":
            return ends.filter {
                original["outcome"]?.stringValue != $0.outcome || original["reason"]?.stringValue != $0.reason
            }
            .map { end in
                changed(.exchanged) {
                    $0["outcome"] = .string(end.outcome)
                    $0["reason"] = end.reason.map(JSONValue.string)
                }
            }
        case "navigation.step":
            return [changed(.unknown) { $0["op"] = ["name": "fly"] }]
        default: return []
        }
    }

    /// The sweep that ends with the record at `place` left out, with what it removed still on screen: its steps, or the record of a
    /// window that is brought back, which is then as it was.
    static func kept(in objects: [JSONObject], at place: Int) -> Falsification? {
        guard objects[place]["kind"] == "scene.swept" else { return nil }
        let scene = objects[place]["scene"]
        func isOfSweep(_ record: JSONObject) -> Bool {
            record["scene"] == scene
                && (record["kind"] == "navigation.step" && record["cause"] == "sweep" && record["ticket"] == nil
                    || ["coordinator.attached", "coordinator.detached"].contains(record["kind"]?.stringValue))
        }
        var start = place
        while start > 0, objects[start - 1]["scene"] != scene || isOfSweep(objects[start - 1]) { start -= 1 }
        var records = objects[start..<place].filter { !isOfSweep($0) }
        if start > 0, objects[start - 1]["kind"] == "scene.connected", objects[start - 1]["restored"] == true {
            start -= 1
            let shown = objects[..<start].last { $0["scene"] == scene && $0["window"] != nil }
            guard let window = shown?["window"] else { return nil }
            var connected = objects[start]
            connected["window"] = window
            records = [connected] + objects[(start + 1)..<place]
        }
        for index in records.indices {
            records[index]["index"] = .integer(start + index + 1)
        }
        return Falsification(way: .kept, what: "scene.swept \(Way.kept)", places: start..<place + 1, records: records)
    }

    /// The records with the first and the last one swapped.
    private static func swapped(_ objects: ArraySlice<JSONObject>) -> [JSONObject] {
        var objects = Array(objects)
        objects.swapAt(0, objects.count - 1)
        return objects
    }

    /// Whether a record may be left out or repeated without being false, given those after it.
    private static func isMoot(_ record: JSONObject, _ rest: ArraySlice<JSONObject>) -> Bool {
        switch record["kind"]?.stringValue {
        case "host.quiet", "host.stopped", "host.snapshot", "app.snapshot", "scene.snapshot", "violation": true
        // An event may be ignored or abandoned before its turn.
        case "dispatch.began":
            rest.first { $0["ticket"] == record["ticket"] && $0.receiver == record.receiver }
                .map { ["ignored", "abandoned"].contains($0["outcome"]?.stringValue) } ?? false
        // A scene need not go to its last state.
        case "scene.activation":
            !rest.contains {
                $0["scene"] == record["scene"] && $0["kind"] == "scene.activation" && $0["from"] == record["to"]
            }
        default: false
        }
    }

    /// Whether the order of two records follows from the contract.
    private static func isTied(_ one: JSONObject, _ other: JSONObject) -> Bool {
        if one.withoutPlace == other.withoutPlace { return false }
        let kinds = [one["kind"]?.stringValue ?? "", other["kind"]?.stringValue ?? ""]
        if kinds.contains("host.started") { return true }
        if kinds[0] == kinds[1], kinds[0].hasPrefix("coordinator.") { return false }
        // An event may be admitted at any time, but after earlier ones, and before it is dispatched.
        let isAdmission = kinds.map { $0 == "event.admitted" }
        let isSameTicket = one["ticket"] == other["ticket"] && one.receiver == other.receiver
        if isAdmission[0] || isAdmission[1] {
            return isAdmission[0] && isAdmission[1] ? one.receiver == other.receiver : isSameTicket
        }
        if let receiver = one.receiver, receiver == other.receiver {
            // An event may end before its turn, a scene be discarded in the middle of a dispatch, or activated.
            let isOfDispatch = [one, other].map { $0["ticket"] != nil }
            if kinds.contains(where: { $0 == "scene.discarded" || $0 == "scene.activation" }),
                isOfDispatch.contains(true)
            {
                return false
            }
            let isEarly = [one, other].contains { ["ignored", "abandoned"].contains($0["outcome"]?.stringValue) }
            return isSameTicket || !isEarly
        }
        // What a snapshot says has to be committed before.
        let isCommit = kinds.map { $0 == "session.committed" || $0 == "manifest.loaded" }
        if isCommit[0] != isCommit[1], one["revision"] != nil, other["revision"] != nil {
            return one["revision"] == other["revision"]
        }
        return isCommit[0] && isCommit[1]
    }
}

extension JSONObject {
    /// The scene, or the app itself, whose order the record belongs to.
    fileprivate var receiver: JSONValue? { self["scene"] ?? self["receiver"] }

    /// The record without its number and time.
    fileprivate var withoutPlace: JSONObject {
        var object = self
        object["index"] = nil
        object["monotonic"] = nil
        return object
    }
}
