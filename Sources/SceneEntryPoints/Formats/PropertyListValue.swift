public import StrictJSON

/// A value that `NSUserActivity.userInfo` may hold.
///
/// What JSON knows is written as it is. The others are objects with exactly one member whose name begins with `$`:
/// `{"$date": "2026-05-01T12:00:00Z"}` (RFC 3339, in UTC), `{"$data": "aGk="}` (base64), `{"$url": "https://…"}`,
/// `{"$uuid": "E621E1F8-…"}` and `{"$set": […]}`. No other object may have a member that begins with `$` as its only one.
public indirect enum PropertyListValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    /// A point in time as written.
    case date(String)
    /// Bytes, as base64 text.
    case data(String)
    case url(String)
    /// A UUID in its canonical form, with upper-case digits as `NSUUID` writes it.
    case uuid(String)
    case set([PropertyListValue])
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// How deep arrays and dictionaries may nest.
    static let depthLimit = 64

    init(_ value: JSONValue, at path: FieldPath, depth: Int) throws(EntryFormatError) {
        guard depth <= Self.depthLimit else {
            throw EntryFormatError(
                path: "userInfo",
                expected: "at most \(Self.depthLimit) levels of nesting",
                found: "more"
            )
        }
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(try Self.read(elements, at: path, depth: depth))
        case .object(let object):
            if object.count == 1, let key = object.keys.first, key.hasPrefix("$"), let value = object[key] {
                self = try Self.read(key, value, at: path.member(key), depth: depth)
            } else {
                var values: [String: PropertyListValue] = [:]
                for (key, value) in object {
                    values[key] = try PropertyListValue(value, at: path.member(key), depth: depth + 1)
                }
                self = .dictionary(values)
            }
        }
    }

    private static func read(
        _ elements: [JSONValue],
        at path: FieldPath,
        depth: Int
    ) throws(EntryFormatError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for (index, element) in elements.enumerated() {
            values.append(try PropertyListValue(element, at: path.element(index), depth: depth + 1))
        }
        return values
    }

    /// Reads one of the types JSON does not know.
    private static func read(
        _ type: String,
        _ value: JSONValue,
        at path: FieldPath,
        depth: Int
    ) throws(EntryFormatError) -> PropertyListValue {
        func expect(_ expected: String) -> EntryFormatError {
            EntryFormatError(path: path.description, expected: expected, found: value.describedForMessage)
        }
        switch type {
        case "$date":
            guard let text = value.stringValue, TextFormats.isUTCDate(text) else {
                throw expect("date such as \"2026-05-01T12:00:00Z\"")
            }
            return .date(text)
        case "$data":
            guard let text = value.stringValue, TextFormats.isBase64(text) else { throw expect("base64 text") }
            return .data(text)
        case "$url":
            guard let text = value.stringValue, URLScheme.of(text) != nil else { throw expect("absolute URL") }
            return .url(text)
        case "$uuid":
            guard let text = value.stringValue, TextFormats.isUUID(text) else {
                throw expect("UUID such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"")
            }
            return .uuid(text.uppercased())
        case "$set":
            guard let elements = value.arrayValue else { throw expect("array") }
            return .set(try read(elements, at: path, depth: depth))
        default:
            throw EntryFormatError(
                path: path.description,
                expected: "one of \"$date\", \"$data\", \"$url\", \"$uuid\", \"$set\"",
                found: type.quotedForMessage
            )
        }
    }

    /// The value in its JSON form; members of a dictionary in the order of their keys.
    public var json: JSONValue {
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
