/// The name of a journal field: 1 to 64 of `A`–`Z`, `0`–`9` and `_`, not beginning with a digit.
///
/// journald silently drops fields with any other name, so they are refused here. Only journald writes names that begin with
/// `_`, such as `_PID` and `_SYSTEMD_UNIT`; these can be read and matched.
/// See systemd.journal-fields(7) and sd_journal_sendv(3).
package struct JournalFieldName: Hashable, Sendable {
    /// How many bytes a name may have.
    package static let maximumLength = 64

    /// The name, such as `SCENED_SCENE`.
    package let text: String

    /// A name that was checked.
    /// - Throws: ``JournalFieldError/invalidName(_:reason:)``.
    package init(_ text: String) throws(JournalFieldError) {
        if let reason = Self.problem(with: text) { throw .invalidName(text, reason: reason) }
        self.text = text
    }

    /// A name that is valid by construction.
    init(unchecked text: String) {
        self.text = text
    }

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

extension JournalFieldName {
    /// The field for a metadata key: the prefix, then the key in upper case, with `_` between words and for each run of other
    /// characters (`scene` → `SCENED_SCENE`, `sceneID` and `scene-id` → `SCENED_SCENE_ID`).
    ///
    /// Every key has a field: a long one is cut, one without letters and digits becomes `FIELD`. If two keys have the same
    /// field, it gets two values, which the journal allows.
    package init(metadataKey key: String, prefix: JournalFieldName) {
        var name = Array(prefix.text.utf8)
        let start = name.count
        var previous = UInt8(ascii: "_")
        for byte in key.utf8 {
            let next: UInt8
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): next = byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(previous) { name.append(UInt8(ascii: "_")) }
                next = byte
            case UInt8(ascii: "0")...UInt8(ascii: "9"): next = byte
            default: next = UInt8(ascii: "_")
            }
            let isSeparator = next == UInt8(ascii: "_")
            if !isSeparator || (name.count > start && name.last != next) { name.append(next) }
            previous = byte
        }
        if name.count == start { name += Array("FIELD".utf8) }
        self.init(unchecked: String(decoding: name.prefix(Self.maximumLength), as: UTF8.self))
    }
}

/// Why a field cannot be part of a journal entry.
package enum JournalFieldError: Error, Hashable, Sendable {
    /// journald would drop a field of this name.
    case invalidName(String, reason: String)
    /// The text is not 32 hexadecimal digits.
    case invalidMessageID(String)
}

extension JournalFieldError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidName(let name, let reason):
            "journal field name \(name.debugDescription): \(reason); write it like SCENED_SCENE"
        case .invalidMessageID(let text):
            "message ID \(text.debugDescription): expected 32 hexadecimal digits, as `systemd-id128 new` prints"
        }
    }
}
