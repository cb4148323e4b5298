/// One part of a text as the parser found it: a value, or a member's name in front of its value.
///
/// Parts follow each other in the order written, a container before what it holds, so that a text of any shape is two
/// allocations: its parts, and those of its strings that are not written as they are.
struct JSONNode {
    enum Kind: UInt8 {
        case null, no, yes, integer, number
        /// A string whose characters are the bytes written.
        case text
        /// A string with escapes or beyond ASCII.
        case string
        case array, object
    }

    let kind: Kind
    /// The position of the part after this one and all that it holds.
    var next: Int
    /// The integer, the number's bits, where the text begins, the string's position among the strings, or how many elements
    /// or members a container has.
    var value: Int
    /// How many bytes the text has.
    let length: Int

    /// A part at `position` that holds no other.
    init(_ kind: Kind, at position: Int, _ value: Int = 0, length: Int = 0) {
        self.kind = kind
        self.value = value
        self.length = length
        next = position + 1
    }
}
