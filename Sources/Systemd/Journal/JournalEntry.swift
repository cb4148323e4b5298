/// An entry for the journal: fields in order, several of which may have the same name.
///
/// Values are any bytes, including line breaks and NUL.
package struct JournalEntry: Hashable, Sendable {
    /// How many fields an entry may have: what journald accepts (`ENTRY_FIELD_COUNT_MAX`) less those that it adds.
    package static let maximumFields = 960

    /// All fields as `NAME=value`, one after the other, from which they are sent without another copy.
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

    /// Adds a field. journald drops it if its name begins with `_`, and the entry if it has more than ``maximumFields``.
    package mutating func add(_ name: JournalFieldName, _ value: String) {
        add(name, value.utf8)
    }

    /// Adds a field with any bytes as its value.
    package mutating func add(_ name: JournalFieldName, _ value: some Sequence<UInt8>) {
        bytes.append(contentsOf: name.text.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
    }
}

/// How urgent a journal entry is, with the numbers of syslog(3): the lower, the more urgent.
package enum JournalPriority: UInt8, Hashable, Sendable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, information, debug
}

/// The 128-bit ID of a kind of message (`MESSAGE_ID`), by which `journalctl` finds entries and their catalogue text.
package struct JournalMessageID: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits.
    package let text: String

    /// - Parameter text: 32 hexadecimal digits in upper or lower case, or a UUID with dashes.
    /// - Throws: ``JournalFieldError/invalidMessageID(_:)``.
    package init(_ text: String) throws(JournalFieldError) {
        let digits = text.utf8.count == 36 ? text.filter { $0 != "-" } : text
        guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw .invalidMessageID(text)
        }
        self.text = digits.lowercased()
    }

    private init(known text: String) {
        self.text = text
    }

    /// Entries are missing at this place of the journal; the field `…GAP` has their number.
    package static let gap = Self(known: "b7d5c3f0a1e94c7f8d2e6a4b90f1c352")
    /// The daemon's message that it has stopped.
    package static let daemonStopped = Self(known: "795a602801214b21b662856a6b6f6a01")
    /// journald's message that its rate limit suppressed messages of a unit (`SD_MESSAGE_JOURNAL_DROPPED`).
    package static let suppressed = Self(known: "a596d6fe7bfa4994828e72309e95d61e")
    /// The service manager's message that a unit's process has ended (`SD_MESSAGE_UNIT_PROCESS_EXIT`).
    package static let processExit = Self(known: "98e322203f7a4ed290d09fe03c09fe15")
}
