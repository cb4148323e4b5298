import SceneRouting
import Testing

@Suite("Bounded patterns")
struct BoundedPatternTests {
    static let matches: [(String, [String], [String])] = [
        ("p[0-9]{1,9}", ["p1", "p123456789"], ["", "p", "P1", "p1234567890", "xp1", "p1x"]),
        ("[a-z0-9-]{1,40}", ["a-b", "-"], ["", "A", "a_b", String(repeating: "a", count: 41)]),
        ("a|bc*|", ["a", "b", "bccc", ""], ["c", "ab"]),
        ("(ab)+x?", ["ab", "ababx"], ["", "aab", "x"]),
        ("(?:a|b){2}", ["ab", "bb"], ["a", "aba"]),
        ("\\d\\w\\s\\.", ["1_ ."], ["1_ x", "a_ ."]),
        ("[^/]+", ["é漢", "a b"], ["a/b", ""]),
        (".{2}", ["é漢", "ab", "\u{1F600}a"], ["a", "abc"]),
        ("[é-ü]", ["ê"], ["e", "ý"]),
        ("a{3}b{2,}", ["aaabb", "aaabbbb"], ["aabb", "aaab"]),
        ("[]a]", [], []),
        ("[a-]\\]", ["a]", "-]"], ["b]"]),
        ("(a*)*b", ["b", "aab"], ["a", ""]),
    ]

    @Test("match whole texts", arguments: matches)
    func matching(source: String, yes: [String], no: [String]) throws {
        guard source != "[]a]" else {
            #expect(throws: BoundedPatternError.self) { try BoundedPattern(source) }
            return
        }
        let pattern = try BoundedPattern(source)
        for text in yes { #expect(pattern.matches(text), "\(source) \(text)") }
        for text in no { #expect(!pattern.matches(text), "\(source) \(text)") }
    }

    static let wrong: [(String, String)] = [
        ("a(b", "at character 4: ')' is missing"),
        ("a)b", "at character 2: ')' without '('"),
        ("[a", "at character 3: ']' is missing"),
        ("[z-a]", "at character 5: the range ends before it begins"),
        ("*a", "at character 1: '*' has nothing to repeat"),
        ("a{2,1}", "at character 7: the highest count is below the lowest"),
        ("a{5000}", "at character 6: a count is at most 1024"),
        ("^a$", "at character 1: a pattern matches the whole value, without '^'; write \\^ for the character"),
        ("(?=a)", "at character 3: only '(?:' is allowed after '('; there is no look-around"),
        ("\\b", "at character 2: '\\b' is not known; there are \\d \\w \\s \\D \\W \\S \\n \\t"),
        ("a\\", "at character 3: nothing follows '\\'"),
        ("(a|b)*a(a|b){14}", "the pattern is too complex; use smaller counts or fewer alternatives"),
        ("(((a{99}){99}){99}){99}", "the pattern is too complex; use smaller counts or fewer alternatives"),
        (String(repeating: "(", count: 40), "at character 34: groups nest more than 32 deep"),
        (
            String(repeating: "a", count: 513),
            "the pattern has 513 characters; at most 512 are allowed"
        ),
    ]

    @Test("report what is wrong with them, and where", arguments: wrong)
    func refusing(source: String, reason: String) {
        let error = #expect(throws: BoundedPatternError.self) { try BoundedPattern(source) }
        #expect(error?.description == reason)
    }

    @Test("take as many steps as the text has characters, whatever the text")
    func linear() throws {
        // With backtracking this would take exponential time.
        let pattern = try BoundedPattern("(a+)+b")
        #expect(!pattern.matches(String(repeating: "a", count: 1_000_000)))
        #expect(pattern.matches(String(repeating: "a", count: 1_000_000) + "b"))
    }
}
