internal import StrictJSON

extension JSONValue {
    /// The value where that is short enough for a message, else its type.
    var describedForMessage: String {
        switch self {
        case .bool, .integer, .number, .null: text()
        case .string(let string): string.quotedForMessage
        case .array, .object: typeName
        }
    }

    /// A number in the one form we write it: without fraction where it has none.
    init(canonical number: Double) {
        // Not `Int(exactly:)`: optimised, it calls libm, which nothing below this module links.
        if number.magnitude < 0x1p63, Double(Int(number)) == number {
            self = .integer(Int(number))
        } else {
            self = .number(number)
        }
    }
}

extension JSONObject {
    /// Sets the member unless there is nothing to set.
    mutating func set(_ key: String, _ value: String?) {
        if let value { self[key] = .string(value) }
    }

    mutating func set(_ key: String, flag: Bool?) {
        if let flag { self[key] = .integer(flag ? 1 : 0) }
    }

    mutating func set(_ key: String, number: Double?) {
        if let number { self[key] = JSONValue(canonical: number) }
    }

    mutating func set(_ key: String, _ strings: [String]?) {
        if let strings { self[key] = .array(strings.map(JSONValue.string)) }
    }

    mutating func set(_ key: String, _ object: JSONObject?) {
        if let object { self[key] = .object(object) }
    }

    mutating func append(_ other: JSONObject) {
        for (key, value) in other { self[key] = value }
    }
}
