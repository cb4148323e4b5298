/// Why a field cannot be part of a journal entry.
package enum JournalFieldError: Error, Hashable, Sendable {
    /// journald would drop a field of this name.
    case invalidName(String, reason: String)
    /// Only journald writes fields whose names begin with `_`.
    case trusted(JournalFieldName)
    /// An entry has at most this many fields.
    case tooManyFields(limit: Int)
    /// Not 32 hexadecimal digits.
    case invalidMessageID(String)
}

extension JournalFieldError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidName(let name, let reason):
            "journal field name \(name.debugDescription): \(reason); write it like SCENED_SCENE"
        case .trusted(let name):
            "journal field name \(name): only journald writes names beginning with _; leave the _ away"
        case .tooManyFields(let limit):
            "a journal entry has at most \(limit) fields"
        case .invalidMessageID(let text):
            "message ID \(text.debugDescription): it has to be 32 hexadecimal digits, as `systemd-id128 new` prints them"
        }
    }
}
