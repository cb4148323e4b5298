internal import StrictJSON

/// Where one JSON value is not as another demands.
enum JSONDifference {
    /// Every place where `found` has not what `expected` names. Members that are not expected are no difference; `null`
    /// expects that there is nothing.
    static func between(_ expected: JSONValue, _ found: JSONValue?, at path: String = "") -> [String] {
        var none = SecretPairs()
        return between(expected, found, &none, at: path)
    }

    /// The same, where one placeholder of a secret may stand for another if it always does.
    static func between(
        _ expected: JSONValue,
        _ found: JSONValue?,
        _ secrets: inout SecretPairs,
        at path: String = ""
    ) -> [String] {
        var differences: [String] = []
        switch (expected, found) {
        case (.object(let members), .some(.object(let object))):
            for (key, value) in members {
                differences += between(value, object[key], &secrets, at: path.isEmpty ? key : "\(path).\(key)")
            }
            return differences
        case (.array(let elements), .some(.array(let array))) where elements.count == array.count:
            for (index, pair) in zip(elements, array).enumerated() {
                differences += between(pair.0, pair.1, &secrets, at: "\(path)[\(index)]")
            }
            return differences
        case (.string(let expected), .some(.string(let found))) where secrets.match(expected, found): return []
        case (.null, nil), (.null, .some(.null)): return []
        case (let expected, .some(let found)) where expected == found: return []
        default: return ["\(path): expected \(expected.text()), found \(found?.text() ?? "nothing")"]
        }
    }
}
