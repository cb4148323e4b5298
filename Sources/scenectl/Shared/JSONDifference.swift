internal import StrictJSON

/// Where one JSON value is not as another demands.
enum JSONDifference {
    /// Every place where `found` has not what `expected` names. Members that are not expected are no difference; `null`
    /// expects that there is nothing.
    static func between(_ expected: JSONValue, _ found: JSONValue?, at path: String = "") -> [String] {
        switch (expected, found) {
        case (.object(let members), .some(.object(let object))):
            return members.flatMap { key, value in
                between(value, object[key], at: path.isEmpty ? key : "\(path).\(key)")
            }
        case (.array(let elements), .some(.array(let array))) where elements.count == array.count:
            return zip(elements, array).enumerated().flatMap { index, pair in
                between(pair.0, pair.1, at: "\(path)[\(index)]")
            }
        case (.null, nil), (.null, .some(.null)): return []
        case (let expected, .some(let found)) where expected == found: return []
        default: return ["\(path): expected \(expected.text()), found \(found?.text() ?? "nothing")"]
        }
    }
}
