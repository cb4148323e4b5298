/// The 128-bit ID of a kind of message (`MESSAGE_ID`), by which `journalctl` finds it and its text in the catalogue.
package struct JournalMessageID: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits.
    package let text: String

    /// - Parameter text: 32 hexadecimal digits of any case, or a UUID with its dashes.
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

    /// Entries are missing at this place of the journal: the field `…GAP` has their number.
    package static let gap = Self(known: "b7d5c3f0a1e94c7f8d2e6a4b90f1c352")
    /// journald's own: it suppressed messages of a unit by its rate limit (`SD_MESSAGE_JOURNAL_DROPPED`).
    package static let suppressed = Self(known: "a596d6fe7bfa4994828e72309e95d61e")
    /// The service manager's: a unit's process has ended (`SD_MESSAGE_UNIT_PROCESS_EXIT`).
    package static let processExit = Self(known: "98e322203f7a4ed290d09fe03c09fe15")
}
