import Basics
import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

/// Random conditions of adapters, tried with all texts that any of them names.
@Suite("An adapter that is said to take no event")
struct AdapterConditionTests {
    private static let path = "userInfo.text"
    private static let texts = ["a", "b", "ab", "ba", "a/b", "b/a", "aab", "a/ab", "aXb", "bXa", "aX", "a/X", "X/b"]
    private static let lists = [["a"], ["ab"], ["a", "b"], ["b", "ab", "a/b"], ["ba", "aab"], []]
    private static let patterns = [
        "{x}", "a{x}", "{x}b", "a{x}b", "a/{x}", "{x}/b", "{x}/{y}", "ab", "b{x}a", "aa{x}",
    ]

    @Test("takes none", arguments: 0..<300)
    func soundness(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var isListed = false
        let conditions = (0..<Int.random(in: 1...3, using: &random)).map { index -> AdapterDeclaration.FieldCondition in
            if Bool.random(using: &random) {
                isListed = true
                return .equals(path: Self.path, oneOf: Self.lists.randomElement(using: &random) ?? [])
            }
            // A name that is captured twice has to be captured as the same text.
            let pattern = (Self.patterns.randomElement(using: &random) ?? "ab")
                .replacing("x", with: "x\(index)").replacing("y", with: "y\(index)")
            return .matches(path: Self.path, pattern: pattern)
        }
        let declaration = AdapterDeclaration(name: "any", kinds: ["widget"], conditions: conditions, mapping: .handled)
        var manifest = AppManifest(name: "Demo")
        manifest.schemes = ["demo"]
        manifest.tabs = [TabDeclaration(id: "home", root: "home")]
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        manifest.adapters = [declaration]
        let problems = manifest.problems()
        #expect(!problems.contains { $0.severity == .error }, "\(problems)")
        let adapter = DeclarativeAdapter(declaration)
        let isTaken = try Self.texts.contains { text in
            let answer = adapter.adapt(try .widget(kind: "k", userInfo: ["text": .string(text)]))
            return if case .declined = answer { false } else { true }
        }
        let isSaid = problems.contains { $0.message.contains("takes no event") }
        #expect(!(isTaken && isSaid), "\(conditions)")
        // Each text that a list names is among those tried.
        if isListed { #expect(isTaken != isSaid, "\(conditions)") }
    }
}
