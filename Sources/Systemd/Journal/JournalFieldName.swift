/// The name of a journal field: 1 to 64 of `A`–`Z`, `0`–`9` and `_`, not beginning with a digit.
///
/// journald drops fields with any other name without a word, so they are refused here. Names beginning with `_` are
/// journald's own (`_PID`, `_SYSTEMD_UNIT`): they can be read and matched, and never written.
/// See systemd.journal-fields(7) and sd_journal_sendv(3).
package struct JournalFieldName: Hashable, Sendable {
    /// The most bytes a name may have.
    package static let maximumLength = 64

    package let text: String

    /// - Throws: ``JournalFieldError/invalidName(_:reason:)``.
    package init(_ text: String) throws(JournalFieldError) {
        if let reason = Self.problem(with: text) { throw .invalidName(text, reason: reason) }
        self.text = text
    }

    /// A name that is valid by construction.
    init(unchecked text: String) {
        self.text = text
    }

    /// Whether only journald may write it.
    package var isTrusted: Bool { text.utf8.first == UInt8(ascii: "_") }

    package static let message = Self(unchecked: "MESSAGE")
    package static let messageID = Self(unchecked: "MESSAGE_ID")
    package static let priority = Self(unchecked: "PRIORITY")
    package static let syslogIdentifier = Self(unchecked: "SYSLOG_IDENTIFIER")
    package static let codeFile = Self(unchecked: "CODE_FILE")
    package static let codeLine = Self(unchecked: "CODE_LINE")
    package static let codeFunction = Self(unchecked: "CODE_FUNC")

    private static func problem(with text: String) -> String? {
        guard let first = text.utf8.first else { return "it is empty" }
        guard text.utf8.count <= maximumLength else { return "it is longer than \(maximumLength) bytes" }
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return "it begins with a digit" }
        guard let offender = text.unicodeScalars.first(where: { !isAllowed($0) }) else { return nil }
        if ("a"..."z").contains(offender) { return "it has the lower-case letter '\(offender)'" }
        return "it has \(String(offender).debugDescription); only A-Z, 0-9 and _ are allowed"
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}

extension JournalFieldName: CustomStringConvertible {
    package var description: String { text }
}
