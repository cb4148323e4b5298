internal import Glibc
package import Logging
internal import StrictJSON

/// A swift-log backend that writes to the journal, with a field for each metadata key.
///
/// `scene` becomes `SCENED_SCENE` and so on (``JournalFieldName/init(metadataKey:prefix:)``). Arrays and dictionaries are
/// written as JSON. The key `message-id` sets `MESSAGE_ID` if its value is a valid one. The error of a log call is the field
/// `…ERROR`, the logger's label `…LOGGER`.
package struct JournalLogHandler: LogHandler {
    /// The metadata key that sets `MESSAGE_ID`.
    package static let messageIDKey = "message-id"

    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level

    private let label: String
    private let writer: JournalWriter

    package init(
        label: String,
        writer: JournalWriter,
        level: Logger.Level = .info,
        metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.label = label
        self.writer = writer
        self.logLevel = level
        self.metadataProvider = metadataProvider
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        writer.write(entry(for: event))
    }

    /// The entry for an event; any metadata can be written.
    func entry(for event: LogEvent) -> JournalEntry {
        let configuration = writer.configuration
        var entry = JournalEntry(event.message.description, priority: JournalPriority(event.level))
        entry.add(.syslogIdentifier, configuration.identifier)
        entry.add(.codeFile, event.file)
        entry.add(.codeLine, String(event.line))
        entry.add(.codeFunction, event.function)
        entry.add(field("logger"), label)
        if let error = event.error { entry.add(field("error"), String(describing: error)) }

        for (key, value) in event.metadata(of: self).prefix(JournalEntry.maximumFields - entry.count) {
            if key == Self.messageIDKey, let id = try? JournalMessageID(value.fieldText) {
                entry.add(.messageID, id.text)
            } else {
                entry.add(field(key), value.fieldText)
            }
        }
        return entry
    }

    private func field(_ key: String) -> JournalFieldName {
        JournalFieldName(metadataKey: key, prefix: writer.configuration.fieldPrefix)
    }
}

extension JournalPriority {
    /// The priority of a swift-log level: trace and debug share the lowest, critical is syslog's `crit`.
    package init(_ level: Logger.Level) {
        switch level {
        case .trace, .debug: self = .debug
        case .info: self = .information
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}

/// Whether standard error goes to the journal, so that structured entries are better than text.
///
/// systemd sets `JOURNAL_STREAM` to the device and inode of the stream that it connected. The variable alone is not enough,
/// because a child whose standard error is redirected inherits it. See systemd.exec(5).
package func standardErrorIsJournal() -> Bool {
    getenv("JOURNAL_STREAM").map { isJournalStream(STDERR_FILENO, named: String(cString: $0)) } ?? false
}

/// Whether a descriptor is the stream that `stream` gives as `DEVICE:INODE`.
func isJournalStream(_ descriptor: Int32, named stream: String) -> Bool {
    let parts = stream.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = UInt(parts[0]), let inode = UInt(parts[1]) else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt(status.st_dev) == device && UInt(status.st_ino) == inode
}
