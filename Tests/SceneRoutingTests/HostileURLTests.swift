import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// Every input of the WHATWG URL tests (web-platform-tests `url/resources/urltestdata.json`, BSD-3), given to every function
/// that takes a URL. Each parses or refuses it, and they agree; routing does not claim to follow that parser.
@Suite("Hostile URLs")
struct HostileURLTests {
    @Test("get the same answer everywhere, and nothing traps")
    func everyDoor() throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        var random = RandomApp(seed: 9)
        let other = try RoutingEngine(manifest: random.manifest(routes: 80))
        let inputs = try #require(JSONValue(parsing: try Vectors.text("wpt-urltestdata.json")).arrayValue)
            .compactMap { $0["input"]?.stringValue }
        #expect(inputs.count > 800)
        let context = RoutingContext(user: "ada", facts: ["market": .string("de")])
        var malformed = 0
        for input in inputs
            + ["qcommerce://", "qcommerce:", "https://shop.example/"].flatMap({ start in inputs.map { start + $0 } })
        {
            for engine in [engine, other] {
                let match = Result { () throws(RouteError) in try engine.match(url: input, context: context) }
                let defined = Result { () throws(RouteError) in
                    try engine.matchByDefinition(url: input, context: context)
                }
                #expect(match == defined, "\(input)")
                let explanation = engine.explain(url: input, context: context)
                if case .failure(let error) = match { #expect(explanation.outcome == .refused(error)) }
                if case .failure(.malformed) = match { malformed += 1 }
                _ = engine.association(for: input)
            }
        }
        #expect(malformed > 500)
    }

    static let bounds: [(String, RouteError)] = [
        (
            "https://shop.example/" + String(repeating: "a", count: 8172),
            .malformed(reason: "the URL has 8193 bytes; at most 8192 are allowed")
        ),
        (
            "https://shop.example/" + String(repeating: "a/", count: 65),
            .malformed(reason: "the path has more than 64 segments")
        ),
        (
            "https://shop.example/?" + String(repeating: "a&", count: 129),
            .malformed(reason: "the query has more than 128 items")
        ),
        ("https://shop.example/%2", .malformed(reason: "the path has an incomplete percent escape")),
        ("https://shop.example/%FF", .malformed(reason: "the path does not decode to UTF-8")),
        ("https://shop.example/%00", .malformed(reason: "the path contains the NUL character")),
        (
            "https://shop.example/a\tb",
            .malformed(reason: "the control character U+0009 must be percent-encoded in a URL")
        ),
        ("https://ada@shop.example/cart", .malformed(reason: "a user name or password is not allowed in a URL")),
        (
            "https://shop.example:8443/cart",
            .malformed(reason: "port '8443' is not allowed; only the scheme's default port is")
        ),
        ("cart", .malformed(reason: "the URL must begin with a scheme, such as https: or the app's own")),
        ("https:cart", .malformed(reason: "'//' must follow the scheme 'https:'")),
    ]

    @Test("are refused beyond every bound, with the reason", arguments: bounds)
    func bounded(url: String, error: RouteError) throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        #expect(throws: error) { try engine.match(url: url, context: RoutingContext()) }
    }

    @Test(
        "are read if they are just within the bounds",
        arguments: [
            "https://shop.example/" + String(repeating: "a", count: 8171),
            "https://shop.example/" + String(repeating: "a/", count: 64),
            "https://shop.example/x?" + String(repeating: "a&", count: 128),
        ]
    )
    func withinBounds(url: String) throws {
        let engine = try RoutingEngine(manifest: AppManifest.builtInShop())
        #expect(throws: RouteError.unknownRoute(url: url)) { try engine.match(url: url, context: RoutingContext()) }
    }
}

extension Result {
    /// The result of a throwing closure, with its typed error.
    init(_ body: () throws(Failure) -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}
