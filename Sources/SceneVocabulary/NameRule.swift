/// What may be a name: of a scene, an event, a user, a flow, an intent, a fact, an adapter, a kind, and of whatever else a
/// manifest declares or a client refers to (<doc:/SceneRuntime/Words>).
///
/// Because names are ASCII, two are the same exactly if their bytes are, and no name can command a terminal.
package enum NameRule {
    /// The length of a name in bytes.
    package static let length = 1...128

    /// What would be right, as a phrase.
    package static let expectation = "1 to 128 letters, digits and signs of ASCII, without spaces"

    /// Whether the text is a name: 1 to 128 bytes of visible ASCII (0x21 to 0x7E).
    package static func allows(_ text: String) -> Bool {
        length.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// What is wrong with a text as a name, and what would be right; `nil` if it is a name.
    package static func problem(_ text: String) -> String? {
        guard !allows(text) else { return nil }
        if text.isEmpty { return "is empty; expected \(expectation)" }
        guard length.contains(text.utf8.count) else {
            return "has \(text.utf8.count) bytes; expected \(expectation)"
        }
        let place = text.utf8.prefix { (0x21...0x7E).contains($0) }.count
        return "has a character that no name has, at byte \(place + 1); expected \(expectation)"
    }
}
