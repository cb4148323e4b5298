internal import Basics
internal import CommandMistakes
internal import Glibc

/// Standard output and standard error.
package enum Terminal {
    /// Whether standard output is a terminal and the environment allows colours (https://no-color.org).
    package static let hasColours: Bool = {
        let objects = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return isTerminal && !objects && !isDumb
    }()

    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// A style of text, by its SGR code.
    package enum Style: String, CaseIterable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case cyan = "36"
    }

    package static func styled(_ text: String, _ style: Style) -> String {
        hasColours ? "\(mark)[\(style.rawValue)m\(text)\(mark)[0m" : text
    }

    /// A text without its styles, for a file.
    package static func unstyled(_ text: String) -> String {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            // Such as `[31m`.
            text + (part.firstIndex(of: "m").map { part[$0...].dropFirst() } ?? part)
        }
    }

    /// What a style begins with until it is printed. Nobody else knows it, so no text from outside can pass for a style.
    private static let mark = "\u{1B}\(UInt64.random(in: .min ... .max))"

    /// What a text is, and so which characters it may have and how others are shown.
    package enum Form {
        /// One line.
        case line
        /// Lines, such as a report: it keeps line feeds and tabs.
        case page
        /// JSON, on one line or several.
        case json
    }

    /// The text with our own styles, and with everything else that is not printed shown as an escape: control characters
    /// (C0, C1, DEL), line and paragraph separators and what changes the direction of writing. A text may come from anybody.
    package static func harmless(_ text: String, as form: Form) -> String {
        guard text.utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 && ($0 != 0x0A || form == .line) }) else {
            return text
        }
        var shown = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}", rest.starts(with: mark.unicodeScalars.dropFirst()) {
                rest = rest.dropFirst(mark.unicodeScalars.count - 1)
                shown += "\u{1B}"
            } else if isHarmless(scalar, in: form) {
                shown.unicodeScalars.append(scalar)
            } else if form == .json {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    shown += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
                }
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return shown
    }

    private static func isHarmless(_ scalar: Unicode.Scalar, in form: Form) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n" && form != .line || scalar == "\t" && form == .page
        // Joiners belong to emoji and to some scripts; the other characters of format change the direction of writing.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        case .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// Prints a text for people, without power over who reads it (``harmless(_:as:)``), whether that is a terminal, a file or a
    /// program: at once on a terminal, elsewhere in blocks. It is one line unless `form` says that it has several.
    package static func print(_ text: String, as form: Form = .line, terminator: String = "\n") {
        put(harmless(text, as: form) + terminator)
    }

    /// One message of this program on standard error; it is one line unless `form` says that it has several.
    package static func complain(_ message: String, as form: Form = .line) {
        write("\(CommandName.own): \(harmless(message, as: form))\n")
    }

    /// Writes to standard error, unbuffered, as it is. If that fails, there is nowhere left to report it.
    package static func write(_ text: String) { _ = write(Array(text.utf8)[...], to: STDERR_FILENO) }

    /// - Returns: The number of the system's error if not everything could be written.
    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> CInt? {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Whoever shares it has made it non-blocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

// Standard output. The standard library's `print` does not say whether anything was written, so this does without it.
extension Terminal {
    /// What was printed and is not written yet.
    private static let pending = Guarded<[UInt8]>([])
    private static let block = 1 << 16

    private static func put(_ text: String) {
        let isFull = pending.withLock { pending in
            pending += text.utf8
            return pending.count >= block
        }
        if isTerminal || isFull { flush() }
    }

    /// Writes what was printed: a pipe would otherwise get it in blocks, long after it happened. If that fails, the process ends.
    package static func flush() {
        if let error = writePending() { leave(unwritten: error, 0) }
    }

    /// Ends the process once everything that was printed is written.
    /// - Parameter status: The exit status. If something could not be written, 0 becomes that of a failure.
    package static func exit(_ status: Int32) -> Never {
        if let error = writePending() { leave(unwritten: error, status) }
        Glibc.exit(status)
    }

    /// Writes what was printed before a failure is told, and complains if that fails, too; not if nobody reads it any more.
    package static func writeBeforeFailure() {
        if let error = writePending(), error != EPIPE { complain(CommandError.unwritten(error).message) }
    }

    private static func writePending() -> CInt? {
        pending.withLock { pending in
            defer { pending = [] }
            return write(pending[...], to: STDOUT_FILENO)
        }
    }

    private static func leave(unwritten error: CInt, _ status: Int32) -> Never {
        if error == EPIPE {
            // As any program ends whose reader has seen enough: quietly, and by the signal, which SwiftNIO ignores otherwise.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        let failure = Failure(CommandError.unwritten(error))
        failure.tell()
        Glibc.exit(status == 0 ? failure.status.rawValue : status)
    }
}

extension CommandError {
    /// Standard output could not be written, for this reason of the system's.
    fileprivate static func unwritten(_ error: CInt) -> CommandError {
        .failed("standard output: \(String(cString: strerror(error))).")
    }
}

extension String {
    /// The text, filled up with spaces to this many characters.
    package func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
