/// Makes values of the parts that the parser found. It recurses no deeper than the parser did.
struct JSONTree: ~Escapable {
    private let bytes: Span<UInt8>
    private let nodes: [JSONNode]
    private let strings: [String]
    private var position: Int

    @_lifetime(copy bytes)
    init(bytes: Span<UInt8>, nodes: [JSONNode], strings: [String], position: Int) {
        self.bytes = bytes
        self.nodes = nodes
        self.strings = strings
        self.position = position
    }

    /// Returns the value at the current position and moves past it.
    mutating func value() -> JSONValue {
        let node = nodes[position]
        switch node.kind {
        case .object: return .object(object(node))
        case .array: return .array(array(node))
        case .text, .string: return .string(string())
        case .integer:
            position += 1
            return .integer(node.value)
        case .number:
            position += 1
            return .number(Double(bitPattern: UInt64(bitPattern: Int64(node.value))))
        case .null, .no, .yes:
            position += 1
            return node.kind == .null ? .null : .bool(node.kind == .yes)
        }
    }

    private mutating func string() -> String {
        let node = nodes[position]
        position += 1
        return node.kind == .text ? bytes.text(node.value..<(node.value + node.length)) : strings[node.value]
    }

    private mutating func object(_ node: JSONNode) -> JSONObject {
        position += 1
        var object = JSONObject(capacity: Int(node.count))
        while position < node.next {
            let name = string()
            object.append(name, value())
        }
        return object
    }

    private mutating func array(_ node: JSONNode) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        elements.reserveCapacity(Int(node.count))
        while position < node.next { elements.append(value()) }
        return elements
    }
}

/// One part of a JSON text as the parser found it: a value, or the name of a member in front of its value.
///
/// Parts follow each other in the order written, a container before its contents. So a text of any shape takes two
/// allocations: one for its parts, one for the strings whose characters differ from the bytes written.
struct JSONNode {
    enum Kind: UInt8 {
        case null, no, yes, integer, number
        /// A string whose characters are the bytes written.
        case text
        /// A string with escapes or characters beyond ASCII.
        case string
        case array, object
    }

    let kind: Kind
    /// How many elements or members a container has; it takes no room of its own beside the kind.
    var count: UInt32 = 0
    /// The position of the part after this one and its contents.
    var next: Int
    /// By kind: the integer, the number's bits, the offset of the first byte of a text or container, or the string's
    /// position among the strings.
    let value: Int
    /// The length of a text or container in bytes.
    var length: Int

    /// A part at `position` without contents.
    init(_ kind: Kind, at position: Int, _ value: Int = 0, length: Int = 0) {
        self.kind = kind
        self.value = value
        self.length = length
        next = position + 1
    }
}

extension Span<UInt8> {
    /// The bytes in `range` as text. They must be ASCII.
    func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
