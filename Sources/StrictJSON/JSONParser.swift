internal import Basics

/// A recursive-descent parser over borrowed bytes; its recursion is bounded by ``JSONLimits/depth``.
///
/// It finds the parts of a text; ``JSONTree`` makes values of them.
struct JSONParser: ~Escapable {
    private let bytes: Span<UInt8>
    private let limits: JSONLimits
    private var position = 0
    private var depth = 0
    /// The parts in the order written.
    private(set) var nodes: [JSONNode] = []
    /// The strings whose characters differ from the bytes written.
    private(set) var strings: [String] = []

    /// Up to this many names of an object are compared one by one, which is faster than hashing them.
    private static let compared = 16

    @_lifetime(copy bytes)
    init(bytes: Span<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        nodes.reserveCapacity(min(bytes.count / 8 + 4, 4_096))
    }

    mutating func parseText() throws(JSONError) {
        skipWhiteSpace()
        try parseValue()
        skipWhiteSpace()
        guard position == bytes.count else { throw failure("unexpected \(found) after the value") }
    }

    // MARK: - Values

    private mutating func parseValue() throws(JSONError) {
        switch peek {
        case UInt8(ascii: "{"): try parseObject()
        case UInt8(ascii: "["): try parseArray()
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "t"): try parseLiteral("true", .yes)
        case UInt8(ascii: "f"): try parseLiteral("false", .no)
        case UInt8(ascii: "n"): try parseLiteral("null", .null)
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): try parseNumber()
        default: throw failure("expected a value, found \(found)")
        }
    }

    private mutating func add(_ kind: JSONNode.Kind, _ value: Int = 0, length: Int = 0) {
        nodes.append(JSONNode(kind, at: nodes.count, value, length: length))
    }

    private mutating func parseLiteral(_ literal: StaticString, _ kind: JSONNode.Kind) throws(JSONError) {
        let start = position
        for index in 0..<literal.utf8CodeUnitCount {
            guard peek == literal.utf8Start[index] else { throw failure("expected '\(literal)'", at: start) }
            position += 1
        }
        add(kind)
    }

    private mutating func parseObject() throws(JSONError) {
        try enter()
        let object = nodes.count
        add(.object, position)
        position += 1
        skipWhiteSpace()
        if take(UInt8(ascii: "}")) { return close(object, 0) }
        var names: Set<ByteKey> = []
        var count = 0
        while true {
            guard peek == UInt8(ascii: "\"") else {
                // A comma stands in front of it if this is not the first.
                let after = count > 0 ? " after the comma" : ""
                throw failure("expected a member name in double quotes\(after), found \(found)")
            }
            let nameStart = position
            let name = nodes.count
            try parseString()
            guard isNew(name, in: object, count, &names) else {
                throw failure("the member \(string(nodes[name]).quotedForMessage) appears twice", at: nameStart)
            }
            skipWhiteSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':', found \(found)") }
            skipWhiteSpace()
            try parseValue()
            count += 1
            skipWhiteSpace()
            if take(UInt8(ascii: ",")) {
                skipWhiteSpace()
                continue
            }
            guard take(UInt8(ascii: "}")) else { throw failure("expected ',' or '}', found \(found)") }
            close(object, count)
            return
        }
    }

    private mutating func parseArray() throws(JSONError) {
        try enter()
        let array = nodes.count
        add(.array, position)
        position += 1
        skipWhiteSpace()
        if take(UInt8(ascii: "]")) { return close(array, 0) }
        var count = 0
        while true {
            try parseValue()
            count += 1
            skipWhiteSpace()
            if take(UInt8(ascii: ",")) {
                skipWhiteSpace()
                continue
            }
            guard take(UInt8(ascii: "]")) else { throw failure("expected ',' or ']', found \(found)") }
            close(array, count)
            return
        }
    }

    private mutating func close(_ container: Int, _ count: Int) {
        nodes[container].count = UInt32(truncatingIfNeeded: count)
        nodes[container].length = position - nodes[container].value
        nodes[container].next = nodes.count
        depth -= 1
    }

    /// Whether none of the object's `count` members has the name at this position. Once there are many, `names` has them.
    private func isNew(_ name: Int, in object: Int, _ count: Int, _ names: inout Set<ByteKey>) -> Bool {
        if count > Self.compared { return names.insert(ByteKey(string(nodes[name]))).inserted }
        var member = object + 1
        for _ in 0..<count {
            if isEqual(nodes[member], nodes[name]) { return false }
            if count == Self.compared { names.insert(ByteKey(string(nodes[member]))) }
            member = nodes[member + 1].next
        }
        if count == Self.compared { names.insert(ByteKey(string(nodes[name]))) }
        return true
    }

    private func isEqual(_ one: JSONNode, _ other: JSONNode) -> Bool {
        guard one.kind == .text, other.kind == .text else { return string(one).hasSameBytes(as: string(other)) }
        guard one.length == other.length else { return false }
        for index in 0..<one.length where bytes[one.value + index] != bytes[other.value + index] { return false }
        return true
    }

    private func string(_ node: JSONNode) -> String {
        node.kind == .text ? bytes.text(node.value..<(node.value + node.length)) : strings[node.value]
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= limits.depth else { throw failure("nested deeper than \(limits.depth) levels") }
    }

    // MARK: - Numbers

    private mutating func parseNumber() throws(JSONError) {
        let start = position
        let negative = take(UInt8(ascii: "-"))
        var magnitude: UInt64 = 0
        var fits = true
        let digitsStart = position
        while let digit = peekDigit {
            let (product, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
            fits = fits && !overflowed && !carried
            magnitude = sum
            position += 1
        }
        guard position > digitsStart else { throw failure("expected a digit, found \(found)") }
        guard bytes[digitsStart] != UInt8(ascii: "0") || position == digitsStart + 1 else {
            throw failure("a number must not begin with 0", at: start)
        }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        // "-0" is the double -0.0: as an integer its sign would be lost.
        if isInteger, fits, !(negative && magnitude == 0) {
            if !negative, let value = Int(exactly: magnitude) { return add(.integer, value) }
            if negative, magnitude <= UInt64(Int.max) + 1 {
                return add(.integer, Int(truncatingIfNeeded: 0 &- magnitude))
            }
        }
        guard let value = Double(bytes.text(start..<position)), value.isFinite else {
            throw failure("the number is out of range", at: start)
        }
        add(.number, Int(truncatingIfNeeded: value.bitPattern))
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while peekDigit != nil { position += 1 }
        guard position > start else { throw failure("expected a digit, found \(found)") }
    }

    private var peekDigit: UInt8? {
        guard let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return byte - UInt8(ascii: "0")
    }

    // MARK: - Strings

    private mutating func parseString() throws(JSONError) {
        let opening = position
        position += 1
        let start = position
        var isASCII = true
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw failure("a control character must be escaped in a string") }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        guard peek != nil else { throw failure("the string is not closed", at: opening) }
        if peek == UInt8(ascii: "\"") {
            if isASCII {
                add(.text, start, length: position - start)
            } else {
                try add(validatedText(start..<position), at: opening)
            }
            position += 1
        } else {
            try add(parseEscapedString(opening: opening, start: start), at: opening)
        }
    }

    /// Adds a string that was found at `start`.
    private mutating func add(_ string: String, at start: Int) throws(JSONError) {
        if limits.boundsMarks, string.excessMark != nil {
            throw failure("the string has more than \(MarkCounter.limit) combining marks in a row", at: start)
        }
        add(.string, strings.count)
        strings.append(string)
    }

    /// The slow path, for a string with escapes: its bytes are collected before they become a string.
    private mutating func parseEscapedString(opening: Int, start: Int) throws(JSONError) -> String {
        var copy: [UInt8] = []
        for index in start..<position { copy.append(bytes[index]) }
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: copy, as: UTF8.self) else {
                    throw failure("the string is not UTF-8", at: opening)
                }
                return string
            case UInt8(ascii: "\\"):
                copy.append(contentsOf: String(try parseEscape()).utf8)
            case 0..<0x20:
                throw failure("a control character must be escaped in a string")
            default:
                copy.append(byte)
                position += 1
            }
        }
        throw failure("the string is not closed", at: opening)
    }

    private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let byte = peek else { throw failure("the escape is incomplete", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw failure("unknown escape", at: start)
        }
        let unit = try parseHexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(unit)), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw failure("a surrogate must come in a pair", at: start)
        }
        let trail = try parseHexUnit()
        guard UTF16.isTrailSurrogate(UInt16(truncatingIfNeeded: trail)),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (trail - 0xDC00))
        else { throw failure("a surrogate must come in a pair", at: start) }
        return scalar
    }

    private mutating func parseHexUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap(Self.hexadecimalDigit) else {
                throw failure("expected four hexadecimal digits, found \(found)")
            }
            unit = unit << 4 + digit
            position += 1
        }
        return unit
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
        default: nil
        }
    }

    private func validatedText(_ range: Range<Int>) throws(JSONError) -> String {
        let string = bytes.extracting(range).withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let string else { throw failure("the string is not UTF-8", at: range.lowerBound) }
        return string
    }

    // MARK: - Bytes

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private var found: String {
        guard let byte = peek else { return "the end" }
        guard (0x21...0x7E).contains(byte) else {
            return "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
        return "'\(Character(Unicode.Scalar(byte)))'"
    }

    private func failure(_ reason: String, at offset: Int? = nil) -> JSONError {
        let offset = offset ?? position
        var line = 1
        var lineStart = 0
        for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return JSONError(reason: reason, offset: offset, line: line, column: offset - lineStart + 1)
    }
}

/// Bounds beyond which a JSON text is refused.
public struct JSONLimits: Hashable, Sendable {
    /// How deep arrays and objects may nest, from 0 to 512; 1 allows `[]` but not `[[]]`.
    public var depth: Int
    /// Whether a string may have at most 30 combining marks in a row (the Stream-Safe Text Format, UAX #15). Without this bound,
    /// comparing strings of the text with `==` can take time in proportion to the square of their length.
    package var boundsMarks = true

    /// Allows `depth` levels of nesting, brought into the range from 0 to 512.
    public init(depth: Int = 64) {
        self.depth = min(max(depth, 0), 512)
    }
}

extension JSONValue {
    /// Parses one JSON text.
    ///
    /// It is as strict as RFC 8259 allows: UTF-8 without byte order mark, no duplicate member, no lone surrogate, nothing
    /// but white space after the value, every number within the range of a `Double`. No string has more than 30 combining marks
    /// in a row.
    /// - Throws: a ``JSONError`` with the place of the first mistake.
    public init(parsing bytes: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, limits: limits)
        try parser.parseText()
        var tree = JSONTree(bytes: bytes, nodes: parser.nodes, strings: parser.strings, position: 0)
        self = tree.value()
    }

    /// Parses one JSON text, by the rules of ``init(parsing:limits:)-(Span<UInt8>,_)``.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: bytes.elements, limits: limits)
    }

    /// Parses one JSON text, by the rules of ``init(parsing:limits:)-(Span<UInt8>,_)``.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8).elements, limits: limits)
    }
}
