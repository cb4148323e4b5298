package import StrictJSON

/// The path to a value in an event's JSON form: `payload.url`, `userInfo.items.0`.
///
/// Dots separate names; `\.` is a dot in a name and `\\` a backslash. In an array a name is an index, from 0.
package struct EventPath: Hashable, Sendable {
    package let text: String
    private let names: [String]

    /// The name of the value itself.
    package var last: String { names.last ?? text }

    /// Parses a path; `nil` if a name is empty or a backslash precedes anything but a dot or a backslash.
    package init?(_ text: String) {
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
    package var root: String { names.first ?? "" }

    /// The path as JSON paths are written; an index is a name too.
    package var json: JSONPath { JSONPath(names.map(JSONPath.Step.member)) }

    /// The value at the path; `nil` if there is none.
    package func value(in event: JSONObject) -> JSONValue? {
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

    /// The event with a value at the path; what is on the way there becomes an object.
    package func setting(_ value: JSONValue, in event: JSONObject) -> JSONObject {
        Self.setting(value, at: names[...], in: event)
    }

    private static func setting(_ value: JSONValue, at names: ArraySlice<String>, in event: JSONObject) -> JSONObject {
        guard let name = names.first else { return event }
        var event = event
        let rest = names.dropFirst()
        event[name] = rest.isEmpty ? value : .object(setting(value, at: rest, in: event[name]?.objectValue ?? [:]))
        return event
    }

    /// The text at the path, or why there is none.
    package func text(in event: JSONObject) -> Lookup {
        guard let value = value(in: event), !value.isNull else { return .absent }
        guard let text = value.stringValue else { return .notText(value.typeName) }
        return .text(text)
    }

    /// The value at a path that should lead to text.
    package enum Lookup: Hashable {
        case text(String)
        /// Nothing is there, or null, which is how a backend says so.
        case absent
        /// It has the type of this name.
        case notText(String)
    }
}
