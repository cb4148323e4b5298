internal import Glibc

/// Prints a text for people; on a terminal, without power over it (``Terminal/harmless(_:)``).
func print(_ text: String, terminator: String = "\n") {
    Swift.print(isatty(STDOUT_FILENO) == 1 ? Terminal.harmless(text) : text, terminator: terminator)
}

/// Standard output and standard error.
enum Terminal {
    /// Whether standard output is a terminal and the environment allows colours (https://no-color.org).
    static let hasColours: Bool = {
        let objects = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return isatty(STDOUT_FILENO) == 1 && !objects && !isDumb
    }()

    /// A style of text, by its SGR code.
    enum Style: String, CaseIterable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case cyan = "36"
    }

    static func styled(_ text: String, _ style: Style) -> String {
        hasColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The text without power over a terminal: of what is not printed, only line breaks, tabs and our own styles are left. The
    /// rest is shown as escapes, because a text may come from anybody.
    static func harmless(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 && $0 != 0x0A }) else { return text }
        var shown = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}", let style = styles.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                shown += "\u{1B}\(style)"
                rest = rest.dropFirst(style.unicodeScalars.count)
            } else if isHarmless(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return shown
    }

    private static let styles = ["[0m"] + Style.allCases.map { "[\($0.rawValue)m" }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n" || scalar == "\t"
        // Joiners belong to emoji and to some scripts; the other characters of format change the direction of writing.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        case .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// One message on standard error.
    static func complain(_ message: String) {
        let text = "scenectl: \(message)\n"
        write(isatty(STDERR_FILENO) == 1 ? harmless(text) : text)
    }

    /// Flushes what was printed: a pipe would otherwise get it in blocks, long after it happened.
    static func flush() {
        fflush(nil)
    }

    /// Writes to standard error, unbuffered. If that fails, there is nowhere left to report it.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
