internal import Glibc
internal import Logging

/// Writes log lines to a descriptor from a thread of its own, because a pipe that nobody reads blocks.
package struct TextLogWriter: Sendable {
    private let line: TextLogLine
    private let now: @Sendable () -> timespec
    private let writer: BackgroundWriter<[UInt8]>

    /// Writes to standard error, coloured when it is a terminal that knows colours and `NO_COLOR` is not set.
    package static func standardError() throws(SystemError) -> Self {
        try Self(descriptor: STDERR_FILENO, isColoured: wantsColours(STDERR_FILENO))
    }

    /// - Parameter descriptor: open for writing as long as this lives; it is not closed.
    package init(descriptor: Int32, isColoured: Bool) throws(SystemError) {
        try self.init(isColoured: isColoured, now: Self.realtime) { Self.write($0, to: descriptor) }
    }

    /// In front of another sink, which returns 0 or an `errno` value and may block.
    init(
        isColoured: Bool,
        limits: BackgroundWriter<[UInt8]>.Limits = .init(),
        now: @escaping @Sendable () -> timespec,
        send: @escaping @Sendable ([UInt8]) -> Int32
    ) throws(SystemError) {
        let line = TextLogLine(isColoured: isColoured)
        self.line = line
        self.now = now
        writer = try BackgroundWriter(
            name: "log",
            limits: limits,
            size: \.count,
            gap: { line.text(.warning, $0.description, [], at: now()) },
            send: send
        )
    }

    func write(_ level: Logger.Level, _ message: String, _ pairs: [(key: String, value: String)]) {
        writer.write(line.text(level, message, pairs, at: now()))
    }

    /// Blocks until what was written before this call is out, for at most `limit`; `false` when that passed.
    package func flush(within limit: Duration) -> Bool { writer.flush(within: limit) }

    /// Takes nothing more and blocks until everything is out, for at most `limit`: the last step of a process.
    package func finish(within limit: Duration) -> WriterReport { writer.finish(within: limit) }

    @Sendable
    private static func realtime() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }

    private static func wantsColours(_ descriptor: Int32) -> Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty && !["", "dumb"].contains(variable("TERM"))
    }

    /// Returns 0 or the `errno` value.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Somebody else made the shared descriptor non-blocking; this thread may wait all the same.
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wanted, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}
