/// Reads typed values out of a JSON value; a value of the wrong type is a ``JSONFieldError`` with its path.
///
/// It reads a tree as well as a ``JSONDocument``. Reading a whole value takes time in proportion to its length.
package struct JSONReader: Sendable {
    private enum Source {
        case nothing
        case value(JSONValue)
        case part(JSONPart)
    }

    /// The path to an object or an array. Only these have one of their own, so that a text or a number allocates nothing.
    private final class Way: Sendable {
        let parent: Way?
        let step: JSONPath.Step

        init(_ parent: Way?, _ step: JSONPath.Step) {
            self.parent = parent
            self.step = step
        }
    }

    private let source: Source
    private let way: Way?
    /// The last step, if this is neither an object nor an array.
    private let step: JSONPath.Step?
    private let keepsPath: Bool
    private let isNullAbsent: Bool

    private init(_ source: Source, _ way: Way?, _ step: JSONPath.Step?, keepsPath: Bool, isNullAbsent: Bool) {
        self.source = source
        self.way = way
        self.step = step
        self.keepsPath = keepsPath
        self.isNullAbsent = isNullAbsent
    }

    /// A reader of a value.
    /// - Parameter isNullAbsent: whether a member that is `null` counts as absent.
    package init(_ value: JSONValue, isNullAbsent: Bool = true) {
        self.init(.value(value), nil, nil, keepsPath: true, isNullAbsent: isNullAbsent)
    }

    /// A reader of an object.
    /// - Parameter isNullAbsent: whether a member that is `null` counts as absent.
    package init(_ object: JSONObject, isNullAbsent: Bool = true) {
        self.init(.object(object), isNullAbsent: isNullAbsent)
    }

    /// A reader of a value in a document; a member that is `null` counts as absent.
    /// - Parameter keepsPath: `false` saves the cost of paths; errors then have an empty one.
    package init(_ part: JSONPart, keepsPath: Bool = true) {
        self.init(.part(part), nil, nil, keepsPath: keepsPath, isNullAbsent: true)
    }

    // MARK: - Parts

    /// A reader of the member with this key. If the member is absent, reading a value from it throws.
    /// - Throws: an error if this is not an object.
    package subscript(key: String) -> JSONReader {
        get throws(JSONFieldError) {
            var member = Source.nothing
            switch source {
            case .value(.object(let object)):
                if let value = object[key], !(isNullAbsent && value.isNull) { member = .value(value) }
            case .part(let part) where part.isObject:
                if let value = part[key], !(isNullAbsent && value.isNull) { member = .part(value) }
            default: throw mismatch("object")
            }
            return child(member, .member(key))
        }
    }

    /// A reader of the member with this key; `nil` if the member is absent.
    /// - Throws: an error if this is not an object.
    package func optional(_ key: String) throws(JSONFieldError) -> JSONReader? {
        let member = try self[key]
        if case .nothing = member.source { return nil }
        return member
    }

    /// Readers of an object's members, in the order written.
    package func members() throws(JSONFieldError) -> [(key: String, value: JSONReader)] {
        switch source {
        case .value(.object(let object)): object.map { ($0.key, child(.value($0.value), .member($0.key))) }
        case .part(let part) where part.isObject:
            part.members.map { ($0.name, child(.part($0.value), .member($0.name))) }
        default: throw mismatch("object")
        }
    }

    /// Readers of an array's elements.
    package func elements(_ expected: String = "array") throws(JSONFieldError) -> [JSONReader] {
        switch source {
        case .value(.array(let array)): array.enumerated().map { child(.value($0.element), .element($0.offset)) }
        case .part(let part) where part.isArray:
            part.elements.enumerated().map { child(.part($0.element), .element($0.offset)) }
        default: throw mismatch(expected)
        }
    }

    /// The values that `read` takes from an object's members.
    package func mapMembers<Value>(
        _ read: (JSONReader) throws(JSONFieldError) -> Value
    ) throws(JSONFieldError) -> [String: Value] {
        var map: [String: Value] = [:]
        for (key, value) in try members() { map[key] = try read(value) }
        return map
    }

    private func child(_ source: Source, _ step: JSONPath.Step) -> JSONReader {
        guard keepsPath else { return JSONReader(source, nil, nil, keepsPath: false, isNullAbsent: isNullAbsent) }
        let isContainer =
            switch source {
            case .value(.object), .value(.array): true
            case .part(let part): part.isObject || part.isArray
            case .value, .nothing: false
            }
        let way = isContainer ? Way(self.way, step) : self.way
        return JSONReader(source, way, isContainer ? nil : step, keepsPath: true, isNullAbsent: isNullAbsent)
    }

    // MARK: - Values

    package func text() throws(JSONFieldError) -> String {
        let text: String? =
            switch source {
            case .value(let value): value.stringValue
            case .part(let part): part.stringValue
            case .nothing: nil
            }
        guard let text else { throw mismatch("string") }
        return text
    }

    /// A string of at least one character.
    package func nonEmptyText() throws(JSONFieldError) -> String {
        let text = try text()
        guard !text.isEmpty else { throw error("non-empty string", found: "empty string") }
        return text
    }

    package func texts() throws(JSONFieldError) -> [String] {
        var texts: [String] = []
        for element in try elements("array of strings") { texts.append(try element.text()) }
        return texts
    }

    /// The members of an object whose values are all strings.
    package func textMembers() throws(JSONFieldError) -> [String: String] {
        try mapMembers { (member) throws(JSONFieldError) in try member.text() }
    }

    package func bool() throws(JSONFieldError) -> Bool {
        let bool: Bool? =
            switch source {
            case .value(let value): value.boolValue
            case .part(let part): part.boolValue
            case .nothing: nil
            }
        guard let bool else { throw mismatch("boolean") }
        return bool
    }

    /// The largest integer that is read unless a range is given; the smallest is its negative. Two of them can be added, so
    /// that no number from outside overflows the sums it is used in.
    package static let largest = 1 << 62

    /// An integer from `least` to `most`, both included.
    package func integer(
        from least: Int = -largest,
        to most: Int = largest
    ) throws(JSONFieldError) -> Int {
        let integer: Int? =
            switch source {
            case .value(let value): value.integerValue
            case .part(let part): part.integerValue
            case .nothing: nil
            }
        guard let integer, least <= integer, integer <= most else {
            let isTooLarge = integer.map { $0 > most } ?? false
            let from = least == -Self.largest && integer == nil ? "" : " from \(least)"
            throw error("integer\(from)\(most == Self.largest && !isTooLarge ? "" : " to \(most)")")
        }
        return integer
    }

    /// An integer or a number from `least` to `most`, both included.
    package func number(from least: Int? = nil, to most: Int? = nil) throws(JSONFieldError) -> Double {
        if let number = value?.doubleValue, number >= least.map(Double.init) ?? -.infinity,
            number <= most.map(Double.init) ?? .infinity
        {
            return number
        }
        guard least != nil || most != nil else { throw mismatch("number") }
        throw error("number\(least.map { " from \($0)" } ?? "")\(most.map { " to \($0)" } ?? "")")
    }

    /// The case of an enumeration whose raw value is this string.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _: Choice.Type = Choice.self
    ) throws(JSONFieldError) -> Choice {
        try choice(of: Array(Choice.allCases))
    }

    /// The one of these whose raw value is this string.
    package func choice<Choice: RawRepresentable<String>>(of choices: [Choice]) throws(JSONFieldError) -> Choice {
        guard let text = try? text(), let choice = choices.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) })
        else {
            throw error(oneOf: choices.map(\.rawValue))
        }
        return choice
    }

    package func object() throws(JSONFieldError) -> JSONObject {
        guard let object = value?.objectValue else { throw mismatch("object") }
        return object
    }

    /// The value, whatever its type; `nil` if it is absent.
    package var value: JSONValue? {
        switch source {
        case .nothing: nil
        case .value(let value): value
        case .part(let part): part.value
        }
    }

    // MARK: - Errors

    /// Throws an error if the object has a member whose key is not among these.
    package func refuseMembers(besides keys: [String]) throws(JSONFieldError) {
        for (key, member) in try members() where !keys.contains(key) {
            throw member.error("one of the members \(keys.joined(separator: ", "))", found: "another member")
        }
    }

    /// Throws an error unless the members `format` and `version` of a file have these values.
    package func requireFormat(_ format: String, version: Int) throws(JSONFieldError) {
        let found = (format: try self["format"], version: try self["version"])
        guard found.format.value == .string(format) else { throw found.format.error(format.quotedForMessage) }
        guard found.version.value == .integer(version) else {
            throw found.version.error("\(version), the version that this build reads")
        }
    }

    /// The path from the root of what is read to this value.
    package var path: JSONPath {
        var steps = step.map { [$0] } ?? []
        var way = way
        while let here = way {
            steps.append(here.step)
            way = here.parent
        }
        return JSONPath(steps.reversed())
    }

    /// An error that says what would be right here, and what was found.
    /// - Parameter found: what was found; by default the value, or its type where it is long.
    package func error(_ expected: String, found: String? = nil) -> JSONFieldError {
        JSONFieldError(path: path, expected: expected, found: found ?? value?.describedForMessage ?? "nothing")
    }

    /// An error that lists the strings that would be right here, at most 16 of them: they may be from outside too.
    package func error(oneOf names: [String]) -> JSONFieldError {
        let more = names.count > 16 ? " or \(names.count - 16) more" : ""
        return error("one of \(names.prefix(16).map(\.quotedForMessage).joined(separator: ", "))\(more)")
    }

    /// An error that says what would be right here, and the type of what was found.
    package func mismatch(_ expected: String) -> JSONFieldError {
        let found =
            switch source {
            case .nothing: "nothing"
            case .value(let value): value.typeName
            case .part(let part): part.typeName
            }
        return error(expected, found: found)
    }
}
