import SceneRouting
import Testing

@Suite("Several associated domains")
struct AssociationSetTests {
    let engine: RoutingEngine

    init() throws {
        func file(_ path: String) -> String {
            #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"\#(path)"}]}]}}"#
        }
        var manifest = AppManifest(name: "Demo", appIDs: ["A.b"], tabs: [TabDeclaration(id: "home", root: "home")])
        manifest.destinations = [DestinationDeclaration(id: "home", presentation: .tab("home"))]
        manifest.associatedDomains = [
            AssociatedDomain(domain: "*.example", association: file("/wide/*")),
            AssociatedDomain(domain: "*.deep.example", association: file("/deep/*")),
            AssociatedDomain(domain: "one.example", association: file("/one/*")),
            AssociatedDomain(domain: "other.test", association: #"{"applinks":{"details":[]}}"#),
        ]
        engine = try RoutingEngine(manifest: manifest)
    }

    static let decisions: [(String, AssociationDecision)] = [
        ("https://one.example/one/1", .match(domain: "one.example")),
        ("https://one.example/wide/1", .noMatch),
        ("https://two.example/wide/1", .match(domain: "*.example")),
        ("https://x.deep.example/deep/1", .match(domain: "*.deep.example")),
        ("https://x.deep.example/wide/1", .noMatch),
        ("https://example/wide/1", .noMatch),
        ("https://ONE.example:443/one/1", .match(domain: "one.example")),
        ("https://one.example:8443/one/1", .noMatch),
        ("https://ada@one.example/one/1", .noMatch),
        ("https://other.test/one/1", .noMatch),
        ("demo://one.example/one/1", .noMatch),
        ("https://", .noMatch),
    ]

    @Test("are chosen by the URL's host, and only the narrowest decides", arguments: decisions)
    func decide(url: String, decision: AssociationDecision) {
        #expect(engine.association(for: url) == decision)
    }

    @Test("explain which part of which rule does not fit")
    func explain() throws {
        let file = try AssociationFile(
            parsing:
                ##"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/a","?":{"q":"1"}},{"#":"x"}]}]}}"##
        )
        let steps = file.explain(url: "https://one.example/a?q=2#x", appID: "A.b", domain: "one.example")
        #expect(steps.map(\.reason) == ["its '? q' does not match", "fits"])
        let foreign = file.explain(url: "https://one.example/a", appID: "C.d", domain: "one.example")
        #expect(foreign.map(\.reason) == ["is not named in the association file"])
    }
}
