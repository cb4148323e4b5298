/// Splits an interface file into names and punctuation, each with the comment in front of it.
struct VarlinkInterfaceScanner {
    struct Token {
        enum Kind: Equatable {
            /// Letters, digits, `_`, `-` and `.` in a row, starting with a letter.
            case word(String)
            /// One of `( ) : , ? -> [] [string]`.
            case punctuation(String)
            case end
        }

        let kind: Kind
        /// The comment lines directly above, without `#` and one blank. A comment at the end of a line does not count.
        let documentation: String
        let offset: Int

        /// The token as error messages show it.
        var description: String {
            switch kind {
            case .word(let text), .punctuation(let text): "'\(text)'"
            case .end: "the end"
            }
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() throws(VarlinkSyntaxError) -> Token {
        let documentation = skipWhiteSpaceAndComments()
        let start = position
        guard let byte = peek else { return Token(kind: .end, documentation: documentation, offset: start) }
        if VarlinkName.isLetter(byte) {
            while let byte = peek, Self.isWordByte(byte) { position += 1 }
            let word = String(decoding: bytes[start..<position], as: UTF8.self)
            return Token(kind: .word(word), documentation: documentation, offset: start)
        }
        for punctuation in ["(", ")", ":", ",", "?", "->", "[]", "[string]"] where take(punctuation) {
            return Token(kind: .punctuation(punctuation), documentation: documentation, offset: start)
        }
        if byte == UInt8(ascii: "[") { throw failure("expected '[]' or '[string]'", at: start) }
        throw failure("unexpected \(Self.name(of: byte))", at: start)
    }

    func failure(_ reason: String, at offset: Int) -> VarlinkSyntaxError {
        let before = bytes[..<min(offset, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = before.count { $0 == 0x0A } + 1
        return VarlinkSyntaxError(reason: reason, line: line, column: offset - lineStart + 1)
    }

    /// A comment counts only if nothing stands in front of it on its line and no empty line follows it.
    private mutating func skipWhiteSpaceAndComments() -> String {
        var lines: [String] = []
        var startsLine = position == 0
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0D: position += 1
            case 0x0A:
                position += 1
                if startsLine { lines = [] }
                startsLine = true
            case UInt8(ascii: "#"):
                let start = position + 1
                while let byte = peek, byte != 0x0A { position += 1 }
                if startsLine {
                    // By bytes, because a blank with a combining mark behind it is one `Character`.
                    var line = bytes[start..<position]
                    if line.first == 0x20 { line.removeFirst() }
                    while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
                    lines.append(String(decoding: line, as: UTF8.self))
                }
                // The line break that ends the comment does not count as an empty line.
                if peek != nil { position += 1 }
                startsLine = true
            default: return lines.joined(separator: "\n")
            }
        }
        return lines.joined(separator: "\n")
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        VarlinkName.isLetterOrDigit(byte) || "_.-".utf8.contains(byte)
    }

    private static func name(of byte: UInt8) -> String {
        guard (0x21...0x7E).contains(byte) else { return "byte 0x\(String(byte, radix: 16, uppercase: true))" }
        return "'\(Character(Unicode.Scalar(byte)))'"
    }
}
