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
}
