internal import Basics

/// A parsed JSON text whose values are made on demand. It is cheaper than a tree of values for a reader that needs few of
/// them, or each only once.
package final class JSONDocument: Sendable {
    fileprivate let bytes: [UInt8]
    fileprivate let nodes: [JSONNode]
    fileprivate let strings: [String]

    /// Parses one JSON text, by the rules of ``JSONValue/init(parsing:limits:)-(Span<UInt8>,_)``.
    /// - Throws: a ``JSONError`` with the place of the first mistake.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = JSONParser(bytes: bytes.elements, limits: limits)
        try parser.parseText()
        nodes = parser.nodes
        strings = parser.strings
        self.bytes = bytes
    }

    fileprivate func text(_ node: JSONNode) -> String {
        String(decoding: bytes[node.value..<(node.value + node.length)], as: UTF8.self)
    }

    /// The position of the value of the member `name` of the object at `position`.
    fileprivate func position(of name: UnsafeBufferPointer<UInt8>, inObjectAt position: Int) -> Int? {
        nodes.withUnsafeBufferPointer { nodes in
            let end = nodes[position].next
            var position = position + 1
            while position < end {
                if isNamed(nodes[position], name) { return position + 1 }
                position = nodes[position + 1].next
            }
            return nil
        }
    }

    private func isNamed(_ node: JSONNode, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard node.kind == .text else { return strings[node.value].utf8.elementsEqual(name) }
        guard node.length == name.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<name.count where bytes[node.value + index] != name[index] { return false }
            return true
        }
    }

    /// The value that the text consists of.
    package var root: JSONPart { JSONPart(document: self, position: 0) }
}

/// One value in a ``JSONDocument``, made on demand. It keeps the whole document alive.
package struct JSONPart: Sendable {
    fileprivate let document: JSONDocument
    fileprivate let position: Int

    private var node: JSONNode { document.nodes[position] }

    /// The name of the value's JSON type, as ``JSONValue/typeName``.
    package var typeName: String {
        switch node.kind {
        case .null: "null"
        case .no, .yes: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .text, .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    package var isNull: Bool { node.kind == .null }

    package var isObject: Bool { node.kind == .object }

    package var isArray: Bool { node.kind == .array }

    package var boolValue: Bool? {
        switch node.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    package var integerValue: Int? {
        let node = node
        return node.kind == .integer ? node.value : nil
    }

    package var stringValue: String? {
        let node = node
        switch node.kind {
        case .text: return document.text(node)
        case .string: return document.strings[node.value]
        default: return nil
        }
    }

    /// The value as a tree.
    package var value: JSONValue {
        let bytes = document.bytes
        var tree = JSONTree(bytes: bytes.elements, nodes: document.nodes, strings: document.strings, position: position)
        return tree.value()
    }

    /// An object or array as it is written; `nil` for any other type.
    package var written: ArraySlice<UInt8>? {
        let node = node
        guard isObject || isArray else { return nil }
        return document.bytes[node.value..<(node.value + node.length)]
    }

    /// The members of an object as values; `nil` for any other type.
    package var objectValue: JSONObject? { isObject ? value.objectValue : nil }

    /// The elements of an array; none for any other type.
    package var elements: [JSONPart] {
        let node = node
        guard node.kind == .array else { return [] }
        var elements: [JSONPart] = []
        elements.reserveCapacity(Int(node.count))
        var position = position + 1
        while position < node.next {
            elements.append(JSONPart(document: document, position: position))
            position = document.nodes[position].next
        }
        return elements
    }

    /// The members of an object in the order written; none for any other type.
    package var members: [(name: String, value: JSONPart)] {
        let node = node
        guard node.kind == .object else { return [] }
        var members: [(name: String, value: JSONPart)] = []
        members.reserveCapacity(Int(node.count))
        var position = position + 1
        while position < node.next {
            let name = JSONPart(document: document, position: position)
            members.append((name.stringValue ?? "", JSONPart(document: document, position: position + 1)))
            position = document.nodes[position + 1].next
        }
        return members
    }

    /// The value of this member; `nil` if this is not an object or has no such member.
    package subscript(name: String) -> JSONPart? {
        guard isObject else { return nil }
        var name = name
        let place = name.withUTF8 { document.position(of: $0, inObjectAt: position) }
        return place.map { JSONPart(document: document, position: $0) }
    }
}
