import SceneRouting
import Testing

/// What URLs mean in the cases in which standards and habits differ.
@Suite("URLs are read so that")
struct URLDecisionTests {
    private func engine(_ patterns: [String], domains: [String] = ["one.example"]) throws -> RoutingEngine {
        var manifest = AppManifest(name: "Demo", schemes: ["demo"], tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.associatedDomains = domains.map { AssociatedDomain(domain: $0, association: "{}") }
        manifest.destinations = [
            DestinationDeclaration(
                id: "home",
                parameters: [
                    ParameterDeclaration(name: "s", type: .string, isRequired: false),
                    ParameterDeclaration(name: "t", type: .string, isRequired: false),
                    ParameterDeclaration(name: "n", type: .integer(minimum: 0, maximum: 99), isRequired: false),
                    ParameterDeclaration(name: "u", type: .uuid, isRequired: false),
                    ParameterDeclaration(name: "l", type: .list(of: .string), isRequired: false),
                ],
                presentation: .tab("home")
            )
        ]
        manifest.routes = patterns.map { RouteDeclaration(destination: "home", pattern: $0) }
        return try RoutingEngine(manifest: manifest)
    }

    /// A pattern, a URL, and the parameters; `nil` if the route does not take it.
    static let decisions: [(String, String, [String: String]?)] = [
        // Percent escapes are decoded once, after the URL is split.
        ("/a/{s}", "https://one.example/a/b%2Fc", ["s": "b/c"]),
        ("/a/{s}", "https://one.example/a/%2541", ["s": "%41"]),
        ("/a%20b", "https://one.example/a%20b", [:]),
        ("/%C3%A9", "https://one.example/é", [:]),
        // A trailing slash has no meaning; an empty segment is a segment.
        ("/a/b", "https://one.example/a/b/", [:]),
        ("/a/b/", "https://one.example/a/b", [:]),
        ("/a/b", "https://one.example/a//b", nil),
        ("/a/{s}", "https://one.example/a//", nil),
        ("/", "https://one.example", [:]),
        ("/", "https://one.example/", [:]),
        // Dots are ordinary segments.
        ("/a/{s}", "https://one.example/a/..", ["s": ".."]),
        // Scheme and host ignore case, the path does not.
        ("/a", "HTTPS://ONE.Example/a", [:]),
        ("/a", "https://one.example/A", nil),
        ("demo://place/{s}", "DEMO://Place/X", ["s": "X"]),
        // A host's last dot and the default port are dropped.
        ("/a", "https://one.example./a", [:]),
        ("/a", "https://one.example:443/a", [:]),
        // A pattern without a scheme stands for https only.
        ("/a", "http://one.example/a", nil),
        ("http://one.example/a", "http://one.example/a", [:]),
        // A plus is a plus, further items do not matter, and an item without '=' is empty.
        ("/a?s={s}", "https://one.example/a?x=1&s=1+2", ["s": "1+2"]),
        ("/a?s={s?}", "https://one.example/a?s", [:]),
        ("/a?s={s?}&t={t?}", "https://one.example/a?t=b", ["t": "b"]),
        ("/a?flag", "https://one.example/a?flag=", [:]),
        ("/a?flag", "https://one.example/a?other", nil),
        ("/a?l={l*}", "https://one.example/a?l=x&l=y%2Cz&l=50%25", ["l": "x,y%2Cz,50%25"]),
        ("/a?**", "https://one.example/a?s=b&unknown=c", ["s": "b"]),
        // A fragment matters only where the pattern has one.
        ("/a", "https://one.example/a#top", [:]),
        ("/a#top", "https://one.example/a", nil),
        ("/a#{s}", "https://one.example/a#b%20c", ["s": "b c"]),
        // Values have one canonical text.
        ("/a/{n}", "https://one.example/a/007", ["n": "7"]),
        ("/a/{n}", "https://one.example/a/-0", ["n": "0"]),
        (
            "/a/{u}", "https://one.example/a/8F14E45F-CEEA-467F-A0E6-3F3C5B7A1C2D",
            ["u": "8f14e45f-ceea-467f-a0e6-3f3c5b7a1c2d"]
        ),
        // Unicode is compared in normal form C.
        ("/caf\u{E9}/{s}", "https://one.example/cafe%CC%81/e%CC%81", ["s": "\u{E9}"]),
        // Of several captures in a segment, the leftmost takes all it can.
        ("/a/{s}-{n}", "https://one.example/a/red-shoe-42", ["s": "red-shoe", "n": "42"]),
        ("/a/{s}.{t}", "https://one.example/a/x.tar.gz", ["s": "x.tar", "t": "gz"]),
        ("/a/v{n}x", "https://one.example/a/v7x", ["n": "7"]),
        // Any number of segments.
        ("/a/**/z", "https://one.example/a/z", [:]),
        ("/a/**/z", "https://one.example/a/b//c/z", [:]),
        ("/a/{s**}/z", "https://one.example/a/b/c/z", ["s": "b/c"]),
        ("/a/*/z", "https://one.example/a/b/z", [:]),
        ("/a/*/z", "https://one.example/a/z", nil),
    ]

    @Test("one URL means one thing", arguments: decisions)
    func decision(pattern: String, url: String, parameters: [String: String]?) throws {
        let engine = try engine([pattern])
        let match = try? engine.match(url: url, context: RoutingContext())
        #expect(match?.request.destination.parameters == parameters)
    }

    @Test("a typed request comes back in its canonical form, byte by byte")
    func typedRequest() throws {
        var manifest = try engine([]).manifest
        manifest.destinations[0].parameters.append(ParameterDeclaration(name: "K", type: .string, isRequired: false))
        // For String, é as one scalar equals é as two, and the Kelvin sign equals K.
        let given = ["s": "e\u{301}", "t": "\u{E9}", "n": "007", "\u{212A}": "k", "l": "x,u%CC%88"]
        let request = try RoutingEngine(manifest: manifest).request(
            for: Destination(id: "home", parameters: given),
            source: .internal
        )
        let bytes = request.destination.parameters.map { [Array($0.key.utf8), Array($0.value.utf8)] }
        let expected = [("s", "\u{E9}"), ("t", "\u{E9}"), ("n", "7"), ("K", "k"), ("l", "x,\u{FC}")].map {
            [Array($0.utf8), Array($1.utf8)]
        }
        #expect(Set(bytes) == Set(expected))
    }

    @Test("a word of a manifest is met in NFC, however the manifest writes it", arguments: ["\u{FC}", "u\u{308}"])
    func words(word: String) throws {
        var manifest = try engine([]).manifest
        manifest.destinations[0].parameters.append(
            ParameterDeclaration(name: "w", type: .oneOf([word, "a"]), isRequired: false)
        )
        let engine = try RoutingEngine(manifest: manifest)
        for given in ["\u{FC}", "u\u{308}"] {
            let request = try engine.request(for: Destination(id: "home", parameters: ["w": given]), source: .internal)
            #expect(request.destination.parameters["w"].map { Array($0.utf8) } == Array("\u{FC}".utf8))
        }
    }

    @Test("a path ignores case if its route says so, after routes that do not")
    func ignoringCase() throws {
        var manifest = try engine([]).manifest
        manifest.routes = [
            RouteDeclaration(destination: "home", pattern: "/Straße/v{n}X", ignoresCase: true),
            RouteDeclaration(destination: "home", pattern: "/cart/{s}", ignoresCase: true),
            RouteDeclaration(destination: "home", pattern: "/CART/{s}"),
        ]
        let engine = try RoutingEngine(manifest: manifest)
        func match(_ path: String) throws -> RouteMatch {
            try engine.match(url: "https://one.example" + path, context: RoutingContext())
        }
        #expect(try match("/Cart/Ab").route == "/cart/{s}")
        #expect(try match("/Cart/Ab").request.destination.parameters == ["s": "Ab"])
        #expect(try match("/CART/Ab").route == "/CART/{s}")
        #expect(try match("/STRA%C3%9FE/V7x").request.destination.parameters == ["n": "7"])
    }

    static let hosts: [(String, String)] = [
        ("https://bücher.example/a", "xn--bcher-kva.example"),
        ("https://BÜCHER.example/a", "xn--bcher-kva.example"),
        ("https://b%C3%BCcher.example/a", "xn--bcher-kva.example"),
        ("https://bu\u{308}cher.example/a", "xn--bcher-kva.example"),
        ("https://XN--bcher-KVA.example/a", "xn--bcher-kva.example"),
        ("https://例え.テスト/a", "xn--r8jz45g.xn--zckzah"),
        ("https://x.deep.wild.example/a", "*.wild.example"),
    ]

    @Test("an international host is its ASCII form", arguments: hosts)
    func international(url: String, domain: String) throws {
        #expect(try engine(["/a"], domains: [domain]).match(url: url, context: RoutingContext()).route == "/a")
        #expect(throws: RouteError.self) {
            try engine(["/a"], domains: ["other.example"]).match(url: url, context: RoutingContext())
        }
    }

    @Test("a value that appears twice is refused, as is a missing one")
    func valuesOnce() throws {
        let engine = try engine(["/a?s={s}"])
        #expect(
            throws: RouteError.validationFailed(
                parameter: "s",
                reason: "the query item 's' appears 2 times; it is allowed once"
            )
        ) { try engine.match(url: "https://one.example/a?s=1&s=2", context: RoutingContext()) }
        #expect(
            throws: RouteError.validationFailed(
                parameter: "s",
                reason: "the query item 's' is missing; expected a text of 1 to 1024 bytes"
            )
        ) { try engine.match(url: "https://one.example/a", context: RoutingContext()) }
    }

    @Test("a link of another market resolves if its route says so")
    func markets() throws {
        var manifest = try engine([]).manifest
        manifest.markets = ["de", "at"]
        manifest.facts = [FactDeclaration(name: "market", type: .string, scope: .app)]
        manifest.routes = [
            RouteDeclaration(destination: "home", pattern: "/kasse", markets: ["de"]),
            RouteDeclaration(destination: "home", pattern: "/korb", markets: ["de"], resolvesElsewhere: true),
        ]
        let engine = try RoutingEngine(manifest: manifest)
        let austria = RoutingContext(facts: ["market": .string("at")])
        #expect(try engine.match(url: "https://one.example/korb", context: austria).route == "/korb")
        #expect(throws: RouteError.unknownRoute(url: "https://one.example/kasse")) {
            try engine.match(url: "https://one.example/kasse", context: austria)
        }
        let germany = RoutingContext(facts: ["market": .string("de")])
        #expect(try engine.match(url: "https://one.example/kasse", context: germany).route == "/kasse")
    }
}
