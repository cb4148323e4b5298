/// The place of one entry in a journal, as libsystemd writes it: text to keep and compare, never to take apart.
package struct JournalCursor: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { text }
}
