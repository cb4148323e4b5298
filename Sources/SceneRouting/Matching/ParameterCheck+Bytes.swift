extension ParameterCheck {
    /// Whether the bytes are a value of this type: the same answer as ``canonical(_:)``, mostly without a copy.
    func accepts(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty, range.count <= Self.maximumLength else { return false }
        switch self {
        case .string: return true
        case .pattern(let pattern):
            if let result = pattern.matches(ascii: bytes, range) { return result }
            return pattern.matches(bytes.text(range))
        case .integer, .uuid, .oneOf, .list: return canonical(bytes.text(range)) != nil
        }
    }

    /// Whether a text of this type is its own canonical form.
    var isCanonicalAsWritten: Bool {
        switch self {
        case .string, .pattern, .oneOf: true
        case .integer, .uuid, .list: false
        }
    }
}

extension Span<UInt8> {
    /// The bytes as text; they are known to be UTF-8.
    @inline(__always)
    func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
