internal import Logging
internal import Systemd

/// The daemon's log: to the journal or as text. A separate thread writes it, so that logging never blocks.
struct DaemonLog {
    let logger: Logger
    /// Writes every record whole; `nil` if they are logged in brief.
    let records: RecordJournaling?
    /// Whether the logger logs records too: not if the same journal has them whole.
    let wantsRecordsInBrief: Bool
    private let flush: @Sendable () -> Void

    /// How long ``finish()`` waits for the last lines.
    private static let patience = Duration.seconds(1)
    /// How long it waits for records: journald needs this for a full queue. It is less than systemd's stop timeout.
    private static let patienceForRecords = Duration.seconds(5)

    static func start(
        _ destination: LogDestination,
        level: Logger.Level,
        records detail: LoggedRecords = .brief,
        queue: Int = RecordJournaling.usualLimit
    ) throws -> DaemonLog {
        var records: RecordJournaling?
        if detail == .whole {
            guard JournalSocket.isReachable else {
                throw ExitError(
                    message:
                        "logRecords is whole, but nothing accepts journal entries at \(JournalSocket.path): start systemd-journald, or set logRecords to brief"
                )
            }
            records = try RecordJournaling(limit: queue)
        }
        let isJournal =
            switch destination {
            case .journal: true
            case .text: false
            case .auto: standardErrorIsJournal()
            }
        if isJournal {
            let writer = try JournalWriter(JournalWriter.Configuration(identifier: RecordJournaling.identifier))
            let handler = JournalLogHandler(label: "scened", writer: writer, level: level)
            return DaemonLog(
                logger: Logger(label: "scened") { _ in handler },
                records: records,
                wantsRecordsInBrief: records == nil
            ) {
                _ = writer.finish(within: patience)
            }
        }
        let writer = try TextLogWriter.standardError()
        let handler = TextLogHandler(writer: writer, level: level)
        return DaemonLog(
            logger: Logger(label: "scened") { _ in handler },
            records: records,
            wantsRecordsInBrief: true
        ) {
            _ = writer.finish(within: patience)
        }
    }

    private init(
        logger: Logger,
        records: RecordJournaling?,
        wantsRecordsInBrief: Bool,
        flush: @escaping @Sendable () -> Void
    ) {
        self.logger = logger
        self.records = records
        self.wantsRecordsInBrief = wantsRecordsInBrief
        self.flush = flush
    }

    /// Writes what is still queued.
    func finish() {
        records?.finish(within: Self.patienceForRecords)
        flush()
    }
}

/// The setting `log`: where the daemon's log goes.
enum LogDestination: String, CaseIterable, Sendable {
    case auto, journal, text
}

/// The setting `logRecords`: how the records of scenes are logged.
enum LoggedRecords: String, CaseIterable, Sendable {
    case brief, whole
}
