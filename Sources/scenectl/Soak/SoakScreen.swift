internal import CommandConsole
internal import Glibc
internal import Basics
internal import SceneSoak

/// Shows a soak's progress on standard error: on a terminal in one line that is overwritten, elsewhere in a line per interval.
final class SoakScreen: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isWritten = Guarded(false)

    func show(_ progress: SoakProgress) {
        if isTerminal {
            // A line that wraps could not be overwritten. The last column stays free: some terminals wrap after it.
            let text = Terminal.harmless(progress.line(columns: Self.columns.map { $0 - 1 }), as: .line)
            // The rest is erased: the line before may have been longer.
            isWritten.withLock { isWritten in
                Terminal.write("\r\(text)\u{1B}[K\(progress.endsInterval ? "\n" : "")")
                isWritten = !progress.endsInterval
            }
        } else if progress.endsInterval {
            Terminal.write(Terminal.harmless(progress.line(), as: .line) + "\n")
        }
    }

    /// Shows a line that the next one overwrites, on a terminal only.
    func show(passing text: String) {
        guard isTerminal else { return }
        isWritten.withLock { isWritten in
            Terminal.write("\r\(text)\u{1B}[K")
            isWritten = true
        }
    }

    func warn(_ message: String) {
        clear()
        Terminal.complain(message)
    }

    /// Erases the line of progress.
    func clear() {
        isWritten.withLock { isWritten in
            if isWritten { Terminal.write("\r\u{1B}[K") }
            isWritten = false
        }
    }

    /// How many columns the terminal has now; its size may change.
    private static var columns: Int? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
