internal import CSystemd
internal import Glibc

/// Reads a journal, through libsystemd's `sd_journal`.
///
/// It is neither copyable nor sendable, because libsystemd requires that one thread uses a reader all its life. At first, the
/// position is before the first entry.
package struct JournalReader: ~Copyable {
    /// Which journal to read.
    package enum Source: Hashable, Sendable {
        /// The parts of this machine's journal that the user may read.
        case system
        /// This machine's journal of one namespace only; see systemd-journald.service(8).
        case namespace(String)
        /// This machine's journal of one namespace and of the default namespace.
        case namespaceAndUsual(String)
        /// This machine's journal of all namespaces.
        case allNamespaces
        /// The journal files in this directory, and in its subdirectory for this machine.
        case directory(String)
        /// These journal files.
        case files([String])
    }

    private let journal: OpaquePointer

    /// Opens a journal.
    /// - Throws: ``SystemError``, for instance if the directory does not exist.
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
        // Without this, libsystemd may cut values at 64 KiB.
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

    /// Selects entries whose field has this value. Matches of the same field are alternatives; those of several fields must
    /// all hold.
    package mutating func match(_ name: JournalFieldName, _ value: String) throws(SystemError) {
        var term = "\(name.text)=\(value)"
        let result = term.withUTF8 { sd_journal_add_match(journal, $0.baseAddress, $0.count) }
        try SystemError.check(result, "match \(name)=\(value.debugDescription)")
    }

    /// Makes the matches that follow an alternative to those so far.
    package mutating func matchOr() throws(SystemError) {
        try SystemError.check(sd_journal_add_disjunction(journal), "add an alternative to the matches")
    }

    // MARK: Position

    /// Goes before the first entry.
    package mutating func seekToHead() throws(SystemError) {
        try SystemError.check(sd_journal_seek_head(journal), "seek to the journal's beginning")
    }

    /// Goes before the first entry received at this time or later, in microseconds since 1970.
    package mutating func seek(toRealtime microseconds: UInt64) throws(SystemError) {
        try SystemError.check(sd_journal_seek_realtime_usec(journal, microseconds), "seek to a time")
    }

    /// Goes to the next entry.
    /// - Returns: `false` at the end.
    package mutating func next() throws(SystemError) -> Bool {
        try SystemError.check(sd_journal_next(journal), "read the next journal entry") > 0
    }

    // MARK: The current entry

    /// When journald received the current entry, in microseconds since 1970.
    package func realtime() throws(SystemError) -> UInt64 {
        var realtime: UInt64 = 0
        try SystemError.check(sd_journal_get_realtime_usec(journal, &realtime), "get the time of a journal entry")
        return realtime
    }

    /// The first value of a field of the current entry as text, or `nil` if it does not have the field.
    package func text(of name: JournalFieldName) throws(SystemError) -> String? {
        try value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first value of a field of the current entry, or `nil` if it does not have the field.
    package func value(of name: JournalFieldName) throws(SystemError) -> [UInt8]? {
        var data: UnsafeRawPointer?
        var length = 0
        let result = sd_journal_get_data(journal, name.text, &data, &length)
        if result == -ENOENT { return nil }
        try SystemError.check(result, "read the field \(name) of a journal entry")
        return Array(UnsafeRawBufferPointer(start: data, count: length).dropFirst(name.text.utf8.count + 1))
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
}
