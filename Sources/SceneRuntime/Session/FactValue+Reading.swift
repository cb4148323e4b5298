package import SceneRouting
package import StrictJSON

// Facts in the words of a client.
extension FactValue {
    /// The fact for a JSON value, or `nil` if no fact can have that value.
    package init?(_ json: JSONValue) {
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
    /// - Throws: ``AdmissionError/invalidFact(fact:reason:)`` for a value that no fact can have.
    package static func facts(_ object: JSONObject) throws(AdmissionError) -> [String: FactValue] {
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
