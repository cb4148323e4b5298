internal import StrictJSON

/// Takes typed fields out of one JSON object and says precisely what is wrong with one.
struct RecordFields {
    let object: JSONPart
    /// Where the object stands in its record, such as `window.tabs[0].`; empty for the record itself, `nil` where nobody
    /// keeps account of it.
    let path: String?

    func text(_ key: StaticString) throws(RecordFormatError) -> String {
        try required(key, optionalText(key), "a string")
    }

    func optionalText(_ key: StaticString) throws(RecordFormatError) -> String? {
        try optional(key, "a string", \.stringValue)
    }

    func integer(_ key: StaticString, atLeast least: Int) throws(RecordFormatError) -> Int {
        try required(key, optionalInteger(key, atLeast: least), "an integer")
    }

    func optionalInteger(_ key: StaticString, atLeast least: Int) throws(RecordFormatError) -> Int? {
        guard let value = try optional(key, "an integer", \.integerValue) else { return nil }
        guard value >= least else {
            throw error(key, expected: "an integer from \(least)", found: "\(value)")
        }
        return value
    }

    func bool(_ key: StaticString) throws(RecordFormatError) -> Bool {
        try required(key, optional(key, "a boolean", \.boolValue), "a boolean")
    }

    func optionalBool(_ key: StaticString) throws(RecordFormatError) -> Bool? {
        try optional(key, "a boolean", \.boolValue)
    }

    /// One of an enumeration's names.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: StaticString,
        _: Choice.Type = Choice.self
    ) throws(RecordFormatError) -> Choice {
        let name = try text(key)
        guard let choice = Choice(rawValue: name) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw error(key, expected: "one of \(names)", found: "'\(name.prefix(64))'")
        }
        return choice
    }

    func fields(_ key: StaticString) throws(RecordFormatError) -> RecordFields {
        let object = try required(key, optional(key, "an object") { $0.isObject ? $0 : nil }, "an object")
        return RecordFields(object: object, path: path.map { "\($0)\(key)." })
    }

    func list<Element>(
        _ key: StaticString,
        _ read: (RecordFields) throws(RecordFormatError) -> Element
    ) throws(RecordFormatError) -> [Element] {
        let parts = try array(key)
        var elements: [Element] = []
        elements.reserveCapacity(parts.count)
        for (index, part) in parts.enumerated() {
            guard part.isObject else {
                throw error(key, "[\(index)]", expected: "an object", found: part.typeName)
            }
            elements.append(try read(RecordFields(object: part, path: path.map { "\($0)\(key)[\(index)]." })))
        }
        return elements
    }

    func texts(_ key: StaticString) throws(RecordFormatError) -> [String] {
        let parts = try array(key)
        let texts = parts.compactMap(\.stringValue)
        guard texts.count == parts.count else {
            throw error(key, expected: "strings", found: "something else among them")
        }
        return texts
    }

    /// An object whose members are all of one type.
    func map<Value>(
        _ key: StaticString,
        _ expected: String,
        _ value: (JSONPart) -> Value?
    ) throws(RecordFormatError) -> [String: Value] {
        let members = try fields(key).object.members
        guard !members.isEmpty else { return [:] }
        var map: [String: Value] = [:]
        for (name, member) in members {
            guard let value = value(member) else {
                throw error(key, ".\(name)", expected: expected, found: member.typeName)
            }
            map[name] = value
        }
        return map
    }

    private func optional<Value>(
        _ key: StaticString,
        _ expected: String,
        _ value: (JSONPart) -> Value?
    ) throws(RecordFormatError) -> Value? {
        guard let member = object[key], !member.isNull else { return nil }
        guard let value = value(member) else { throw error(key, expected: expected, found: member.typeName) }
        return value
    }

    private func required<Value>(
        _ key: StaticString,
        _ value: Value?,
        _ expected: String
    ) throws(RecordFormatError) -> Value {
        guard let value else { throw error(key, expected: expected, found: "nothing") }
        return value
    }

    private func array(_ key: StaticString) throws(RecordFormatError) -> [JSONPart] {
        try required(key, optional(key, "an array") { $0.isArray ? $0.elements : nil }, "an array")
    }

    private func error(
        _ key: StaticString,
        _ rest: String = "",
        expected: String,
        found: String
    ) -> RecordFormatError {
        RecordFormatError(field: "\(path ?? "")\(key)\(rest)", expected: expected, found: found)
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
