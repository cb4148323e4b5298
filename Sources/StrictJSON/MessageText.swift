internal import Basics

extension String {
    /// The text in quotes for a message, cut after 64 bytes. Characters that are invisible or change the direction of
    /// writing are escaped: the text may come from anybody, and the message may end up in a terminal or a journal.
    package var quotedForMessage: String {
        let isPlain = utf8.count <= 64 && utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else { return "\"\(self)\"" }
        let head = prefix(utf8: 64)
        let isCut = head.utf8.count < utf8.count
        return "\"" + head.unicodeScalars.map(Self.shown).joined() + (isCut ? "…\"" : "\"")
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
            return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
    }
}

extension JSONValue {
    /// The value if it is short enough for a message, otherwise the name of its type.
    package var describedForMessage: String {
        switch self {
        case .bool, .integer, .number, .null: text()
        case .string(let string): string.quotedForMessage
        case .array, .object: typeName
        }
    }
}
