import SceneManifest
import SceneRouting
import Testing

/// URLs of a custom scheme, with and without `//`.
@Suite("A URL of a custom scheme")
struct CustomSchemeTests {
    private static func engine(_ patterns: [String]) throws -> RoutingEngine {
        var manifest = AppManifest(name: "Demo", schemes: ["app"], tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.destinations = [
            DestinationDeclaration(
                id: "home",
                parameters: ["s", "t", "u"].map { ParameterDeclaration(name: $0, type: .string, isRequired: false) },
                presentation: .tab("home")
            )
        ]
        manifest.routes = patterns.map { RouteDeclaration(destination: "home", pattern: $0) }
        return try RoutingEngine(manifest: manifest)
    }

    /// A URL, its segments as an explanation says them, and its query items `s` and `t`.
    static let vectors: [(String, String, [String: String])] = [
        // With a host, which is the first segment.
        ("app://product/p1", "'product', 'p1'", [:]),
        ("app://product", "'product'", [:]),
        ("app://product/?s=1", "'product'", ["s": "1"]),
        // Without: the same segments.
        ("app:product/p1", "'product', 'p1'", [:]),
        ("app:/product/p1", "'product', 'p1'", [:]),
        ("app:///product/p1", "'product', 'p1'", [:]),
        ("APP:product/p1/", "'product', 'p1'", [:]),
        ("app:product", "'product'", [:]),
        ("app:/product/", "'product'", [:]),
        // Query and fragment.
        ("app:product/p1?s=1&t=b%20c#top", "'product', 'p1'", ["s": "1", "t": "b c"]),
        ("app:product?s=a/b", "'product'", ["s": "a/b"]),
        ("app:product#top?s=1", "'product'", [:]),
        ("app:?s=1", "none", ["s": "1"]),
        ("app:/?s=1", "none", ["s": "1"]),
        ("app:///?s=1", "none", ["s": "1"]),
        // No path.
        ("app:", "none", [:]),
        ("app:/", "none", [:]),
        ("app://", "none", [:]),
        ("app:///", "none", [:]),
        ("app:#top", "none", [:]),
        ("app://?s=1#top", "none", ["s": "1"]),
        // Escapes are decoded once and never separate; what is a host nowhere may contain anything.
        ("app:a%2Fb/c", "'a/b', 'c'", [:]),
        ("app:/%C3%A9", "'é'", [:]),
        ("app:ada@shop.example", "'ada@shop.example'", [:]),
        ("app:+49:30", "'+49:30'", [:]),
        ("app:b:c/d", "'b:c', 'd'", [:]),
        // Empty segments stay where they are no host.
        ("app:////p", "'', 'p'", [:]),
        ("app:////", "''", [:]),
        ("app:a//b", "'a', '', 'b'", [:]),
        ("app:/a//", "'a', ''", [:]),
        ("app:./..", "'.', '..'", [:]),
    ]

    @Test("has these segments and query items", arguments: vectors)
    func vector(url: String, segments: String, items: [String: String]) throws {
        let engine = try Self.engine(["app://**?s={s?}&t={t?}"])
        let context = RoutingContext()
        #expect(engine.explain(url: url, context: context).steps.first?.reason == "app, segments: \(segments)")
        #expect(try engine.match(url: url, context: context).request.destination.parameters == items)
        #expect(
            try engine.match(url: url, context: context) == engine.matchByDefinition(url: url, context: context)
        )
    }

    static let refusals: [(String, String)] = [
        ("app:a%2", "the path has an incomplete percent escape"),
        ("app:/%FF", "the path does not decode to UTF-8"),
        ("app:a%00", "the path contains the NUL character"),
        ("app:a b", "a space must be percent-encoded in a URL"),
        ("app:a\\b", "a backslash must be percent-encoded in a URL"),
        ("app:?s=%", "the query has an incomplete percent escape"),
        ("app:#%", "the fragment has an incomplete percent escape"),
        ("app:" + String(repeating: "a/", count: 65), "the path has more than 64 segments"),
        ("app:/" + String(repeating: "a/", count: 65), "the path has more than 64 segments"),
        ("app:?" + String(repeating: "a&", count: 129), "the query has more than 128 items"),
        ("app://ada@shop/p1", "a user name or password is not allowed in a URL"),
        (":a", "the URL must begin with a scheme, such as https: or the app's own"),
        ("1app:a", "the URL must begin with a scheme, such as https: or the app's own"),
        ("https:product/p1", "'//' must follow the scheme 'https:'"),
        ("https:/product/p1", "'//' must follow the scheme 'https:'"),
        ("HTTP:", "'//' must follow the scheme 'http:'"),
        ("https:?s=1", "'//' must follow the scheme 'https:'"),
        ("https:///product/p1", "the host is empty"),
    ]

    @Test("is malformed for one reason", arguments: refusals)
    func refused(url: String, reason: String) throws {
        let engine = try Self.engine(["app://**"])
        #expect(throws: RouteError.malformed(reason: reason)) { try engine.match(url: url, context: RoutingContext()) }
    }

    @Test("leads to one place in every form, whichever route takes it")
    func oneRoute() throws {
        let shop = try RoutingEngine(manifest: AppManifest.builtInShop())
        let context = RoutingContext(user: "ada")
        for rest in [
            "product/p1?ref=mail", "PRODUCT/p1", "home", "account/settings/privacy", "nowhere", "product/x", "",
        ] {
            let usual = Result { () throws(RouteError) in try shop.resolve(url: "qcommerce://" + rest, context: context)
            }
            for slashes in ["", "/", "///"] {
                let url = "qcommerce:" + slashes + rest
                let result = Result { () throws(RouteError) in try shop.resolve(url: url, context: context) }
                if case .failure(.unknownRoute) = usual {
                    #expect(result == .failure(.unknownRoute(url: url)))
                } else {
                    #expect(result == usual, "\(url)")
                }
            }
        }
        // Without a path there is a place for it, too.
        let engine = try Self.engine(["app://?s={s?}"])
        for url in ["app:?s=1", "app:/?s=1", "app://?s=1", "app:///?s=1"] {
            #expect(try engine.match(url: url, context: context).request.destination.parameters == ["s": "1"])
        }
    }

    @Test("is read by bytes as it is by definition, however odd", arguments: 1...20 as ClosedRange<UInt64>)
    func readsAlike(seed: UInt64) throws {
        let engine = try Self.engine([
            "app://{s**}?t={t?}#{u}", "app://{s**}?t={t?}", "app://a/{s**}", "app://", "app://a", "app:////{s}",
        ])
        var random = RandomApp(seed: seed)
        let letters = Array("aaAb///::??##@.&=-_~!$'()*+,;%é")
        var matched = 0
        for _ in 0..<2000 {
            var url = random.pick(["app:", "App:", "app:/", "app://", "app:///", "https:", "https:/"])
            for _ in 0..<random.pick(Array(0...9)) { url.append(random.pick(letters)) }
            let found = Result { () throws(RouteError) in try engine.match(url: url, context: RoutingContext()) }
            let defined = Result { () throws(RouteError) in
                try engine.matchByDefinition(url: url, context: RoutingContext())
            }
            #expect(found == defined, "\(url)")
            if case .success = found { matched += 1 }
        }
        #expect(matched > 500)
    }

    static let patterns: [(String, String)] = [
        ("app:item/{s}", "write 'app://item/{s}'; it takes URLs without '//' or with one '/', too"),
        ("App:/item/{s}?t={t}", "write 'app://item/{s}'; it takes URLs without '//' or with one '/', too"),
        ("app:", "write 'app://'; it takes URLs without '//' or with one '/', too"),
        ("https:/item", "'//' and a domain must follow 'https:', as in 'https://shop.example/cart'"),
        ("item/{s}", "the pattern must begin with '/', 'https://' or one of the app's schemes, such as 'myapp://'"),
        ("{s}:x", "the pattern must begin with '/', 'https://' or one of the app's schemes, such as 'myapp://'"),
    ]

    @Test("is written with '//' in a pattern, and the problem says how", arguments: patterns)
    func pattern(pattern: String, reason: String) throws {
        let problems = #expect(throws: ManifestProblems.self) { try Self.engine([pattern]) }
        #expect("\(try #require(problems))".contains(reason), "\(problems.map { "\($0)" } ?? "")")
    }

    @Test("is printed with '//', and leads back")
    func printed() throws {
        let engine = try Self.engine(["app://item/{s**}"])
        let whole = try Self.engine(["app://{s**}"])
        let context = RoutingContext()
        for (engine, value, url) in [
            (engine, "p1", "app://item/p1"), (engine, "a/b@c", "app://item/a/b%40c"), (whole, "p1", "app://p1"),
            (whole, "/p1", "app:////p1"),
        ] {
            let place = Destination(id: "home", parameters: ["s": value])
            #expect(engine.urls(for: place, context: context) == [url])
            #expect(try engine.match(url: url, context: context).request.destination == place)
        }
    }
}
