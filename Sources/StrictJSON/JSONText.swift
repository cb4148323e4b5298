/// A JSON text written piece by piece, with the same bytes as ``JSONValue/write(to:layout:)`` but without a tree of values,
/// which would cost several times as much as the text.
///
/// The caller has to write exactly one value, and no name twice in an object.
package struct JSONText {
    private var writer = JSONWriter(layout: .compact)
    /// Whether the next piece follows a value in the same object or array.
    private var isPreceded = false

    /// An empty text with room for `capacity` bytes.
    package init(capacity: Int = 512) {
        writer.bytes.reserveCapacity(capacity)
    }

    /// The text so far, as UTF-8.
    package var bytes: [UInt8] { writer.bytes }

    /// The length of the text so far, in bytes.
    package var count: Int { writer.bytes.count }

    /// An end of the text that ``takeBack(to:)`` can return to.
    package struct Place {
        fileprivate let count: Int
        fileprivate let isPreceded: Bool
    }

    /// Where the text ends now.
    package var end: Place { Place(count: writer.bytes.count, isPreceded: isPreceded) }

    /// Removes what was written since the text ended at `place`. The same objects and arrays must be open as then.
    package mutating func takeBack(to place: Place) {
        writer.bytes.removeLast(writer.bytes.count - place.count)
        isPreceded = place.isPreceded
    }

    /// The text as UTF-8, with the NUL that ends a message on the wire.
    package consuming func terminated() -> [UInt8] {
        writer.bytes.append(0)
        return writer.bytes
    }

    /// The value that `write` writes, as a tree.
    package static func value(_ write: (inout JSONText) -> Void) -> JSONValue {
        var text = JSONText()
        write(&text)
        var limits = JSONLimits(depth: 512)
        limits.boundsMarks = false
        return (try? JSONValue(parsing: text.bytes, limits: limits)) ?? .null
    }

    // MARK: - Values

    /// Writes an object, whose members `body` writes.
    package mutating func object(_ body: (inout JSONText) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array; `body` writes one value for each of `elements`.
    package mutating func array<Element>(_ elements: [Element], _ body: (inout JSONText, Element) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
            for element in elements { body(&json, element) }
        }
    }

    /// Writes an array, whose elements `body` writes.
    package mutating func array(_ body: (inout JSONText) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    package mutating func value(_ integer: Int) {
        separate()
        writer.write(integer)
        isPreceded = true
    }

    package mutating func value(_ string: String) {
        separate()
        writer.write(string)
        isPreceded = true
    }

    package mutating func value(_ json: JSONValue) {
        separate()
        writer.write(json)
        isPreceded = true
    }

    /// Writes a value that is JSON text already.
    package mutating func value(written text: [UInt8]) {
        separate()
        writer.bytes.append(contentsOf: text)
        isPreceded = true
    }

    // MARK: - Members

    /// Writes a member's name. The next piece must be its value. The name is not escaped.
    package mutating func name(_ name: StaticString) {
        separate()
        writer.bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { writer.bytes.append(contentsOf: $0) }
        writer.bytes.append(UInt8(ascii: "\""))
        writer.bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member whose name is not a constant, and escapes the name.
    package mutating func member(named name: String, _ value: String) {
        self.name(escaping: name)
        self.value(value)
    }

    /// Writes a member whose name is not a constant, and escapes the name.
    package mutating func member(named name: String, _ value: Bool) {
        self.name(escaping: name)
        self.value(.bool(value))
    }

    /// Writes a member whose name is not a constant, and escapes the name.
    package mutating func member(named name: String, _ value: JSONValue) {
        self.name(escaping: name)
        self.value(value)
    }

    private mutating func name(escaping name: String) {
        separate()
        writer.write(name)
        writer.bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member unless `value` is `nil`.
    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    /// Writes a member unless `value` is `nil`.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        self.value(.bool(value))
    }

    package mutating func member(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        array(texts) { $0.value($1) }
    }

    // MARK: - Punctuation

    private mutating func enclose(_ opening: UInt8, _ closing: UInt8, _ body: (inout JSONText) -> Void) {
        separate()
        writer.bytes.append(opening)
        body(&self)
        writer.bytes.append(closing)
        isPreceded = true
    }

    private mutating func separate() {
        if isPreceded { writer.bytes.append(UInt8(ascii: ",")) }
        isPreceded = false
    }
}
