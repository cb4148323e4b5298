internal import Glibc
internal import Logging

/// Writes log lines to a descriptor on a separate thread, because a pipe that is not read blocks.
package struct TextLogWriter: Sendable {
    private let line: TextLogLine
    private let now: @Sendable () -> timespec
    private let writer: BackgroundWriter<[UInt8]>

    /// Writes to standard error, in colour if that is a terminal with colours and `NO_COLOR` is not set.
    package static func standardError() throws(SystemError) -> Self {
        try Self(descriptor: STDERR_FILENO, isColoured: wantsColours(STDERR_FILENO))
    }

    /// - Parameter descriptor: must be open for writing as long as the writer lives; it is not closed.
    package init(descriptor: Int32, isColoured: Bool) throws(SystemError) {
        try self.init(isColoured: isColoured, now: Self.realtime) { Self.write($0, to: descriptor) }
    }

    /// Starts a writer to another sink; `send` may block and returns 0 or an `errno` value.
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

    /// Accepts no more lines and blocks until all are written, but no longer than `limit`; the last step of a process.
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

    /// - Returns: 0 or an `errno` value.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process made the shared descriptor non-blocking; this thread may block.
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
