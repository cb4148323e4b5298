/// Source of Swift, written line by line.
struct SwiftText {
    private(set) var text = ""
    private var depth = 0

    /// A line; an empty one is not indented, and left out at the beginning of a body.
    mutating func line(_ line: String = "") {
        if line.isEmpty, text.hasSuffix("{\n") { return }
        text += (line.isEmpty ? "" : String(repeating: "    ", count: depth) + line) + "\n"
    }

    /// The beginning of a declaration whose body is in braces.
    mutating func open(_ head: String) {
        line("\(head) {")
        depth += 1
    }

    /// The end of what was opened last.
    mutating func close() {
        depth -= 1
        line("}")
    }

    /// A comment for documentation, each line of the text by itself.
    mutating func comment(_ comment: String) {
        // By all that ends a line for a reader of Swift: what follows would be code.
        let parts = comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for part in parts { line("/// \(part)") }
    }

    /// A text as a literal.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            default:
                // Signs that cannot be seen, or that turn what follows, are written by their number.
                let isPlain = scalar.isASCII ? scalar.value >= 0x20 && scalar.value != 0x7F : scalar.properties.isPlain
                literal += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPlain: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .spaceSeparator: false
        default: true
        }
    }
}
