internal import Glibc

/// Standard output and error, and whether a person reads them.
enum Terminal {
    /// Whether standard output may have colours: a terminal, and nobody objects (https://no-color.org).
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

    /// Sends what was printed on its way: a pipe would else get it in blocks, long after it happened.
    static func flush() {
        fflush(nil)
    }

    /// Writes to standard error as it is; what cannot be written there cannot be reported anywhere.
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
