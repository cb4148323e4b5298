import SceneHistory
import SeededRandom
import StrictJSON

/// A way in which a history can come to lie.
enum Mutation: String, CaseIterable, Sendable {
    case drop, swap, duplicate, alter

    /// The history with one record dropped, told twice, told before its predecessor in the same scene, or altered in one
    /// field.
    ///
    /// - Parameter renumbered: Numbers the records anew, so that no hole and no repeated number gives the lie away.
    /// - Returns: The history and what was done; `nil` where nothing could be done at the place that chance chose.
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
        // That it was quiet is true once more, and true if nobody says so.
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
    /// Whether the runtime may write this record after the other as well as before it: then the change is no lie.
    fileprivate func mayFollow(_ other: JSONObject) -> Bool {
        let kinds = [self["kind"]?.stringValue ?? "", other["kind"]?.stringValue ?? ""]
        if kinds[0] == kinds[1], kinds[0].hasPrefix("coordinator.") { return true }
        // An event comes in whenever it likes, but after those before it and before it is dispatched.
        let isAdmission = kinds.map { $0 == "event.admitted" }
        if isAdmission[0] != isAdmission[1], self["ticket"] != other["ticket"] { return true }
        return withoutPlace == other.withoutPlace
    }

    /// The record but for its number and time.
    fileprivate var withoutPlace: JSONObject {
        var object = self
        object["index"] = nil
        object["monotonic"] = nil
        return object
    }

    /// The record with one field that means something changed to another value of its kind.
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
