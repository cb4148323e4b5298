import CommandConsole
import Testing

/// What `scenectl` prints cannot command a terminal, whoever wrote it.
@Suite("Text on a terminal", .timeLimit(.minutes(15))) struct TerminalTests {
    @Test(
        "characters that command a terminal or turn the direction of writing are shown as escapes",
        arguments: [
            ("\u{1B}[2J", #"\u{1B}[2J"#), ("\u{1B}]0;title\u{7}", #"\u{1B}]0;title\u{7}"#),
            ("\u{9B}31m", #"\u{9B}31m"#), ("\u{1B}[31mred\u{1B}[0m", #"\u{1B}[31mred\u{1B}[0m"#), ("a\nb", #"a\u{A}b"#),
            ("a\rb", #"a\u{D}b"#), ("\u{202E}gpj", #"\u{202E}gpj"#), ("a\u{7F}", #"a\u{7F}"#), ("\u{1B}", #"\u{1B}"#),
        ]
    )
    func escapes(text: String, shown: String) {
        #expect(Terminal.harmless(text, as: .line) == shown)
    }

    @Test(
        "all other text is shown as it is",
        arguments: ["home › cart\n\tGröße", "👩‍👩‍👧‍👦", "שלום", ""]
    )
    func keeps(text: String) {
        #expect(Terminal.harmless(text, as: .page) == text)
    }
}
