internal import Logging
internal import Systemd

/// The daemon's log: to the journal or as text, each written by a thread of its own so that nobody waits for it.
struct DaemonLog {
    let logger: Logger
    private let flush: @Sendable () -> Void

    /// How long stopping waits for the last lines.
    private static let patience = Duration.seconds(1)

    static func start(_ destination: LogDestination, level: Logger.Level) throws -> DaemonLog {
        let isJournal =
            switch destination {
            case .journal: true
            case .text: false
            case .auto: standardErrorIsJournal()
            }
        if isJournal {
            let writer = try JournalWriter(JournalWriter.Configuration(identifier: "scened"))
            let handler = JournalLogHandler(label: "scened", writer: writer, level: level)
            return DaemonLog(logger: Logger(label: "scened") { _ in handler }) { _ = writer.finish(within: patience) }
        }
        let writer = try TextLogWriter.standardError()
        let handler = TextLogHandler(writer: writer, level: level)
        return DaemonLog(logger: Logger(label: "scened") { _ in handler }) { _ = writer.finish(within: patience) }
    }

    private init(logger: Logger, flush: @escaping @Sendable () -> Void) {
        self.logger = logger
        self.flush = flush
    }

    /// Writes what is still queued.
    func finish() { flush() }
}
