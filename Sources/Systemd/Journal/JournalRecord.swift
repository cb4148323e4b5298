/// One entry read from a journal.
package struct JournalRecord: Hashable, Sendable {
    /// One field of an entry.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: [UInt8]

        /// The value as text; what is not UTF-8 is replaced.
        package var text: String { String(decoding: value, as: UTF8.self) }
    }

    package let cursor: JournalCursor
    /// When journald received it, in microseconds since 1970.
    package let realtime: UInt64
    /// When journald received it, in microseconds since its boot.
    package let monotonic: UInt64
    /// The 16 bytes of the boot's ID.
    package let bootID: [UInt8]
    /// The fields in no particular order; several may have one name.
    package let fields: [Field]

    /// The first value of a field as text.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.text
    }

    /// All values of a field as text.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.text)
    }
}
