internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

extension VarlinkRequest {
    /// The sender of an event: the peer's user, so that event IDs of different users are distinct.
    var sender: String { String(connection.peer.userID) }
}

extension JSONObject {
    /// A string that the interface requires. The server has checked that it is there.
    func text(_ key: String) -> String { self[key]?.stringValue ?? "" }
}

extension SessionSnapshot {
    var json: JSONValue {
        var object: JSONObject = ["revision": .integer(revision), "epoch": .integer(epoch)]
        object["user"] = user.map(JSONValue.string)
        object["stale"] = .bool(isStale)
        object["facts"] = .object(facts.json)
        return .object(object)
    }
}

extension FactValue {
    /// The fact for a JSON value, or `nil` if no fact can have that value.
    init?(_ json: JSONValue) {
        switch json {
        case .string(let value): self = .string(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .bool(let value): self = .boolean(value)
        case .array(let elements):
            let strings = elements.compactMap(\.stringValue)
            guard strings.count == elements.count else { return nil }
            self = .strings(strings)
        case .null, .object: return nil
        }
    }

    /// Reads facts that a client gives.
    /// - Throws: The interface's `InvalidFact` for a value that no fact can have.
    static func facts(_ object: JSONObject, interface: String) throws(VarlinkError) -> [String: FactValue] {
        do throws(AdmissionError) {
            return try facts(object)
        } catch {
            guard case .invalidFact(let fact, let reason) = error else { throw error.wire }
            throw SessionError.invalidFact(fact: fact, reason: reason).wire(interface: interface)
        }
    }

    /// Reads facts that a client gives.
    /// - Throws: ``AdmissionError/invalidFact(fact:reason:)`` for a value that no fact can have.
    static func facts(_ object: JSONObject) throws(AdmissionError) -> [String: FactValue] {
        var facts: [String: FactValue] = [:]
        for (name, value) in object {
            guard let fact = FactValue(value) else {
                let reason = "expected a string, a number, a boolean or a list of strings, found \(value.typeName)"
                throw .invalidFact(fact: name, reason: reason)
            }
            facts[name] = fact
        }
        return facts
    }
}
