internal import StrictJSON

/// One place where a JSON value is not as another demands.
struct JSONDifference {
    /// A step from a value to a part of it.
    enum Step: Hashable {
        case member(String)
        /// An element of a list, from 0.
        case element(Int)
    }

    /// Where it is.
    let path: [Step]
    /// What is there; `nil` if nothing is.
    let found: JSONValue?
    /// What was expected and what was found, in words.
    let message: String

    /// Every place where `found` has not what `expected` names. Members that are not expected are no difference; `null`
    /// expects that there is nothing, and a text in place of an object is a window or destination in the notation for them
    /// (<doc:/SceneRuntime/WindowNotation>).
    static func between(_ expected: JSONValue, _ found: JSONValue?) -> [JSONDifference] {
        var none = SecretPairs()
        return between(expected, found, &none)
    }

    /// The same, where one placeholder of a secret may stand for another if it always does.
    static func between(
        _ expected: JSONValue,
        _ found: JSONValue?,
        _ secrets: inout SecretPairs,
        at path: [Step] = []
    ) -> [JSONDifference] {
        if case .string(let text) = expected, case .some(.object(let object)) = found,
            let written = WrittenValue(object)
        {
            if secrets.match(text, "\(written)", { written.difference(from: $0) == nil }) { return [] }
            return written.difference(from: text).map { [JSONDifference(path: path, found: found, message: $0)] } ?? []
        }
        var differences: [JSONDifference] = []
        switch (expected, found) {
        case (.object(let members), .some(.object(let object))):
            for (key, value) in members {
                differences += between(value, object[key], &secrets, at: path + [.member(key)])
            }
            // Two windows are easier to compare in one line each.
            if !differences.isEmpty, case .window(let one)? = WrittenValue(members),
                case .window(let other)? = WrittenValue(object), one != other
            {
                return [JSONDifference(path: path, found: found, message: "expected \(one), found \(other)")]
            }
            return differences
        case (.array(let elements), .some(.array(let array))) where elements.count == array.count:
            for (index, pair) in zip(elements, array).enumerated() {
                differences += between(pair.0, pair.1, &secrets, at: path + [.element(index)])
            }
            return differences
        case (.string(let expected), .some(.string(let found))) where secrets.match(expected, found): return []
        case (.null, nil), (.null, .some(.null)): return []
        case (let expected, .some(let found)) where expected == found: return []
        default:
            let message = "expected \(expected.text()), found \(found?.text() ?? "nothing")"
            return [JSONDifference(path: path, found: found, message: message)]
        }
    }
}

extension JSONDifference: CustomStringConvertible {
    /// The place and what is wrong there: `receipt.outcome: expected "applied", found "gated"`.
    var description: String { "\(place): \(message)" }

    /// Where it is: `receipts[0].outcome`.
    var place: String {
        var place = ""
        for step in path {
            switch step {
            case .member(let name): place += place.isEmpty ? name : ".\(name)"
            case .element(let index): place += "[\(index)]"
            }
        }
        return place
    }
}
