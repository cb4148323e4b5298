/// How many elements are missing at one place of what a ``BackgroundWriter`` wrote, and why.
package struct WriterGap: Hashable, Sendable {
    /// Those refused because the queue was full.
    package var overflowed = 0
    /// Those that were taken and could not be written.
    package var failed = 0
    /// The `errno` value of the last that could not be written.
    package var lastError: Int32?

    package init() {}

    package var count: Int { overflowed + failed }
}

extension WriterGap: CustomStringConvertible {
    /// A sentence without its full stop: `3 log entries are missing here: 3 came while the queue was full`.
    package var description: String {
        var reasons: [String] = []
        if overflowed > 0 { reasons.append("\(overflowed) came while the queue was full") }
        if failed > 0 {
            reasons.append("\(failed) could not be written (\(SystemError.reason(lastError ?? 0)))")
        }
        return "\(count) log \(count == 1 ? "entry is" : "entries are") missing here: "
            + reasons.joined(separator: ", ")
    }
}
