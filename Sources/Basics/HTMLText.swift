/// Escapes text for a page.
package enum HTMLText {
    /// Text that is safe between tags and in quoted attributes. Control characters, which HTML does not allow, become U+FFFD.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}": escaped += "\u{FFFD}"
            // What ends a line for some readers, and would begin one in the middle of a text.
            case "\u{2028}", "\u{2029}": escaped += "\u{FFFD}"
            // Controls that change the direction of the text that follows.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
            // What neither a page nor XML may have.
            case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
