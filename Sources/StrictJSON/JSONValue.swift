internal import Basics

/// A JSON value as RFC 8259 defines it. Integers are kept apart from other numbers, so that `1` stays `1`.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that fits in 64 bits, written without fraction and exponent.
    case integer(Int)
    /// Any other number. Parsing never yields an infinity or a NaN.
    case number(Double)
    /// A string, its escapes decoded.
    case string(String)
    /// The elements of an array.
    case array([JSONValue])
    /// The members of an object, in the order written.
    case object(JSONObject)
}

extension JSONValue {
    /// Whether both have the same type and value. Strings are compared by their bytes: "é" in two encodings is two values.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Hashes type and value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .integer(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number)
        case .string(let string): string.hashBytes(into: &hasher)
        case .array(let array): hasher.combine(array)
        case .object(let object): hasher.combine(object)
        }
    }

    /// The name of the value's JSON type, for messages: `null`, `boolean`, `integer`, `number`, `string`, `array`, `object`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The value of a boolean; `nil` for any other type.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The value of an integer; `nil` for any other type, a number without fraction among them.
    public var integerValue: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The value of an integer or a number; `nil` for any other type.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value of a string; `nil` for any other type.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements of an array; `nil` for any other type.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object; `nil` for any other type.
    public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The value of this member; `nil` if this is not an object or has no such member.
    public subscript(key: String) -> JSONValue? {
        objectValue?[key]
    }

    /// The element at this position, from 0; `nil` if this is not an array or is shorter.
    public subscript(index: Int) -> JSONValue? {
        guard let array = arrayValue, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number, never an integer: `1.0` is a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// An array of these elements.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object of these members; of several with the same key the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}
