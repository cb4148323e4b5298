/// Makes values of the parts that the parser found; its recursion is bounded as the parser's was.
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

    /// The value here; goes on to what follows it.
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
        var object = JSONObject(capacity: node.value)
        while position < node.next {
            let name = string()
            object.append(name, value())
        }
        return object
    }

    private mutating func array(_ node: JSONNode) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        elements.reserveCapacity(node.value)
        while position < node.next { elements.append(value()) }
        return elements
    }
}

extension Span<UInt8> {
    /// The bytes as text; only for ranges known to be ASCII.
    func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
