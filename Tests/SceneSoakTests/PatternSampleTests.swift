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

    @Test("are values for parameters as the daemon describes them")
    func values() {
        var random = SplitMix(seed: 4)
        #expect(["profile", "privacy"].contains(RouteSamples.value("one of 'profile', 'privacy'", &random)))
        #expect(RouteSamples.value("an integer from 5 to 5", &random) == "5")
        #expect(RouteSamples.value("text that matches o[0-9]", &random)?.count == 2)
        #expect(
            RouteSamples.value("a UUID such as 8f14", &random)?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
        )
        #expect(RouteSamples.value("something new", &random) == nil)
    }
}
