/// Writes entries to the journal on a separate thread, because `sd_journal_sendv` blocks while journald does not read.
///
/// While the queue is full, entries are dropped and counted; in their place the journal gets a warning with the ID
/// ``JournalMessageID/gap`` and the number of missing entries in the field `…GAP`.
package struct JournalWriter: Sendable {
    /// The settings of a writer.
    package struct Configuration: Sendable {
        /// The `SYSLOG_IDENTIFIER` of all entries, by which `journalctl -t` selects.
        package var identifier: String
        /// The prefix of fields for metadata.
        package var fieldPrefix: JournalFieldName
        /// How much may wait to be written.
        package var limits: BackgroundWriter<JournalEntry>.Limits

        package init(
            identifier: String,
            fieldPrefix: JournalFieldName = .scenedPrefix,
            limits: BackgroundWriter<JournalEntry>.Limits = .init()
        ) {
            self.identifier = identifier
            self.fieldPrefix = fieldPrefix
            self.limits = limits
        }
    }

    package let configuration: Configuration
    private let writer: BackgroundWriter<JournalEntry>

    /// Starts the thread that writes to this system's journal. Check ``JournalSocket/isReachable`` first.
    package init(_ configuration: Configuration) throws(SystemError) {
        try self.init(configuration, send: JournalSocket.send)
    }

    /// Starts a writer to another sink; `send` may block and returns 0 or an `errno` value.
    package init(
        _ configuration: Configuration,
        send: @escaping @Sendable (JournalEntry) -> Int32
    ) throws(SystemError) {
        self.configuration = configuration
        writer = try BackgroundWriter(
            name: "journal",
            limits: configuration.limits,
            size: { $0.bytes.count },
            gap: { Self.entry(for: $0, configuration) },
            send: send
        )
    }

    /// Queues an entry; never blocks.
    /// - Returns: `false` if it was dropped; a gap will stand for it.
    @discardableResult
    package func write(_ entry: JournalEntry) -> Bool { writer.write(entry) }

    /// Blocks until all entries queued so far are written.
    /// - Returns: `false` if that took longer than `limit`.
    package func flush(within limit: Duration) -> Bool { writer.flush(within: limit) }

    /// Accepts no more entries and blocks until all are written, but no longer than `limit`; the last step of a process.
    package func finish(within limit: Duration) -> WriterReport { writer.finish(within: limit) }

    /// The counts so far.
    package var report: WriterReport { writer.report }

    private static func entry(for gap: WriterGap, _ configuration: Configuration) -> JournalEntry {
        var entry = JournalEntry(gap.description, priority: .warning)
        entry.add(.syslogIdentifier, configuration.identifier)
        entry.add(.messageID, JournalMessageID.gap.text)
        entry.add(JournalFieldName(metadataKey: "gap", prefix: configuration.fieldPrefix), String(gap.count))
        return entry
    }
}
