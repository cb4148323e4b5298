extension JSONValue {
    /// Reads one JSON text.
    ///
    /// Strict as RFC 8259 allows: UTF-8 without byte order mark, no duplicate member, no lone surrogate, nothing but
    /// white space after the value, every number within the range of a `Double`.
    /// - Throws: a ``JSONError`` with the place of the first offence.
    public init(parsing bytes: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, limits: limits)
        try parser.parseText()
        var tree = JSONTree(bytes: bytes, nodes: parser.nodes, strings: parser.strings, position: 0)
        self = tree.value()
    }

    /// Reads one JSON text, as ``init(parsing:limits:)-(Span<UInt8>,_)`` does.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// Reads one JSON text, as ``init(parsing:limits:)-(Span<UInt8>,_)`` does.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8).span, limits: limits)
    }
}
