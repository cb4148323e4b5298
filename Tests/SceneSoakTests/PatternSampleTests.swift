import Basics
import Testing

@testable import SceneSoak

@Suite("Texts generated for a pattern")
struct PatternSampleTests {
    @Test(
        "match it",
        arguments: [
            "p[0-9]{1,9}", "[a-z0-9-]{1,40}", "[A-Z0-9]{4,12}", "(de|en)-[A-Z]{2}", "v\\d+(\\.\\d+)?", "a*b+c?",
            "[a\\-z]x",
        ]
    )
    func matching(pattern: String) throws {
        let sample = try #require(PatternSample(pattern))
        let expression = try Regex(pattern)
        var random = SplitMix(seed: 4)
        for _ in 0..<200 {
            let text = sample.text(&random)
            #expect(text.wholeMatch(of: expression) != nil, "\(text)")
        }
    }

    @Test(
        "are not generated for a pattern that it cannot read",
        arguments: ["[^a]", "\\p{L}", "a{2", "(a", "a)", "[a", "x{3,1}", "ü", "\\"]
    )
    func unreadable(pattern: String) {
        #expect(PatternSample(pattern) == nil)
    }

}
