/// Writes entries to the journal from a thread of its own: `sd_journal_sendv` blocks while journald does not read.
///
/// An entry that finds the queue full is refused and counted; at its place the journal gets a warning with
/// ``JournalMessageID/gap`` and the number of missing entries in the field `…GAP`.
package struct JournalWriter: Sendable {
    /// How the journal is written.
    package struct Configuration: Sendable {
        /// What `SYSLOG_IDENTIFIER` says; `journalctl -t` selects by it.
        package var identifier: String
        /// What the names of our own fields begin with.
        package var fieldPrefix: JournalFieldName
        /// What may wait to be written.
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

    /// Starts the thread that writes to this system's journal; ``JournalSocket/isReachable`` says whether there is one.
    package init(_ configuration: Configuration) throws(SystemError) {
        try self.init(configuration, send: JournalSocket.send)
    }

    /// The same in front of another sink, which returns 0 or an `errno` value and may block.
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

    /// Queues an entry without waiting; `false` when it was refused and a gap will stand for it.
    @discardableResult
    package func write(_ entry: JournalEntry) -> Bool { writer.write(entry) }

    /// Blocks until what was written before this call is out, for at most `limit`; `false` when that passed.
    package func flush(within limit: Duration) -> Bool { writer.flush(within: limit) }

    /// Takes nothing more and blocks until everything is out, for at most `limit`: the last step of a process.
    package func finish(within limit: Duration) -> WriterReport { writer.finish(within: limit) }

    /// What has become of the entries so far.
    package var report: WriterReport { writer.report }

    private static func entry(for gap: WriterGap, _ configuration: Configuration) -> JournalEntry {
        var entry = JournalEntry(gap.description, priority: .warning)
        entry.add(.syslogIdentifier, configuration.identifier)
        entry.add(.messageID, JournalMessageID.gap.text)
        entry.add(JournalFieldName(metadataKey: "gap", prefix: configuration.fieldPrefix), String(gap.count))
        return entry
    }
}
