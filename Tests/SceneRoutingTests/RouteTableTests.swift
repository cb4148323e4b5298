import SceneRouting
import Testing

@Suite("The route table")
struct RouteTableTests {
    @Test("finds the same route as trying all of them in order", arguments: 1...60 as ClosedRange<UInt64>)
    func agreesWithDefinition(seed: UInt64) throws {
        var app = RandomApp(seed: seed)
        app.prefersRuns = seed % 3 == 0
        let engine = try RoutingEngine(manifest: app.manifest(routes: Int(seed) * 2))
        for _ in 0..<400 {
            let url = app.url()
            let context = app.context()
            let found = Result { () throws(RouteError) in try engine.match(url: url, context: context) }
            let defined = Result { () throws(RouteError) in try engine.matchByDefinition(url: url, context: context) }
            #expect(found == defined, "\(url) with \(context.facts)")
        }
    }

    @Test("does not depend on the order of the manifest", arguments: 100...130 as ClosedRange<UInt64>)
    func ignoresDeclarationOrder(seed: UInt64) throws {
        var app = RandomApp(seed: seed)
        var manifest = app.manifest(routes: 40)
        let engine = try RoutingEngine(manifest: manifest)
        manifest.routes.shuffle(using: &app.generator)
        manifest.destinations.shuffle(using: &app.generator)
        let shuffled = try RoutingEngine(manifest: manifest)
        for _ in 0..<300 {
            let url = app.url()
            let context = app.context()
            let one = Result { () throws(RouteError) in try engine.match(url: url, context: context) }
            let other = Result { () throws(RouteError) in try shuffled.match(url: url, context: context) }
            #expect(one == other, "\(url)")
        }
    }

    /// Pairs of patterns for one URL, the more specific first.
    static let pairs: [(String, String, String)] = [
        ("/a/b", "/a/{s}", "/a/b"),
        ("/a/{n}", "/a/{s}", "/a/7"),
        ("/a/{s}", "/a/*", "/a/x"),
        ("/a/*", "/a/**", "/a/x"),
        ("/a", "/a/**", "/a"),
        ("/a/{s}/c", "/*/b/c", "/a/b/c"),
        ("/a/{s}-x", "/a/{s}", "/a/b-x"),
        ("/a/**/c", "/a/**", "/a/b/c"),
        ("/a/**/{n}/c", "/a/**/{s}/c", "/a/b/7/c"),
        ("/**/b", "/**/*/{s}", "/x/y/b"),
        ("/**/a/{s}", "/**/b", "/a/b"),
        ("https://one.example/**", "/a/b", "/a/b"),
        ("/a?q=1", "/a?q={s}", "/a?q=1"),
        ("/a?q={s}", "/a", "/a?q=1"),
        ("/a#top", "/a", "/a#top"),
    ]

    @Test("prefers the more specific route, whichever is declared first", arguments: pairs)
    func prefersSpecific(specific: String, general: String, path: String) throws {
        for patterns in [[specific, general], [general, specific]] {
            var manifest = AppManifest(name: "Two", tabs: [TabDeclaration(id: "home", root: "home")])
            manifest.associatedDomains = [AssociatedDomain(domain: "one.example", association: "{}")]
            manifest.destinations = [
                DestinationDeclaration(
                    id: "home",
                    parameters: [
                        ParameterDeclaration(name: "s", type: .string, isRequired: false),
                        ParameterDeclaration(name: "n", type: .integer(minimum: nil, maximum: nil), isRequired: false),
                    ],
                    presentation: .tab("home")
                )
            ]
            manifest.routes = patterns.map { RouteDeclaration(destination: "home", pattern: $0) }
            let engine = try RoutingEngine(manifest: manifest)
            let match = try engine.match(url: "https://one.example" + path, context: RoutingContext())
            #expect(match.route == specific)
        }
    }
}
