internal import StrictJSON

/// Reads the members of one object strictly: a wrong type is an error that names the path, and what nobody asked for
/// can be listed afterwards.
struct FieldReader {
    let object: JSONObject
    let path: FieldPath
    /// The members that were asked for and found. A list, because objects are small and most of what is asked for is absent.
    private var known: [String] = []

    init(_ object: JSONObject, at path: FieldPath) {
        self.object = object
        self.path = path
    }

    /// The members that were never asked for, in the order written.
    var unknown: JSONObject {
        guard known.count < object.count else { return [:] }
        let asked = Set(known)
        return JSONObject(object.filter { !asked.contains($0.key) }.map { ($0.key, $0.value) })
    }

    mutating func value(_ key: String) -> JSONValue? {
        guard let value = object[key] else { return nil }
        known.append(key)
        return value
    }

    mutating func string(_ key: String) throws(EntryFormatError) -> String? {
        guard let value = value(key) else { return nil }
        guard let string = value.stringValue else { throw mismatch(key, "string", value) }
        return string
    }

    mutating func requiredString(_ key: String) throws(EntryFormatError) -> String {
        guard let string = try string(key) else { throw error(key, "string", "nothing") }
        return string
    }

    /// A string of at least one character.
    mutating func text(_ key: String) throws(EntryFormatError) -> String? {
        guard let string = try string(key) else { return nil }
        guard !string.isEmpty else { throw error(key, "non-empty string", "empty string") }
        return string
    }

    mutating func strings(_ key: String) throws(EntryFormatError) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let array = value.arrayValue else { throw mismatch(key, "array of strings", value) }
        var strings: [String] = []
        for (index, element) in array.enumerated() {
            guard let string = element.stringValue else {
                throw EntryFormatError(
                    path: path.member(key).element(index).description,
                    expected: "string",
                    found: element.typeName
                )
            }
            strings.append(string)
        }
        return strings
    }

    mutating func object(_ key: String) throws(EntryFormatError) -> JSONObject? {
        guard let value = value(key) else { return nil }
        guard let object = value.objectValue else { throw mismatch(key, "object", value) }
        return object
    }

    mutating func bool(_ key: String) throws(EntryFormatError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let bool = value.boolValue else { throw mismatch(key, "boolean", value) }
        return bool
    }

    /// One of Apple's flags, which are the numbers 0 and 1, not booleans.
    mutating func flag(_ key: String) throws(EntryFormatError) -> Bool? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(0): return false
        case .integer(1): return true
        default: throw error(key, "0 or 1", value.describedForMessage)
        }
    }

    /// An integer of at least 0.
    mutating func count(_ key: String) throws(EntryFormatError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integerValue, integer >= 0 else {
            throw error(key, "integer from 0", value.describedForMessage)
        }
        return integer
    }

    /// A number, within `range` where one is given.
    mutating func number(_ key: String, in range: ClosedRange<Double>? = nil) throws(EntryFormatError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let range else {
            guard let number = value.doubleValue else { throw mismatch(key, "number", value) }
            return number
        }
        guard let number = value.doubleValue, range.contains(number) else {
            throw error(
                key,
                "number from \(JSONValue(canonical: range.lowerBound)) to \(JSONValue(canonical: range.upperBound))",
                value.describedForMessage
            )
        }
        return number
    }

    /// Seconds since 1970, at least 0.
    mutating func time(_ key: String) throws(EntryFormatError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.doubleValue, number >= 0 else {
            throw error(key, "number of seconds since 1970", value.describedForMessage)
        }
        return number
    }

    /// One of the words that are the raw values of `Word`.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _: Word.Type = Word.self
    ) throws(EntryFormatError) -> Word? {
        guard let value = value(key) else { return nil }
        guard let word = value.stringValue.flatMap(Word.init(rawValue:)) else {
            let words = Word.allCases.map { $0.rawValue.quotedForMessage }.joined(separator: ", ")
            throw error(key, "one of \(words)", value.describedForMessage)
        }
        return word
    }

    func error(_ key: String, _ expected: String, _ found: String) -> EntryFormatError {
        EntryFormatError(path: path.member(key).description, expected: expected, found: found)
    }

    private func mismatch(_ key: String, _ expected: String, _ value: JSONValue) -> EntryFormatError {
        error(key, expected, value.typeName)
    }
}
