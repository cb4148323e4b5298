internal import StrictJSON

/// A value that `NSUserActivity.userInfo` can have.
///
/// Types that JSON has are written as such. The others are objects with a single member whose name begins with `$`:
/// `{"$date": "2026-05-01T12:00:00Z"}` (RFC 3339, in UTC), `{"$data": "aGk="}` (base64), `{"$url": "https://…"}`,
/// `{"$uuid": "E621E1F8-…"}` and `{"$set": […]}`. Any other object with a single member that begins with `$` is refused.
public indirect enum PropertyListValue: Hashable, Sendable {
    /// `null`.
    case null
    /// A boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A point in time, as written.
    case date(String)
    /// Bytes, as base64 text.
    case data(String)
    /// An absolute URL, as written.
    case url(String)
    /// A UUID with upper-case digits, as `NSUUID` writes it.
    case uuid(String)
    /// The elements of a set, in the order written.
    case set([PropertyListValue])
    /// The elements of an array.
    case array([PropertyListValue])
    /// The members of a dictionary.
    case dictionary([String: PropertyListValue])

    /// The maximum depth of arrays and dictionaries.
    static let depthLimit = 64

    init(_ reader: JSONReader, depth: Int) throws(JSONFieldError) {
        guard depth <= Self.depthLimit else {
            throw JSONFieldError(
                path: "userInfo",
                expected: "at most \(Self.depthLimit) levels of nesting",
                found: "more"
            )
        }
        switch reader.value {
        case nil, .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .array: self = .array(try Self.elements(reader, depth: depth))
        case .object:
            let members = try reader.members()
            if members.count == 1, let (key, value) = members.first, key.hasPrefix("$") {
                self = try Self.read(key, value, depth: depth)
            } else {
                self = .dictionary(try Self.members(members, depth: depth))
            }
        }
    }

    /// The members of a dictionary. Two keys that only Unicode's normal form tells apart are refused: in Swift they are one.
    static func members(
        _ members: [(key: String, value: JSONReader)],
        depth: Int
    ) throws(JSONFieldError) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for (key, value) in members {
            guard values.updateValue(try PropertyListValue(value, depth: depth + 1), forKey: key) == nil else {
                throw value.error(
                    "a key that is another text than each before, whatever their normal form in Unicode",
                    found: key.quotedForMessage
                )
            }
        }
        return values
    }

    private static func elements(_ reader: JSONReader, depth: Int) throws(JSONFieldError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for element in try reader.elements() { values.append(try PropertyListValue(element, depth: depth + 1)) }
        return values
    }

    /// Reads a value of a type that JSON does not have.
    private static func read(
        _ type: String,
        _ reader: JSONReader,
        depth: Int
    ) throws(JSONFieldError) -> PropertyListValue {
        func text(_ expected: String, _ isRight: (String) -> Bool) throws(JSONFieldError) -> String {
            guard let text = reader.value?.stringValue, isRight(text) else { throw reader.error(expected) }
            return text
        }
        switch type {
        case "$date": return .date(try text("date such as \"2026-05-01T12:00:00Z\"", TextFormats.isUTCDate))
        case "$data": return .data(try text("base64 text", TextFormats.isBase64))
        case "$url": return .url(try text("absolute URL") { URLScheme.of($0) != nil })
        case "$uuid":
            let expected = "UUID such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
            return .uuid(try text(expected, TextFormats.isUUID).uppercased())
        case "$set":
            guard reader.value?.arrayValue != nil else { throw reader.error("array") }
            return .set(try elements(reader, depth: depth))
        default:
            throw reader.error(
                "one of \"$date\", \"$data\", \"$url\", \"$uuid\", \"$set\"",
                found: type.quotedForMessage
            )
        }
    }

    /// The value in its JSON form, the members of a dictionary in the order of their keys.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .date(let text): ["$date": .string(text)]
        case .data(let text): ["$data": .string(text)]
        case .url(let text): ["$url": .string(text)]
        case .uuid(let text): ["$uuid": .string(text)]
        case .set(let values): ["$set": .array(values.map(\.json))]
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }

    /// The name of the value's type, for messages.
    var typeName: String {
        switch self {
        case .date: "date"
        case .data: "data"
        case .url: "url"
        case .uuid: "uuid"
        case .set: "set"
        default: json.typeName
        }
    }
}
