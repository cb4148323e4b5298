import Basics
import Testing

/// Texts compared by their bytes.
@Suite(.timeLimit(.minutes(15))) struct StringBytesTests {
    @Test("a text is the same as another only if its bytes are, and then has the same hash")
    func sameBytes() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}"))
        #expect("\u{E9}".hasSameBytes(as: "\u{E9}"))
        #expect(Set([ByteKey("\u{E9}"), ByteKey("e\u{301}"), ByteKey("\u{E9}")]).count == 2)
    }

    @Test(
        "thirty combining marks in a row are allowed, and one more is not",
        arguments: ["\u{301}", "\u{323}", "\u{F73}", "\u{1D165}"]
    )
    func marks(mark: String) {
        let thirty = String(repeating: mark, count: 30)
        #expect(("a" + thirty + "b" + thirty).excessMark == nil)
        #expect(("a" + thirty + mark + "b").excessMark == 1 + thirty.utf8.count)
    }

    @Test(
        "text of any language is allowed",
        arguments: ["", "plain", "Größe", "Tiếng Việt", "שָׁלוֹם עֲלֵיכֶם", "नमस्ते दुनिया", "한국어", "ཀྵཱི", "👩‍👩‍👧‍👦🇩🇪"]
    )
    func languages(text: String) {
        #expect(text.excessMark == nil)
    }

    @Test("a text is cut between characters of Unicode")
    func cuts() {
        #expect("aé🛒".prefix(utf8: 0).isEmpty)
        #expect("aé🛒".prefix(utf8: 2) == "a")
        #expect("aé🛒".prefix(utf8: 3) == "aé")
        #expect("aé🛒".prefix(utf8: 6) == "aé")
        #expect("aé🛒".prefix(utf8: 7) == "aé🛒")
    }
}
