extension JSONValue {
    /// How a value is laid out when it is written.
    public enum Layout: Hashable, Sendable {
        /// One line without white space.
        case compact
        /// One member or element per line, indented by two spaces a level.
        case indented
    }

    /// Appends the value as UTF-8. An infinity or NaN, which JSON cannot say, is written as `null`.
    public func write(to bytes: inout [UInt8], layout: Layout = .compact) {
        var writer = JSONWriter(layout: layout)
        swap(&writer.bytes, &bytes)
        writer.write(self)
        swap(&writer.bytes, &bytes)
    }

    /// The value as text.
    public func text(_ layout: Layout = .compact) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, layout: layout)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue: CustomStringConvertible {
    public var description: String { text() }
}
