/// Writes values as JSON text.
struct JSONWriter {
    let layout: JSONValue.Layout
    var bytes: [UInt8] = []
    private var level = 0

    init(layout: JSONValue.Layout) {
        self.layout = layout
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): write(value)
        case .number(let value) where value.isFinite: bytes.append(contentsOf: value.description.utf8)
        case .number: append("null")
        case .string(let value): write(value)
        case .array(let elements):
            open(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                separate(&isFirst)
                write(element)
            }
            close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
        case .object(let members):
            open(UInt8(ascii: "{"))
            var isFirst = true
            for (key, member) in members {
                separate(&isFirst)
                write(key)
                bytes.append(UInt8(ascii: ":"))
                if layout == .indented { bytes.append(UInt8(ascii: " ")) }
                write(member)
            }
            close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
        }
    }

    mutating func write(_ integer: Int) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        // The last digit is found first.
        let first = bytes.count
        var rest = integer.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[first...].reverse()
    }

    mutating func write(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        let isWritten = string.withUTF8 { text in
            guard Self.isPlain(text) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if !isWritten { writeEscaped(string) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the string needs no escape, as almost all strings.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in text {
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private mutating func writeEscaped(_ string: String) {
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20, 0x7F:
                append("\\u00")
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            default: bytes.append(byte)
            }
        }
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        level += 1
    }

    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        bytes.append(bracket)
    }

    private mutating func breakLine() {
        guard layout == .indented else { return }
        append("\n")
        for _ in 0..<level { append("  ") }
    }

    private mutating func append(_ string: StaticString) {
        string.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}

extension String {
    /// How many bytes the text takes in JSON, without the quotes.
    package var lengthInJSON: Int {
        var length = 0
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: length += 2
            case 0..<0x20, 0x7F: length += 6
            default: length += 1
            }
        }
        return length
    }
}

extension JSONValue {
    /// How a value is laid out in text.
    public enum Layout: Hashable, Sendable {
        /// One line without white space.
        case compact
        /// One member or element per line, indented by two spaces a level.
        case indented
    }

    /// Appends the value as UTF-8. An infinity or a NaN, for which JSON has no notation, is written as `null`.
    package func write(to bytes: inout [UInt8], layout: Layout = .compact) {
        var writer = JSONWriter(layout: layout)
        swap(&writer.bytes, &bytes)
        writer.write(self)
        swap(&writer.bytes, &bytes)
    }

    /// The value as JSON text. An infinity or a NaN, for which JSON has no notation, is written as `null`.
    public func text(_ layout: Layout = .compact) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, layout: layout)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON text on one line.
    public var description: String { text() }
}
