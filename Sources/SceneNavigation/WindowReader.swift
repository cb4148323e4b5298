internal import StrictJSON

/// Reads one object of a window's JSON strictly: a wrong type, a missing and an unknown member are errors with their
/// place.
struct WindowReader {
    let object: JSONObject
    private let path: String

    init(_ value: JSONValue, path: String = "") throws(WindowFormatError) {
        guard let object = value.objectValue else {
            throw WindowFormatError(path: path, expected: "object", found: value.typeName)
        }
        self.object = object
        self.path = path
    }

    /// Refuses every other member: what this version would lose on the way must not look as if it were kept.
    func allow(_ members: [String]) throws(WindowFormatError) {
        for (key, _) in object where !members.contains(key) {
            throw WindowFormatError(
                path: place(key.prefix(64)),
                expected: "one of the members \(members.joined(separator: ", "))",
                found: "a member of another name"
            )
        }
    }

    /// A text of at least one character.
    func text(_ key: String) throws(WindowFormatError) -> String {
        guard let text = object[key]?.stringValue else { throw mismatch(key, "string") }
        guard !text.isEmpty else { throw error(key, "a name", "an empty string") }
        return text
    }

    /// A text, or nothing where the member is absent or null.
    func optionalText(_ key: String) throws(WindowFormatError) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        return try text(key)
    }

    /// A boolean; absent and null are false.
    func flag(_ key: String) throws(WindowFormatError) -> Bool {
        guard let value = object[key], !value.isNull else { return false }
        guard let flag = value.boolValue else { throw mismatch(key, "boolean") }
        return flag
    }

    func optionalObject(_ key: String) throws(WindowFormatError) -> WindowReader? {
        guard let value = object[key], !value.isNull else { return nil }
        return try WindowReader(value, path: place(key))
    }

    /// A list of objects, each read by `read`.
    func list<Element>(
        _ key: String,
        _ read: (WindowReader) throws(WindowFormatError) -> Element
    ) throws(WindowFormatError) -> [Element] {
        guard let values = object[key]?.arrayValue else { throw mismatch(key, "array") }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            elements.append(try read(try WindowReader(value, path: "\(place(key))[\(index)]")))
        }
        return elements
    }

    /// The same, of at least one.
    func nonEmptyList<Element>(
        _ key: String,
        _ read: (WindowReader) throws(WindowFormatError) -> Element
    ) throws(WindowFormatError) -> [Element] {
        let elements = try list(key, read)
        guard !elements.isEmpty else { throw error(key, "at least one element", "an empty array") }
        return elements
    }

    func mismatch(_ key: String, _ expected: String) -> WindowFormatError {
        error(key, expected, object[key]?.typeName ?? "nothing")
    }

    func error(_ key: String, _ expected: String, _ found: String) -> WindowFormatError {
        WindowFormatError(path: place(key), expected: expected, found: found)
    }

    private func place(_ key: some StringProtocol) -> String { path.isEmpty ? String(key) : "\(path).\(key)" }
}
