import SceneManifest
import SceneRouting
import Testing

@Suite("URLs that an adapter makes of every event")
struct AdapterURLTests {
    private static func problems(_ url: String, more: String = "") -> [String] {
        AppManifest.problems(
            in: """
                name: Demo
                schemes: [demo]
                markets: [de, at]
                facts: { market: { type: string, scope: app } }
                associatedDomains: { demo.example: { applinks: { details: [] } }, "*.shop.example": { applinks: { details: [] } } }
                tabs: { home: home }
                destinations:
                  home: { tab: home, routes: ["demo://home", "/home"] }
                  item: { ancestry: [home], parameters: { id: { pattern: "[a-z]{1,9}" } }, routes: ["demo://item/{id}", "https://demo.example/item/{id}"] }
                  page: { ancestry: [home], parameters: { n: { type: integer, maximum: 9 } }, routes: ["demo://page?n={n}", { pattern: "demo://seite?n={n}", markets: [at] }] }
                adapters:
                  - { name: bell, kinds: [push], when: [{ path: payload.kind, matches: "{kind}" }], url: "\(url)" }
                \(more)
                """,
            file: "demo.yaml"
        )
        .map(\.description).filter { $0.contains("adapters") }
    }

    private static let expected = "expected a URL that a route takes"

    static let dead: [(url: String, reason: String)] = [
        ("m://hom", "the app has no scheme 'm'; \(expected)"),
        ("demo://hom", "no route takes it; \(expected); did you mean 'demo://home'?"),
        ("dmo://home", "the app has no scheme 'dmo'; \(expected); did you mean 'demo'?"),
        ("home", "malformed: the URL must begin with a scheme, such as https: or the app's own; \(expected)"),
        ("", "it is empty; \(expected)"),
        ("demo://item/A1", "id: 'A1' is not text that matches [a-z]{1,9}; \(expected)"),
        ("demo://page?n=12", "n: '12' is not an integer of at most 9; \(expected)"),
        ("demo://page", "n: the query item 'n' is missing; expected an integer of at most 9; \(expected)"),
        ("https://other.example/home", "no route takes it; \(expected)"),
        ("https://demo.example/hone", "no route takes it; \(expected); did you mean 'https://demo.example/home'?"),
        ("dmo://item/{kind}", "the app has no scheme 'dmo'; \(expected); did you mean 'demo'?"),
        ("demo://itm/{kind}", "no route takes a URL that begins so; \(expected); did you mean 'item'?"),
        ("https://demo.example/itm/{kind}", "no route takes a URL that begins so; \(expected); did you mean 'item'?"),
    ]

    @Test("are warned of if they lead nowhere, with why and what was probably meant", arguments: dead)
    func warns(url: String, reason: String) {
        let problems = Self.problems(url)
        #expect(
            problems == [
                "demo.yaml:12:85: warning: adapters[0].url: '\(url)' leads nowhere, so every event that 'bell' takes is rejected: \(reason)"
            ],
            "\(problems)"
        )
    }

    static let alive = [
        "demo://home", "DEMO:home", "demo://item/abc", "demo://item/{kind}", "demo://{kind}", "{kind}", "demo:{kind}",
        "demo://page?n=9",
        "demo://seite?n=1", "https://demo.example/home", "https://a.shop.example/home", "https://{kind}/home",
        "https://demo.example/{kind}", "https://demo.example/item{kind}", "demo://hom{kind}", "demo://home?x={kind}",
        "demo://it%65m/{kind}",
    ]

    @Test("are not suspected if some event leads somewhere, somewhere in the world", arguments: alive)
    func allowed(url: String) { #expect(Self.problems(url) == []) }
}
