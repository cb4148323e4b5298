internal import StrictJSON

/// Takes typed fields out of one JSON object and says precisely what is wrong with one.
struct RecordFields {
    let object: JSONObject
    /// Where the object stands in its record, such as `window.tabs[0].`; empty for the record itself.
    var path = ""

    func text(_ key: String) throws(RecordFormatError) -> String {
        try required(key, optionalText(key), "a string")
    }

    func optionalText(_ key: String) throws(RecordFormatError) -> String? {
        try optional(key, "a string", \.stringValue)
    }

    func integer(_ key: String, atLeast least: Int) throws(RecordFormatError) -> Int {
        try required(key, optionalInteger(key, atLeast: least), "an integer")
    }

    func optionalInteger(_ key: String, atLeast least: Int) throws(RecordFormatError) -> Int? {
        guard let value = try optional(key, "an integer", \.integerValue) else { return nil }
        guard value >= least else {
            throw RecordFormatError(field: path + key, expected: "an integer from \(least)", found: "\(value)")
        }
        return value
    }

    func bool(_ key: String) throws(RecordFormatError) -> Bool {
        try required(key, optional(key, "a boolean", \.boolValue), "a boolean")
    }

    func optionalBool(_ key: String) throws(RecordFormatError) -> Bool? {
        try optional(key, "a boolean", \.boolValue)
    }

    /// One of an enumeration's names.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _: Choice.Type = Choice.self
    ) throws(RecordFormatError) -> Choice {
        let name = try text(key)
        guard let choice = Choice(rawValue: name) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw RecordFormatError(field: path + key, expected: "one of \(names)", found: "'\(name.prefix(64))'")
        }
        return choice
    }

    func fields(_ key: String) throws(RecordFormatError) -> RecordFields {
        let object = try required(key, optional(key, "an object", \.objectValue), "an object")
        return RecordFields(object: object, path: "\(path)\(key).")
    }

    func list<Element>(
        _ key: String,
        _ read: (RecordFields) throws(RecordFormatError) -> Element
    ) throws(RecordFormatError) -> [Element] {
        let array = try required(key, optional(key, "an array", \.arrayValue), "an array")
        var elements: [Element] = []
        for (index, value) in array.enumerated() {
            guard let object = value.objectValue else {
                throw RecordFormatError(
                    field: "\(path)\(key)[\(index)]",
                    expected: "an object",
                    found: value.typeName
                )
            }
            elements.append(try read(RecordFields(object: object, path: "\(path)\(key)[\(index)].")))
        }
        return elements
    }

    func texts(_ key: String) throws(RecordFormatError) -> [String] {
        let array = try required(key, optional(key, "an array", \.arrayValue), "an array")
        let texts = array.compactMap(\.stringValue)
        guard texts.count == array.count else {
            throw RecordFormatError(field: path + key, expected: "strings", found: "something else among them")
        }
        return texts
    }

    /// An object whose members are all of one type.
    func map<Value>(
        _ key: String,
        _ expected: String,
        _ value: (JSONValue) -> Value?
    ) throws(RecordFormatError) -> [String: Value] {
        let members = try fields(key)
        var map: [String: Value] = [:]
        for (name, member) in members.object {
            guard let value = value(member) else {
                throw RecordFormatError(field: members.path + name, expected: expected, found: member.typeName)
            }
            map[name] = value
        }
        return map
    }

    private func optional<Value>(
        _ key: String,
        _ expected: String,
        _ value: (JSONValue) -> Value?
    ) throws(RecordFormatError) -> Value? {
        guard let member = object[key], !member.isNull else { return nil }
        guard let value = value(member) else {
            throw RecordFormatError(field: path + key, expected: expected, found: member.typeName)
        }
        return value
    }

    private func required<Value>(
        _ key: String,
        _ value: Value?,
        _ expected: String
    ) throws(RecordFormatError) -> Value {
        guard let value else { throw RecordFormatError(field: path + key, expected: expected, found: "nothing") }
        return value
    }
}

/// Why a JSON object is no record.
public struct RecordFormatError: Error, Hashable, Sendable {
    /// The field, with dots and brackets where it lies deeper.
    public let field: String
    /// What would have been right, as a phrase.
    public let expected: String
    /// What was there.
    public let found: String
}

extension RecordFormatError: CustomStringConvertible {
    public var description: String { "\(field): expected \(expected), found \(found)" }
}
