internal import Glibc
internal import CommandMistakes
package import StrictJSON

/// Text and JSON that a person passes in a file, on standard input, or as an argument.
package enum Input {
    /// The longest input, in bytes. The daemon would refuse more anyway.
    private static let limit = 8 << 20
    /// With which some editors begin a file in UTF-8. It says nothing.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The JSON object in a file, or with `-` on standard input.
    package static func object(file path: String) throws(CommandError) -> JSONObject {
        let name = path == "-" ? "standard input" : path
        return try object(try read(path, name: name), name: name)
    }

    /// The text in a file, or with `-` on standard input.
    package static func text(file path: String) throws(CommandError) -> String {
        let name = path == "-" ? "standard input" : path
        guard let text = String(validating: try read(path, name: name), as: UTF8.self) else {
            throw .usage("\(name): not UTF-8.")
        }
        return text
    }

    /// The JSON object in an option's value.
    package static func object(_ text: String?, option: String) throws(CommandError) -> JSONObject? {
        guard let text else { return nil }
        return try object(Array(text.utf8), name: option)
    }

    /// Splits `name=value` at the first `=`.
    package static func pair(_ text: String, what: String) throws(CommandError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw .usage("'\(text)': expected a \(what) as name=value, such as \(text.filter { $0 != "=" })=1.")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// Values as `name=value`, each name once.
    package static func values(_ words: [String], what: String = "value") throws(CommandError) -> [String: String] {
        var values: [String: String] = [:]
        for word in words {
            let (name, value) = try pair(word, what: what)
            if values.updateValue(value, forKey: name) != nil {
                throw .usage("'\(name)' is given twice; expected each \(what) once.")
            }
        }
        return values
    }

    /// Facts as `name=value`. A value that is not JSON is taken as a string; JSON beyond what the daemon takes is refused.
    package static func facts(_ words: [String]) throws(CommandError) -> JSONObject {
        var facts = JSONObject()
        for word in words {
            let (name, text) = try pair(word, what: "fact")
            if facts[name] != nil { throw .usage("'\(name)' is given twice; expected each fact once.") }
            facts[name] = try fact(text, name: name)
        }
        return facts
    }

    private static func fact(_ text: String, name: String) throws(CommandError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: text)
        } catch {
            // What only a bound makes unreadable was meant as JSON; no reader goes deeper than this.
            var widest = JSONLimits(depth: 512)
            widest.boundsMarks = false
            guard (try? JSONValue(parsing: text, limits: widest)) != nil else { return .string(text) }
            throw .usage("\(error.placed(in: name)); expected JSON within these bounds.")
        }
    }

    /// The JSON object on one line.
    package static func object(line: String, name: String) throws(CommandError) -> JSONObject {
        try object(Array(line.utf8), name: name)
    }

    private static func object(_ bytes: [UInt8], name: String) throws(CommandError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
                throw .usage("\(name):1:1: empty; expected a JSON object such as {\"id\": \"p1\"}.")
            }
            let hint = name.hasPrefix("--") ? "; expected a JSON object such as {\"id\": \"p1\"}" : ""
            throw .usage("\(error.placed(in: name))\(hint).")
        }
        guard let object = value.objectValue else {
            throw .usage("\(name):1:1: expected a JSON object such as {\"id\": \"p1\"}, found \(value.typeName).")
        }
        return object
    }

    /// Why a file cannot be read, and what would be right.
    private static func unopened(_ name: String, _ error: Int32) -> String {
        let reason = "\(name): \(String(cString: strerror(error)))"
        switch error {
        case ENOENT where name.contains("{") || name.contains("["):
            return "\(reason). Give JSON on standard input: echo '…' | \(CommandName.own) … -"
        case ENOENT where name.contains("://"): return "\(reason). Expected a file, not a URL."
        case EISDIR: return "\(reason); expected a file, or - for standard input."
        case EACCES: return "\(reason); expected a file that you may read."
        default: return "\(reason)."
        }
    }

    private static func read(_ path: String, name: String) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(file: path) { chunk throws(CommandError) in
            bytes += chunk
            guard bytes.count <= limit else { throw .usage("\(name): longer than 8 MiB.") }
        }
        return bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    }

    /// Reads a file, or with `-` standard input, chunk by chunk, however long it is.
    package static func read(
        file path: String,
        _ body: (ArraySlice<UInt8>) throws(CommandError) -> Void
    ) throws(CommandError) {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage(unopened(name, errno)) }
        defer { if path != "-" { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .usage(unopened(name, errno)) }
            guard count > 0 else { return }
            try body(buffer[..<count])
        }
    }
}

extension JSONError {
    /// The place as compilers write it, and the reason: `payload.apns:1:24: expected …`.
    package func placed(in file: String, line first: Int = 1) -> String {
        "\(file):\(first + line - 1):\(column): \(reason)"
    }
}
