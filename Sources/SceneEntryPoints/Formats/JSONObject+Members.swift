internal import StrictJSON

extension JSONValue {
    /// A number in canonical form: an integer if it has no fraction.
    init(canonical number: Double) {
        // Not `Int(exactly:)`: in optimised code it calls libm, which nothing below this module links.
        if number.magnitude < 0x1p63, Double(Int(number)) == number {
            self = .integer(Int(number))
        } else {
            self = .number(number)
        }
    }
}

extension JSONObject {
    /// Sets the member unless `value` is `nil`.
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

    /// The members whose keys `other` does not have.
    func without(_ other: JSONObject) -> JSONObject {
        JSONObject(filter { other[$0.key] == nil }.map { ($0.key, $0.value) })
    }

    mutating func append(_ other: JSONObject) {
        for (key, value) in other { self[key] = value }
    }
}

extension JSONReader {
    /// A flag as Apple writes it: the number 0 or 1.
    func flag() throws(JSONFieldError) -> Bool {
        switch value {
        case .integer(0): false
        case .integer(1): true
        default: throw error("0 or 1")
        }
    }

    /// Seconds since 1970, at least 0.
    func time() throws(JSONFieldError) -> Double {
        guard let number = value?.doubleValue, number >= 0 else { throw error("number of seconds since 1970") }
        return number
    }
}
