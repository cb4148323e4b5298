/// What became of everything given to a ``BackgroundWriter``.
package struct WriterReport: Hashable, Sendable {
    /// Written.
    package var sent: Int
    /// Refused because the queue was full or closed.
    package var overflowed: Int
    /// Taken, and could not be written.
    package var failed: Int
    /// Taken, and not written yet.
    package var remaining: Int

    package init(sent: Int, overflowed: Int, failed: Int, remaining: Int) {
        self.sent = sent
        self.overflowed = overflowed
        self.failed = failed
        self.remaining = remaining
    }

    /// Whether everything given was written.
    package var isComplete: Bool { overflowed == 0 && failed == 0 && remaining == 0 }
}
