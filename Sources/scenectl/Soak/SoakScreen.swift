internal import Glibc
internal import Locking
internal import SceneSoak

/// Tells on standard error how a soak does: one line that is written over on a terminal, a line per interval elsewhere.
final class SoakScreen: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isWritten = Guarded(false)

    func show(_ progress: SoakProgress) {
        if isTerminal {
            // A line that wraps could not be written over. The last column is left free: some terminals wrap behind it.
            let text = progress.line(columns: Self.columns.map { $0 - 1 })
            // Erased to its end: the line before may have been longer.
            isWritten.withLock { isWritten in
                if progress.isCut {
                    Terminal.write("\r\(text)\u{1B}[K\n")
                    isWritten = false
                } else {
                    Terminal.write("\r\(text)\u{1B}[K")
                    isWritten = true
                }
            }
        } else if progress.isCut {
            Terminal.write(progress.line() + "\n")
        }
    }

    func warn(_ message: String) {
        clear()
        Terminal.complain(message)
    }

    /// Leaves the line free for what comes next.
    func clear() {
        isWritten.withLock { isWritten in
            if isWritten { Terminal.write("\r\u{1B}[K") }
            isWritten = false
        }
    }

    /// How many columns the terminal has now: it may have been made wider since.
    private static var columns: Int? {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
