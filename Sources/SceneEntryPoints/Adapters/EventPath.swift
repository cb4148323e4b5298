internal import StrictJSON

/// The way to a value in an event's JSON form: `payload.url`, `userInfo.items.0`.
///
/// Dots separate names; `\.` is a dot within a name and `\\` a backslash. In an array a name is an index from 0.
struct EventPath: Hashable, Sendable {
    let text: String
    private let names: [String]

    /// Reads a path, or `nil` where a name is empty or a backslash stands before anything else.
    init?(_ text: String) {
        var names = [""]
        var isEscaped = false
        for character in text.unicodeScalars {
            if isEscaped {
                guard character == "." || character == "\\" else { return nil }
                names[names.count - 1].unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "." {
                names.append("")
            } else {
                names[names.count - 1].unicodeScalars.append(character)
            }
        }
        guard !isEscaped, names.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.text = text
        self.names = names
    }

    /// The member of the event that the path begins with.
    var root: String { names.first ?? "" }

    /// The way from the event's root, an index being a name as well.
    var json: JSONPath { JSONPath(names.map(JSONPath.Step.member)) }

    /// The value there, or `nil` where the way ends before.
    func value(in event: JSONObject) -> JSONValue? {
        var value = JSONValue.object(event)
        for name in names {
            let next: JSONValue?
            switch value {
            case .object(let object): next = object[name]
            case .array: next = Int(name).flatMap { value[$0] }
            default: next = nil
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// The text there, or why there is none.
    func text(in event: JSONObject) -> Lookup {
        guard let value = value(in: event) else { return .absent }
        guard let text = value.stringValue else { return .notText(value.typeName) }
        return .text(text)
    }

    /// What stands at a path that should lead to text.
    enum Lookup: Hashable {
        case text(String)
        case absent
        /// Another type of this name stands there.
        case notText(String)
    }
}
