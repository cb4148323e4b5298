/// One entry for the journal: fields in order, of which several may have one name.
///
/// Values are bytes; line breaks, NUL and anything else are kept as they are.
package struct JournalEntry: Hashable, Sendable {
    /// The most fields journald accepts in one entry (`ENTRY_FIELD_COUNT_MAX`), less those it adds itself.
    package static let maximumFields = 960

    /// Every field as `NAME=value`, one after the other: what is sent, without another copy.
    private(set) var bytes: [UInt8]
    /// Where each field ends in `bytes`.
    private(set) var ends: [Int]

    /// An entry of two fields, `MESSAGE` and `PRIORITY`.
    package init(_ message: String, priority: JournalPriority) {
        bytes = []
        bytes.reserveCapacity(message.utf8.count + 256)
        ends = []
        ends.reserveCapacity(12)
        add(.message, message)
        add(.priority, String(priority.rawValue))
    }

    /// Adds a field.
    ///
    /// - Throws: ``JournalFieldError/trusted(_:)`` or ``JournalFieldError/tooManyFields(limit:)``.
    package mutating func append(_ name: JournalFieldName, _ value: String) throws(JournalFieldError) {
        try append(name, value.utf8)
    }

    /// Adds a field with any bytes as its value.
    ///
    /// - Throws: ``JournalFieldError/trusted(_:)`` or ``JournalFieldError/tooManyFields(limit:)``.
    package mutating func append(
        _ name: JournalFieldName,
        _ value: some Sequence<UInt8>
    ) throws(JournalFieldError) {
        guard !name.isTrusted else { throw .trusted(name) }
        guard ends.count < Self.maximumFields else { throw .tooManyFields(limit: Self.maximumFields) }
        add(name, value)
    }

    /// Adds the `MESSAGE_ID`.
    package mutating func append(_ id: JournalMessageID) throws(JournalFieldError) {
        try append(.messageID, id.text)
    }

    /// The number of fields.
    package var count: Int { ends.count }

    /// The fields in order.
    package var fields: [(name: String, value: [UInt8])] {
        var start = 0
        return ends.compactMap { end in
            defer { start = end }
            let field = bytes[start..<end]
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (String(decoding: field[..<equals], as: UTF8.self), Array(field[(equals + 1)...]))
        }
    }

    /// Adds a field whose name is known to be writable and that is known to fit.
    package mutating func add(_ name: JournalFieldName, _ value: String) {
        add(name, value.utf8)
    }

    /// Adds a field whose name is known to be writable and that is known to fit, with any bytes as its value.
    package mutating func add(_ name: JournalFieldName, _ value: some Sequence<UInt8>) {
        bytes.append(contentsOf: name.text.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
    }
}
