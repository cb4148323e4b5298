import Systemd
import Testing

@Suite("Journal entries")
struct JournalEntryTests {
    @Test("keeps fields in order, with line breaks, NUL, '=' and bytes that are not UTF-8")
    func keepsBytes() throws {
        var entry = JournalEntry("two\nlines", priority: .error)
        try entry.add(JournalFieldName("SCENED_BYTES"), [0, 10, 61, 0xFF])
        try entry.add(JournalFieldName("SCENED_EMPTY"), "")
        try entry.add(JournalFieldName("SCENED_EMPTY"), "a=b")
        #expect(entry.fields.map(\.name) == ["MESSAGE", "PRIORITY", "SCENED_BYTES", "SCENED_EMPTY", "SCENED_EMPTY"])
        #expect(
            entry.fields.map(\.value)
                == [Array("two\nlines".utf8), Array("3".utf8), [0, 10, 61, 0xFF], [], Array("a=b".utf8)]
        )
    }

    @Test(
        "reads message IDs as systemd prints them, with or without dashes",
        arguments: [
            "b7d5c3f0a1e94c7f8d2e6a4b90f1c352", "B7D5C3F0A1E94C7F8D2E6A4B90F1C352",
            "b7d5c3f0-a1e9-4c7f-8d2e-6a4b90f1c352",
        ]
    )
    func messageID(text: String) throws {
        #expect(try JournalMessageID(text) == .gap)
    }

    @Test(
        "refuses other message IDs",
        arguments: ["", "12", "g7d5c3f0a1e94c7f8d2e6a4b90f1c352", "７7d5c3f0a1e94c7f8d2e6a4b90f1c3"]
    )
    func badMessageID(text: String) {
        #expect(throws: JournalFieldError.invalidMessageID(text)) { try JournalMessageID(text) }
    }
}
