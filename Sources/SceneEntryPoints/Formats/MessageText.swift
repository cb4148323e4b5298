internal import StrictJSON

extension String {
    /// The text in quotes for a message: control characters escaped, cut after 64 characters, because it may come from
    /// anybody and the message may end up in a terminal or a journal.
    var quotedForMessage: String {
        let head = self.unicodeScalars.prefix(64)
        let isCut = head.endIndex != self.unicodeScalars.endIndex
        return JSONValue.string(String(String.UnicodeScalarView(head)) + (isCut ? "…" : "")).text()
    }
}
