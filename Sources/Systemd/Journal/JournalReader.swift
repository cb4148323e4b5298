internal import CSystemd
internal import Glibc
internal import Locking

/// Reads a journal: a typed view of libsystemd's `sd_journal`.
///
/// Not copyable and not sendable because libsystemd wants one thread for the life of a reader. After opening, the
/// position is before the first entry.
package struct JournalReader: ~Copyable {
    /// Which journal is read.
    package enum Source: Hashable, Sendable {
        /// This machine's journal, as far as the user may read it.
        case system
        /// This machine's journal of one namespace, and only that; see systemd-journald.service(8).
        case namespace(String)
        /// The same with the usual namespace besides.
        case namespaceAndUsual(String)
        /// This machine's journal with all its namespaces.
        case allNamespaces
        /// The journal files in this directory, and in its subdirectory for this machine.
        case directory(String)
        /// These journal files.
        case files([String])
    }

    /// What ``wait(for:)`` saw.
    package enum Change: Hashable, Sendable {
        case nothing
        /// Entries were added at the end.
        case appended
        /// Files came or went; entries may have appeared or vanished anywhere.
        case invalidated
    }

    private let journal: OpaquePointer

    /// - Throws: ``SystemError``, for instance when the directory does not exist.
    package init(_ source: Source) throws(SystemError) {
        var opened: OpaquePointer?
        switch source {
        case .system:
            try SystemError.check(
                sd_journal_open(&opened, Int32(SD_JOURNAL_LOCAL_ONLY)),
                "open the system's journal"
            )
        case .namespace(let name): try Self.open(&opened, namespace: name, 0)
        case .namespaceAndUsual(let name):
            try Self.open(&opened, namespace: name, Int32(SD_JOURNAL_INCLUDE_DEFAULT_NAMESPACE))
        case .allNamespaces: try Self.open(&opened, namespace: nil, Int32(SD_JOURNAL_ALL_NAMESPACES))
        case .directory(let path):
            try SystemError.check(sd_journal_open_directory(&opened, path, 0), "open the journal in \(path)")
        case .files(let paths):
            let result = withCStrings(paths) { sd_journal_open_files(&opened, $0, 0) }
            try SystemError.check(result, "open the journal files \(paths.joined(separator: ", "))")
        }
        guard let opened else { throw SystemError("open a journal", code: ENOENT) }
        journal = opened
        // Without this libsystemd may cut long values at 64 KiB.
        sd_journal_set_data_threshold(journal, 0)
    }

    private static func open(
        _ journal: inout OpaquePointer?,
        namespace: String?,
        _ flags: Int32
    ) throws(SystemError) {
        try SystemError.check(
            sd_journal_open_namespace(&journal, namespace, Int32(SD_JOURNAL_LOCAL_ONLY) | flags),
            namespace.map { "open the journal's namespace '\($0)'" } ?? "open the system's journal"
        )
    }

    deinit {
        sd_journal_close(journal)
    }

    // MARK: Choosing entries

    /// Restricts to entries whose field has this value. Matches on one field are alternatives, on several are all needed.
    package mutating func match(_ name: JournalFieldName, _ value: String) throws(SystemError) {
        var term = "\(name.text)=\(value)"
        let result = term.withUTF8 { sd_journal_add_match(journal, $0.baseAddress, $0.count) }
        try SystemError.check(result, "match \(name)=\(value.debugDescription)")
    }

    /// Begins an alternative to the matches so far.
    package mutating func matchOr() throws(SystemError) {
        try SystemError.check(sd_journal_add_disjunction(journal), "add an alternative to the matches")
    }

    /// Begins matches that are needed besides those so far.
    package mutating func matchAnd() throws(SystemError) {
        try SystemError.check(sd_journal_add_conjunction(journal), "add a conjunction to the matches")
    }

    /// Drops all matches.
    package mutating func clearMatches() {
        sd_journal_flush_matches(journal)
    }

    // MARK: Position

    /// Goes before the first entry.
    package mutating func seekToHead() throws(SystemError) {
        try SystemError.check(sd_journal_seek_head(journal), "seek to the journal's beginning")
    }

    /// Goes behind the last entry, from where ``previous()`` leads to it.
    package mutating func seekToTail() throws(SystemError) {
        try SystemError.check(sd_journal_seek_tail(journal), "seek to the journal's end")
    }

    /// Goes so that ``next()`` leads to the entry with this cursor, or to the nearest later one where it is gone.
    package mutating func seek(to cursor: JournalCursor) throws(SystemError) {
        try SystemError.check(sd_journal_seek_cursor(journal, cursor.text), "seek to the cursor \(cursor)")
    }

    /// Goes so that ``next()`` leads to the first entry of this time or later, in microseconds since 1970.
    package mutating func seek(toRealtime microseconds: UInt64) throws(SystemError) {
        try SystemError.check(sd_journal_seek_realtime_usec(journal, microseconds), "seek to a time")
    }

    /// Goes to the next entry; `false` at the end.
    package mutating func next() throws(SystemError) -> Bool {
        try SystemError.check(sd_journal_next(journal), "read the next journal entry") > 0
    }

    /// Goes to the entry before; `false` at the beginning.
    package mutating func previous() throws(SystemError) -> Bool {
        try SystemError.check(sd_journal_previous(journal), "read the previous journal entry") > 0
    }

    /// Whether the current entry has this cursor; after a seek, `false` says that the entry is gone.
    package func isAt(_ cursor: JournalCursor) throws(SystemError) -> Bool {
        try SystemError.check(sd_journal_test_cursor(journal, cursor.text), "compare the cursor \(cursor)") > 0
    }

    // MARK: The current entry

    /// The current entry's cursor.
    package func cursor() throws(SystemError) -> JournalCursor {
        var text: UnsafeMutablePointer<CChar>?
        try SystemError.check(sd_journal_get_cursor(journal, &text), "get the cursor of a journal entry")
        defer { free(text) }
        guard let text else { throw SystemError("get the cursor of a journal entry", code: EADDRNOTAVAIL) }
        return JournalCursor(String(cString: text))
    }

    /// When journald received the current entry, in microseconds since 1970.
    package func realtime() throws(SystemError) -> UInt64 {
        var realtime: UInt64 = 0
        try SystemError.check(sd_journal_get_realtime_usec(journal, &realtime), "get the time of a journal entry")
        return realtime
    }

    /// The first value of a field of the current entry as text, or `nil` where it has none.
    package func text(of name: JournalFieldName) throws(SystemError) -> String? {
        try value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first value of a field of the current entry, or `nil` where it has none.
    package func value(of name: JournalFieldName) throws(SystemError) -> [UInt8]? {
        var data: UnsafeRawPointer?
        var length = 0
        let result = sd_journal_get_data(journal, name.text, &data, &length)
        if result == -ENOENT { return nil }
        try SystemError.check(result, "read the field \(name) of a journal entry")
        return Array(UnsafeRawBufferPointer(start: data, count: length).dropFirst(name.text.utf8.count + 1))
    }

    /// The current entry as a whole.
    package mutating func record() throws(SystemError) -> JournalRecord {
        let realtime = try realtime()
        var monotonic: UInt64 = 0
        var boot = sd_id128_t()
        try SystemError.check(
            sd_journal_get_monotonic_usec(journal, &monotonic, &boot),
            "get the monotonic time of a journal entry"
        )
        var fields: [JournalRecord.Field] = []
        sd_journal_restart_data(journal)
        while true {
            var data: UnsafeRawPointer?
            var length = 0
            let result = sd_journal_enumerate_available_data(journal, &data, &length)
            guard try SystemError.check(result, "read the fields of a journal entry") > 0 else { break }
            let bytes = UnsafeRawBufferPointer(start: data, count: length)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            fields.append(
                JournalRecord.Field(
                    name: String(decoding: bytes[..<equals], as: UTF8.self),
                    value: Array(bytes[(equals + 1)...])
                )
            )
        }
        return JournalRecord(
            cursor: try cursor(),
            realtime: realtime,
            monotonic: monotonic,
            bootID: withUnsafeBytes(of: boot.bytes) { Array($0) },
            fields: fields
        )
    }

    // MARK: Waiting

    /// Blocks the calling thread until the journal changes, for at most `limit`; without a limit, until it changes.
    package mutating func wait(for limit: Duration?) throws(SystemError) -> Change {
        let microseconds = limit.map { UInt64(clamping: $0.microseconds) } ?? UInt64.max
        switch Int(try SystemError.check(sd_journal_wait(journal, microseconds), "wait for the journal")) {
        case Int(SD_JOURNAL_NOP): return .nothing
        case Int(SD_JOURNAL_APPEND): return .appended
        default: return .invalidated
        }
    }
}

/// Calls `body` with a C array of C strings, ended by a null pointer.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
}
