internal import StrictJSON

extension ReplayFile {
    /// The name in the file's first member, by which it is told from other JSON.
    static let format = "interleaving-replay"

    /// The file, as UTF-8.
    public var bytes: [UInt8] {
        var object: JSONObject = [
            "format": .string(Self.format),
            "version": .integer(Self.version),
            "test": .string(test),
            "toolchain": .string(build.toolchain),
            "configuration": .string(build.configuration),
            "mailbox": .string(mailbox.rawValue),
            "control": .string(control.rawValue),
            "seed": .hexadecimal(seed),
            "deviations": .array(schedule.deviations.map { [.integer($0.step), .integer($0.position)] }),
        ]
        if !faults.isEmpty {
            object["faults"] = .array(faults.kinds.map { .string($0.text) })
            object["faultLimit"] = .integer(faults.limit)
        }
        if !deleted.isEmpty { object["deleted"] = .array(deleted.map { .integer($0) }) }
        if let strategy { object["strategy"] = .string(strategy) }
        if let verdict { object["verdict"] = .string(verdict) }
        if let steps { object["steps"] = .integer(steps) }
        if let traceHash { object["traceHash"] = .hexadecimal(traceHash) }
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes, layout: .indented)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Reads a file.
    /// - Throws: ``ReplayFileError``, which says what is wrong, where, and what would be right.
    public init(parsing bytes: [UInt8]) throws(ReplayFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw ReplayFileError(line: error.line, column: error.column, problem: "it is not JSON: \(error.reason)")
        }
        let reader = ReplayFileReader(value, in: bytes)
        try reader.requireHeader()
        test = try reader.string("test")
        seed = try reader.hexadecimal("seed")
        schedule = Schedule(try reader.deviations("deviations"))
        deleted = try reader.numbers("deleted")
        mailbox = try reader.oneOf("mailbox")
        control = try reader.oneOf("control")
        let kinds = try reader.faults("faults")
        faults = kinds.isEmpty ? .none : Faults(kinds, limit: try reader.optionalNumber("faultLimit") ?? 1)
        build = Build(toolchain: try reader.string("toolchain"), configuration: try reader.string("configuration"))
        strategy = try reader.optionalString("strategy")
        verdict = try reader.optionalString("verdict")
        steps = try reader.optionalNumber("steps")
        traceHash = try reader.optionalHexadecimal("traceHash")
    }
}

extension JSONValue {
    /// 64 bits, which no JSON number has.
    static func hexadecimal(_ number: UInt64) -> JSONValue { .string("0x" + String(number, radix: 16)) }

    /// The number that ``hexadecimal(_:)`` wrote.
    var hexadecimalValue: UInt64? {
        guard let text = stringValue, text.hasPrefix("0x") else { return nil }
        return UInt64(text.dropFirst(2), radix: 16)
    }
}

/// A file that holds no run.
public struct ReplayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; columns count bytes.
    public let line: Int
    public let column: Int
    /// What is wrong and what would be right.
    public let problem: String

    public init(line: Int, column: Int, problem: String) {
        self.line = line
        self.column = column
        self.problem = problem
    }

    public var description: String { "line \(line), column \(column): \(problem)" }
}
