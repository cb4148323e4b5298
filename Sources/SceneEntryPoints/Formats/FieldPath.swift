/// A place in a JSON value, as people write it: `aps.alert.title-loc-args[2]`.
struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// The value as a whole, without a name of its own.
    static let root = FieldPath(description: "")

    /// The member `key` below this place. A key that could be misread is written in brackets and quotes, and one that
    /// is longer than any key people write is cut, because paths end up in messages.
    func member(_ key: String) -> FieldPath {
        let isPlain = !key.isEmpty && key.utf8.count <= 64 && key.utf8.allSatisfy(Self.isPlain)
        guard !isPlain else { return FieldPath(description: description.isEmpty ? key : "\(description).\(key)") }
        return FieldPath(description: "\(description)[\(key.quotedForMessage)]")
    }

    /// The element at `index`, from 0.
    func element(_ index: Int) -> FieldPath {
        FieldPath(description: "\(description)[\(index)]")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            UInt8(ascii: " "):
            true
        default: false
        }
    }
}
