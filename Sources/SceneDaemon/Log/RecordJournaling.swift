internal import Glibc
internal import Basics
internal import SceneRuntime
internal import StrictJSON
internal import Systemd

/// Writes every record whole to the journal, on a separate thread, which also encodes it.
///
/// While the queue is full, records are dropped and counted; in their place the journal gets a gap, which says how many records
/// of which host are missing and after which one.
final class RecordJournaling: Sendable {
    /// The `SYSLOG_IDENTIFIER` of all entries that the daemon writes.
    static let identifier = "scened"
    /// By default so many records may wait, of a few kilobytes each.
    static let usualLimit = 65_536
    /// The longest JSON of a record, in bytes. journald accepts entries of 32 MiB from a service. The entry of a longer record
    /// comes without its JSON.
    static let longest = 16 << 20

    enum Item: Sendable {
        case record(Record)
        case gap(WriterGap)
    }

    /// How far the writer's thread is in the history.
    private struct Place {
        var host = ""
        var started = ""
        var lastWritten = 0
    }

    private let writer: BackgroundWriter<Item>

    /// - Parameter send: sends an entry; may block; returns 0 or an `errno` value.
    init(
        limit: Int = usualLimit,
        send: @escaping @Sendable (JournalEntry) -> Int32 = JournalSocket.send
    ) throws(SystemError) {
        let place = Guarded(Place())
        writer = try BackgroundWriter(
            name: "records",
            limits: .init(elements: limit, bytes: .max),
            size: { _ in 1 },
            gap: Item.gap
        ) { item in
            let entry = place.withLock { Self.entry(for: item, &$0) }
            let code = send(entry)
            if code == 0, case .record(let record) = item { place.withLock { $0.lastWritten = record.index } }
            return code
        }
    }

    /// Queues a record; never blocks.
    @Sendable
    func write(_ record: Record) { writer.write(.record(record)) }

    /// Accepts no more records and blocks until all are written, but no longer than `limit`; the last step of a process. The
    /// rest is dropped, and its gap is written within `grace` unless journald is stuck.
    func finish(within limit: Duration, grace: Duration = .seconds(1)) {
        if writer.finish(within: limit).remaining > 0 { writer.giveUp(within: grace) }
    }

    // MARK: - Entries

    private static func entry(for item: Item, _ place: inout Place) -> JournalEntry {
        switch item {
        case .record(let record):
            if record.host != place.host { place = Place(host: record.host, started: String(microsecondsSince1970())) }
            return entry(for: record, started: place.started)
        case .gap(let gap): return entry(for: gap, place)
        }
    }

    private static func entry(for record: Record, started: String) -> JournalEntry {
        var entry = JournalEntry(record.summary, priority: JournalPriority(record.level))
        entry.add(.syslogIdentifier, identifier)
        if let message = record.message { entry.add(.messageID, message.rawValue) }
        for (key, value) in record.details { entry.add(fieldName(key), value) }
        entry.add(.hostStarted, started)
        var json = JSONText()
        record.write(to: &json)
        if json.count <= longest { entry.add(.recordJSON, json.bytes) }
        return entry
    }

    private static func entry(for gap: WriterGap, _ place: Place) -> JournalEntry {
        var entry = JournalEntry("\(gap)", priority: .warning)
        entry.add(.syslogIdentifier, identifier)
        entry.add(.messageID, JournalMessageID.gap.text)
        entry.add(.gap, String(gap.count))
        entry.add(.host, place.host)
        entry.add(.gapAfter, String(place.lastWritten))
        return entry
    }

    /// The field names are made once, because all records have the same few.
    private static func fieldName(_ key: String) -> JournalFieldName {
        names[key] ?? JournalFieldName(metadataKey: key, prefix: .scenedPrefix)
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: [
            "record", "index", "host", "scene", "ticket", "attempt", "event", "connection", "revision", "epoch",
            "outcome", "reason", "precondition", "rule", "missing",
        ].map { ($0, JournalFieldName(metadataKey: $0, prefix: .scenedPrefix)) }
    )

    private static func microsecondsSince1970() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
