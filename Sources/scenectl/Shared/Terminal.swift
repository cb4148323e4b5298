internal import Glibc

/// Standard output and standard error.
enum Terminal {
    /// Whether standard output is a terminal and the environment allows colours (https://no-color.org).
    static let hasColours: Bool = {
        let objects = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return isatty(STDOUT_FILENO) == 1 && !objects && !isDumb
    }()

    /// A style of text, by its SGR code.
    enum Style: String {
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

    /// One message on standard error.
    static func complain(_ message: String) {
        write("scenectl: \(message)\n")
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
