// Swift compares and hashes a `String` by canonical equivalence: "é" in two encodings is one text, and a long run of combining
// marks costs quadratic time. Text from outside is the same only if its bytes are.
extension String {
    /// Whether both have the same bytes in UTF-8.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes of the text in UTF-8.
    package func hashBytes(into hasher: inout Hasher) {
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        hasher.combine(utf8.count)
    }

    /// At most `count` bytes from the beginning of the text, cut between characters of Unicode.
    package func prefix(utf8 count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: count)
        while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

extension String {
    /// What an error, a record or a warning repeats of a text from outside, however long that is: at most 128 bytes.
    package var echoed: String {
        let limit = 128
        return utf8.count <= limit ? self : prefix(utf8: limit - "…".utf8.count) + "…"
    }
}

/// A text as a key of a dictionary or a set, the same only if its bytes are.
package struct ByteKey: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: ByteKey, other: ByteKey) -> Bool { one.text.hasSameBytes(as: other.text) }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// Counts combining marks in a row, of which the Stream-Safe Text Format allows 30 (UAX #15, section 13). No language needs
/// more, and within that bound it takes linear time to normalise a text, which Swift does whenever it compares one.
package struct MarkCounter {
    /// The most marks that may follow each other.
    package static let limit = 30

    private var count = 0

    package init() {}

    /// Counts one more scalar; returns whether it is a mark too many.
    package mutating func exceeds(with scalar: Unicode.Scalar) -> Bool {
        // There are none below U+0300.
        count = scalar.value >= 0x300 && Self.isMark(scalar) ? count + 1 : 0
        return count > Self.limit
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // These are not reordered themselves, but consist of marks that are.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension StringProtocol {
    /// The offset in bytes of the first combining mark that is one too many in a row; `nil` if there is none.
    package var excessMark: Int? {
        // Marks begin at U+0300, which is CC 80.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return nil }
        var marks = MarkCounter()
        var offset = 0
        for scalar in unicodeScalars {
            if marks.exceeds(with: scalar) { return offset }
            offset += UTF8.width(scalar)
        }
        return nil
    }
}
