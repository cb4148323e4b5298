import SceneEntryPoints
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// The conditions by which windows are chosen for a content identifier.
@Suite(.timeLimit(.minutes(15))) struct ContentPredicateTests {
    static let cases: [(ContentPredicate, matches: [String], not: [String])] = [
        (.constant(true), ["", "product/p1"], []),
        (.constant(false), [], ["", "product/p1"]),
        (.equals("product/p1"), ["product/p1"], ["product/p10", "product/", "PRODUCT/P1", ""]),
        (.beginsWith("product/"), ["product/", "product/p1"], ["product", "a product/"]),
        (.endsWith("/p1"), ["/p1", "product/p1"], ["product/p10", "p1"]),
        (.contains("oduct"), ["product/p1", "oduct"], ["prod uct", ""]),
        (.contains(""), ["", "anything"], []),
        (.like("product/*"), ["product/", "product/p1", "product/a/b"], ["product", "aproduct/p1"]),
        (.like("*/p?"), ["/p1", "product/p1", "a/p1/p2"], ["/p", "product/p12"]),
        (.like("*"), ["", "anything"], []),
        (.like("?"), ["a", "ä", "🛒"], ["", "ab"]),
        (.like("a*b*c"), ["abc", "aXbXc", "abbcc"], ["ab", "acb", "abcd"]),
        (.like("a.c"), ["a.c"], ["abc"]),
        (.like(""), [""], ["a"]),
        (.all([]), ["", "x"], []),
        (.any([]), [], ["", "x"]),
        (.all([.beginsWith("a"), .endsWith("z")]), ["az", "a-z"], ["a", "z", "ba-z"]),
        (.any([.equals("a"), .equals("b")]), ["a", "b"], ["c", ""]),
        (.not(.beginsWith("product/")), ["order/o1", ""], ["product/p1"]),
        (
            .all([.like("product/*"), .not(.any([.equals("product/p1"), .contains("secret")]))]), ["product/p2"],
            ["product/p1", "product/secret", "order/o1"]
        ),
    ]

    @Test("each form accepts what it describes and nothing else", arguments: cases)
    func forms(predicate: ContentPredicate, matches: [String], not: [String]) {
        for identifier in matches { #expect(predicate.matches(identifier), "\(predicate) takes '\(identifier)'") }
        for identifier in not { #expect(!predicate.matches(identifier), "\(predicate) does not take '\(identifier)'") }
    }

    @Test("matching wildcards takes time proportional to the text, whatever the pattern")
    func hostilePattern() {
        let pattern = ContentPredicate.like(String(repeating: "a*", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 5_000)))
    }

    @Test("`like` agrees with trying every match, for random patterns and texts")
    func agreesWithDefinition() {
        func every(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            switch first {
            case "*":
                return every(pattern.dropFirst(), text) || (!text.isEmpty && every(pattern, text.dropFirst()))
            case "?": return !text.isEmpty && every(pattern.dropFirst(), text.dropFirst())
            default: return text.first == first && every(pattern.dropFirst(), text.dropFirst())
            }
        }
        var state: UInt64 = 11
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<20_000 {
            let pattern = String((0..<next(7)).map { _ in Array("ab*?")[next(4)] })
            let text = String((0..<next(8)).map { _ in Array("ab")[next(2)] })
            #expect(
                ContentPredicate.like(pattern).matches(text) == every(pattern[...], text[...]),
                "\(pattern) \(text)"
            )
        }
    }

    @Test("a manifest declares nested conditions, and a host chooses by them")
    func inManifest() async throws {
        let manifest = try AppManifest.read(
            AppManifest.builtInShopText.replacing(
                "    prefers: { beginsWith: product/ }\n",
                with: """
                        prefers: { all: [{ like: "product/p?" }, { not: { any: [{ equals: product/p1 }, { endsWith: "9" }] } }] }
                      never: { canActivate: false, prefers: false }
                      orders: { canActivate: { contains: order }, prefers: { all: [{ beginsWith: order/ }] } }

                    """
            ),
            file: "shop.yaml"
        ).manifest
        let host = try SceneHost(id: "test", manifest: manifest)
        for (scene, configuration) in [("A", "default"), ("D", "detail"), ("O", "orders"), ("N", "never")] {
            try host.connect(scene: scene, configuration: configuration)
        }
        let chosen = [
            ("product/p2", "D"), ("product/p1", "D"), ("product/p9", "D"), ("product/p22", "D"), ("order/o7", "O"),
            ("an order", "O"), ("account", "A"),
        ]
        // Among several that only can, the most recently active wins; activating A, then D, then O fixes the order.
        for (identifier, scene) in chosen {
            for name in ["A", "D", "O"] {
                _ = await host.receipt(of: try host.admit(Submission(try .url("qcommerce://home"), scene: name)))
            }
            let event = try EntryEvent.shortcut(
                type: "com.example.shop.orders",
                targetContentIdentifier: identifier
            )
            let receipt = await host.receipt(of: try host.admit(Submission(event)))
            #expect(receipt.scene == scene, "\(identifier)")
        }
        // A URL is its own identifier, and so is the page of an activity that has none.
        for event in [
            try EntryEvent.url("qcommerce://order/o7"), try .widget(kind: "w", url: "qcommerce://orders"),
            try .activity(activityType: UserActivity.browsingWeb, webpageURL: "https://shop.example/order/o7"),
        ] {
            for name in ["O", "D", "A"] {
                _ = await host.receipt(of: try host.admit(Submission(try .url("qcommerce://home"), scene: name)))
            }
            let receipt = await host.receipt(of: try host.admit(Submission(event)))
            #expect(receipt.scene == "A", "O can take it, but A was active later")
            _ = await host.receipt(of: try host.admit(Submission(try .url("qcommerce://home"), scene: "O")))
            #expect(await host.receipt(of: try host.admit(Submission(event))).scene == "O")
        }
        await host.drain()
    }
}
