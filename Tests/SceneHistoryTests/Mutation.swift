import SceneHistory
import Basics
import StrictJSON

/// A way to make a history false.
enum Mutation: String, CaseIterable, Sendable {
    case drop, swap, duplicate, alter

    /// The history with a record dropped, repeated, swapped with its predecessor in the same scene, or altered in a field.
    ///
    /// - Parameter renumbered: whether the records are numbered again, so that no missing or repeated number shows the change.
    /// - Returns: the history and a description of the change; `nil` if nothing could be changed at the random place.
    func mutate(
        _ records: [JSONObject],
        renumbered: Bool,
        _ random: inout SplitMix
    ) -> (records: [JSONObject], what: String)? {
        var records = records
        let index = random.below(records.count)
        let original = records[index]
        var what = "\(rawValue) \(index + 1) \(original["kind"]?.stringValue ?? "")"
        switch self {
        // A host.quiet may be repeated or left out without being false.
        case .drop where original["kind"] == "host.quiet", .duplicate where original["kind"] == "host.quiet": return nil
        case .drop: records.remove(at: index)
        case .duplicate: records.insert(original, at: index + 1)
        case .swap:
            guard let other = records[..<index].lastIndex(where: { $0["scene"] == original["scene"] }),
                original["scene"] != nil, !records[other].mayFollow(original)
            else { return nil }
            what += " with \(other + 1) \(records[other]["kind"]?.stringValue ?? "")"
            records.swapAt(index, other)
        case .alter:
            guard let (altered, field) = original.altered(&random) else { return nil }
            what += " \(field)"
            records[index] = altered
        }
        if renumbered {
            for index in records.indices { records[index]["index"] = .integer(index + 1) }
        }
        return (records, what)
    }
}

extension JSONObject {
    /// Whether the runtime could have written these two records in either order; then swapping them changes nothing.
    fileprivate func mayFollow(_ other: JSONObject) -> Bool {
        let kinds = [self["kind"]?.stringValue ?? "", other["kind"]?.stringValue ?? ""]
        if kinds[0] == kinds[1], kinds[0].hasPrefix("coordinator.") { return true }
        // An event can be admitted at any time, but after earlier ones and before it is dispatched.
        let isAdmission = kinds.map { $0 == "event.admitted" }
        if isAdmission[0] != isAdmission[1], self["ticket"] != other["ticket"] { return true }
        return withoutPlace == other.withoutPlace
    }

    /// The record without its number and time.
    fileprivate var withoutPlace: JSONObject {
        var object = self
        object["index"] = nil
        object["monotonic"] = nil
        return object
    }

    /// The record with a meaningful field changed to another value of the same type.
    fileprivate func altered(_ random: inout SplitMix) -> (JSONObject, field: String)? {
        let alterable = keys.filter { Self.alterations[$0] != nil }
        guard !alterable.isEmpty else { return nil }
        let field = alterable[random.below(alterable.count)]
        var object = self
        guard let value = self[field], let altered = Self.alterations[field]?(value), altered != value else {
            return nil
        }
        object[field] = altered
        return (object, field)
    }

    private static let alterations: [String: @Sendable (JSONValue) -> JSONValue?] = [
        "ticket": next, "attempt": next, "revision": next, "epoch": next, "call": { _ in 0 },
        "event": { .string(($0.stringValue ?? "") + "x") },
        "outcome": { $0 == "applied" ? "unchanged" : "applied" },
        "verdict": { $0 == "proceed" ? "gated" : "proceed" },
        "precondition": { $0 == "signedIn" ? "paymentMethod" : "signedIn" },
        "from": { $0 == "background" ? "foregroundActive" : "background" },
        "to": { $0 == "background" ? "foregroundActive" : "background" },
        "user": { $0 == "mina" ? .null : "mina" },
        "holds": { holds in
            guard let members = holds.objectValue else { return nil }
            return .object(JSONObject(members.map { ($0.key, .bool($0.value != true)) }))
        },
        "ops": { .array(($0.arrayValue ?? []) + [["name": "selectTab", "tab": "orders"]]) },
        "op": { _ in ["name": "dismissModals", "keeping": 0] },
        "window": { window in
            guard var object = window.objectValue, let selected = object["selectedTab"]?.stringValue else {
                return nil
            }
            object["selectedTab"] = selected == "home" ? "account" : "home"
            return .object(object)
        },
        "flow": { .string(($0.stringValue ?? "") + "x") },
        "item": { $0 == "dispatch" ? "resume" : "dispatch" },
    ]

    private static func next(_ value: JSONValue) -> JSONValue? { value.integerValue.map { .integer($0 + 1) } }
}
