internal import Glibc
internal import StrictJSON

/// Text and JSON that a person passes in a file, on standard input, or as an argument.
enum Input {
    /// The longest input, in bytes. The daemon would refuse more anyway.
    private static let limit = 8 << 20

    /// The JSON object in a file, or with `-` on standard input.
    static func object(file path: String) throws(CommandError) -> JSONObject {
        let name = path == "-" ? "standard input" : path
        return try object(try read(path, name: name), name: name)
    }

    /// The text in a file, or with `-` on standard input.
    static func text(file path: String) throws(CommandError) -> String {
        let name = path == "-" ? "standard input" : path
        guard let text = String(validating: try read(path, name: name), as: UTF8.self) else {
            throw .usage("\(name): not UTF-8.")
        }
        return text
    }

    /// The JSON object in an option's value.
    static func object(_ text: String?, option: String) throws(CommandError) -> JSONObject? {
        guard let text else { return nil }
        return try object(Array(text.utf8), name: option)
    }

    /// Splits `name=value` at the first `=`.
    static func pair(_ text: String, what: String) throws(CommandError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw .usage("'\(text)': expected a \(what) as name=value.")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// Values as `name=value`, each name once.
    static func values(_ words: [String]) throws(CommandError) -> [String: String] {
        var values: [String: String] = [:]
        for word in words {
            let (name, value) = try pair(word, what: "value")
            if values.updateValue(value, forKey: name) != nil { throw .usage("'\(name)' is given twice.") }
        }
        return values
    }

    /// Facts as `name=value`. A value that is not JSON is taken as a string.
    static func facts(_ words: [String]) throws(CommandError) -> JSONObject {
        var facts = JSONObject()
        for word in words {
            let (name, text) = try pair(word, what: "fact")
            facts[name] = (try? JSONValue(parsing: text)) ?? .string(text)
        }
        return facts
    }

    /// The JSON object on one line.
    static func object(line: String, name: String) throws(CommandError) -> JSONObject {
        try object(Array(line.utf8), name: name)
    }

    private static func object(_ bytes: [UInt8], name: String) throws(CommandError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .usage("\(name): \(error).")
        }
        guard let object = value.objectValue else {
            throw .usage("\(name): expected a JSON object, found \(value.typeName).")
        }
        return object
    }

    private static func read(_ path: String, name: String) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(file: path) { chunk throws(CommandError) in
            bytes += chunk
            guard bytes.count <= limit else { throw .usage("\(name): longer than 8 MiB.") }
        }
        return bytes
    }

    /// Reads a file, or with `-` standard input, chunk by chunk, however long it is.
    static func read(
        file path: String,
        _ body: (ArraySlice<UInt8>) throws(CommandError) -> Void
    ) throws(CommandError) {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("\(name): \(String(cString: strerror(errno))).") }
        defer { if path != "-" { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .usage("\(name): \(String(cString: strerror(errno))).") }
            guard count > 0 else { return }
            try body(buffer[..<count])
        }
    }
}
