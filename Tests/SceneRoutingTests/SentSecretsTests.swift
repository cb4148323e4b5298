import Basics
import Foundation
import SceneRouting
import TestFixtures
import Testing

@testable import SceneRouting

@Suite("SentSecrets")
struct SentSecretsTests {
    static let cases: [(text: String, concealed: String)] = [
        ("app://reset/a%2Fb%C3%A9", "app://reset/secret:1"), ("a/bé", "secret:1"), ("x a/bé y", "x secret:1 y"),
        ("app://r?token=a%2fb%c3%a9&x=%20", "app://r?token=secret:1&x=%20"),
        ("app://r#a%2Fb%C3%A9", "app://r#secret:1"),
        ("app://reset/nothing%20here", "app://reset/nothing%20here"), ("%", "%"), ("longer", "secret:2"),
        ("long", "secret:3"), ("longlonger", "secret:3secret:2"), ("prolonged", "prosecret:3ed"),
        ("", ""), ("e\u{301}", "secret:4"), ("%65%CC%81", "secret:4"),
        // What ends like the beginning of an escape, or has something that looks like one.
        ("app://r/100%25?x=100%25", "app://r/secret:6?x=secret:6"), ("100%", "secret:6"), ("of 100%!", "of secret:6!"),
        ("app://r/100%2525", "app://r/secret:7"), ("app://r/%31%30%30%25%32%35", "app://r/secret:7"),
        ("app://r?u=app%3A%2F%2Fr%2Fa%252Fb%25C3%25A9", "app://r?u=app%3A%2F%2Fr%2Fsecret:1"),
        ("app://r/a%25zz%41", "app://r/secret:8"), ("a%zzA", "secret:8"),
        // A short one stands by itself.
        ("safe://drawer/e?e=he&x=e#e", "safe://drawer/secret:9?secret:9=he&x=secret:9#secret:9"),
        ("e", "secret:9"), ("see e, then", "see secret:9, then"), ("%e", "%e"),
        ("app://%65/x%65", "app://secret:9/x%65"),
        ("app://r?q=a=b&c", "app://r?q=secret:10&c"), ("app://r/=/?=&=", "app://r/=/?=&="),
        // Two that overlap, and one that begins with what separates the parts of a URL.
        ("overlapping", "secret:11secret:12"), ("app://r?t=hidden&x", "app://r?t=secret:13&x"),
        ("app://r?t=\u{338}mark&n=%CC%B8mark", "app://r?t=secret:15&n=secret:15"), ("=\u{338}mark", "=secret:15"),
    ]

    @Test("are concealed as they stand, and percent-encoded as a part of a URL", arguments: cases)
    func conceal(text: String, concealed: String) {
        var secrets = SentSecrets()
        for (value, placeholder) in [
            ("a/bé", "1"), ("long", "3"), ("longer", "2"), ("é", "4"), ("", "5"), ("100%", "6"), ("100%25", "7"),
            ("a%zzA", "8"), ("e", "9"), ("a=b", "10"), ("overlap", "11"), ("lapping", "12"), ("hidden", "13"),
            ("hidden&", "14"), ("\u{338}mark", "15"),
        ] { secrets.add(value, "secret:\(placeholder)") }
        let found = secrets.concealed(text)
        #expect(found.utf8.elementsEqual(concealed.utf8), "\(found)")
    }

    @Test("are looked for in a member of an event by every parameter of its name, in whatever order they are declared")
    func members() throws {
        let number = ParameterDeclaration(name: "code", type: .integer(minimum: nil, maximum: nil), isSecret: true)
        let text = ParameterDeclaration(name: "code", type: .string, isSecret: true)
        for (first, second) in [(number, text), (text, number)] {
            let app = AppManifest(
                name: "Safe",
                tabs: [TabDeclaration(id: "home", root: "home")],
                destinations: [
                    DestinationDeclaration(id: "home", presentation: .tab("home")),
                    DestinationDeclaration(id: "one", parameters: [first], ancestry: ["home"]),
                    DestinationDeclaration(id: "two", parameters: [second], ancestry: ["home"]),
                ]
            )
            let engine = try RoutingEngine(manifest: app, secrets: SecretKey(1, 2))
            let found = engine.secrets(inMember: "code", "0042")
            for value in ["0042", "42"] { #expect(found.placeholder(for: value) != nil, "\(value)") }
            #expect(engine.secrets(inMember: "other", "0042").isEmpty)
        }
    }

    // MARK: - Every character

    /// All ASCII punctuation, escapes and what only looks like one, and texts that are the same in another normal form.
    private static let pieces =
        (0x20..<0x7F).map { String(Unicode.Scalar(UInt8($0))) }.filter { !$0.utf8.allSatisfy(ASCII.isLetter) }
        + [
            "%41", "%25", "%zz", "%2", "%%", "%C3", "%00", "é", "e\u{301}", "\u{301}", "\u{338}", "=\u{338}", "한",
            "\u{1112}\u{1161}\u{11AB}",
        ]
        + ["\u{1F468}\u{200D}\u{1F469}", "\u{1F1E9}\u{1F1EA}", "\u{212B}", "\u{600}", "\r\n", "\u{FB01}", "\u{1D15E}"]

    private struct Maker {
        var random: SplitMix

        /// Letters that nothing else has, among whatever there is; each value begins with the one before.
        mutating func values() -> [String] {
            var value = ""
            return (0..<1 + random.below(3)).map { index in
                for _ in 0..<random.below(4) { value += random.pick(SentSecretsTests.pieces) }
                value += "Qzx\(index)"
                for _ in 0..<random.below(4) { value += random.pick(SentSecretsTests.pieces) }
                return value
            }
        }

        /// The value as it may stand in a URL.
        mutating func encoded(_ value: String) -> String {
            let form = random.pick([
                value, value.decomposedStringWithCanonicalMapping, value.precomposedStringWithCanonicalMapping,
            ])
            var written = ""
            // Each character by itself as it has to be, or although it need not be, in capitals or not.
            let mode = random.below(3)
            for byte in form.utf8 {
                let isPlain = ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~!$'()*+,;:@".utf8.contains(byte)
                let digits = String(byte, radix: 16, uppercase: random.below(2) == 0)
                let escape = "%\(byte < 16 ? "0" : "")\(digits)"
                let isEscaped = !isPlain || mode == 1 || mode == 2 && random.below(2) == 0
                written += isEscaped ? escape : String(Unicode.Scalar(byte))
            }
            return written
        }
    }

    @Test("are gone from every part of a URL, whatever they consist of, and nothing else is")
    func everyCharacter() {
        var maker = Maker(random: SplitMix(seed: 8))
        let places = [
            ("safe://drawer/", ""), ("safe://drawer/", "/more?x=%2F"), ("safe://", ""),
            ("safe://invite?words=", "&device=x"),
            ("safe://invite?q=%25&words=", "#top"), ("safe://invited#", ""), ("https://safe.example/reset/", "?a=b"),
        ]
        for _ in 0..<4_000 {
            let values = maker.values()
            var secrets = SentSecrets()
            for (index, value) in values.enumerated() { secrets.add(value, "secret:\(index)") }
            let (index, place) = (maker.random.below(values.count), maker.random.pick(places))
            let url = place.0 + maker.encoded(values[index]) + place.1
            let concealed = secrets.concealed(url)
            #expect(
                concealed.utf8.elementsEqual("\(place.0)secret:\(index)\(place.1)".utf8),
                "\(values), \(url): \(concealed)"
            )
        }
    }

    @Test("leave nothing of themselves in any text, alone, in others, beside each other and encoded several times")
    func everyText() {
        var maker = Maker(random: SplitMix(seed: 9))
        for _ in 0..<4_000 {
            let values = maker.values()
            var secrets = SentSecrets()
            for (index, value) in values.enumerated() { secrets.add(value, "secret:\(index)") }
            var text = ""
            for _ in 0...maker.random.below(3) {
                text += maker.random.pick(["", " ", "see ", "/", "=", "x", "secret:", "safe://drawer/"])
                let value = maker.random.pick(values)
                let isEncoded = maker.random.below(3)
                text +=
                    isEncoded == 0 ? value : isEncoded == 1 ? maker.encoded(value) : maker.encoded(maker.encoded(value))
            }
            let concealed = secrets.concealed(text)
            var readings = [concealed]
            for _ in 0..<3 { readings.append(readings[readings.count - 1].removingPercentEncoding ?? "") }
            #expect(!readings.contains { $0.contains("Qzx") }, "\(values), \(text): \(concealed)")
        }
    }

    @Test("are looked for in time in proportion to the text and to the values", arguments: HostileText.all)
    func cost(of hostile: HostileText) async {
        let excess = await LinearCost.excess(from: 4_000) { size in
            var secrets = SentSecrets()
            // Each nearly fits everywhere.
            for index in 0..<20 { secrets.add(hostile.text(size / 20) + "\(index)", "secret:\(index)") }
            let text = hostile.text(size)
            let escaped = text.utf8.map { "%\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined()
            return LinearCost.time {
                for text in [text, escaped, "safe://drawer/\(escaped)"] { _ = secrets.concealed(text) }
            }
        }
        #expect(excess == nil)
    }
}
