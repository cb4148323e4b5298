package import StrictJSON

/// Reads the members of a reply and says which one is not as it should be.
package struct ReplyReader {
    let object: JSONObject
    private let path: String

    package init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
    }

    package func string(_ key: String) throws(UnexpectedReply) -> String {
        try require(key, "a string", object[key]?.stringValue)
    }

    package func integer(_ key: String) throws(UnexpectedReply) -> Int {
        try require(key, "an integer", object[key]?.integerValue)
    }

    package func boolean(_ key: String) throws(UnexpectedReply) -> Bool {
        try require(key, "a boolean", object[key]?.boolValue)
    }

    package func object(_ key: String) throws(UnexpectedReply) -> ReplyReader {
        ReplyReader(try rawObject(key), path: name(key))
    }

    package func rawObject(_ key: String) throws(UnexpectedReply) -> JSONObject {
        try require(key, "an object", object[key]?.objectValue)
    }

    package func objects(_ key: String) throws(UnexpectedReply) -> [ReplyReader] {
        let elements = try require(key, "an array", object[key]?.arrayValue)
        var readers: [ReplyReader] = []
        for (index, element) in elements.enumerated() {
            let path = "\(name(key))[\(index)]"
            guard let member = element.objectValue else { throw UnexpectedReply(path: path, expected: "an object") }
            readers.append(ReplyReader(member, path: path))
        }
        return readers
    }

    package func rawObjects(_ key: String) throws(UnexpectedReply) -> [JSONObject] {
        try objects(key).map(\.object)
    }

    package func strings(_ key: String) throws(UnexpectedReply) -> [String] {
        let elements = try require(key, "an array", object[key]?.arrayValue)
        let strings = elements.compactMap(\.stringValue)
        guard strings.count == elements.count else {
            throw UnexpectedReply(path: name(key), expected: "an array of strings")
        }
        return strings
    }

    package func texts(_ key: String) throws(UnexpectedReply) -> [String: String] {
        var texts: [String: String] = [:]
        for (member, value) in try rawObject(key) {
            texts[member] = try require("\(key).\(member)", "a string", value.stringValue)
        }
        return texts
    }

    /// The member if it is there and not null.
    package func optional<Value>(
        _ key: String,
        _ read: (ReplyReader, String) throws(UnexpectedReply) -> Value
    ) throws(UnexpectedReply) -> Value? {
        guard let value = object[key], !value.isNull else { return nil }
        return try read(self, key)
    }

    package func word<Word: RawRepresentable & CaseIterable>(
        _ key: String,
        as type: Word.Type
    ) throws(UnexpectedReply) -> Word where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return try require(key, "one of \(words)", Word(rawValue: try string(key)))
    }

    private func require<Value>(_ key: String, _ expected: String, _ value: Value?) throws(UnexpectedReply) -> Value {
        guard let value else { throw UnexpectedReply(path: name(key), expected: expected) }
        return value
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

/// A reply that is not what the interface promises: client and daemon are of different versions.
public struct UnexpectedReply: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the reply, such as `scene.window.tabs[0].id`.
    public let path: String
    public let expected: String

    public var description: String {
        "the daemon's reply has not \(expected) at \(path); client and daemon seem to be of different versions"
    }
}
