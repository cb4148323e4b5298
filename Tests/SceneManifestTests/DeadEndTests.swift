import Foundation
import SceneManifest
import SceneRouting
import Testing

@Suite("What a manifest declares and cannot work as it is meant")
struct DeadEndTests {
    /// A manifest without warnings, to be spoilt.
    static let good = """
        name: Demo
        appIDs: [ABCDE12345.com.example.demo]
        schemes: [demo]
        associatedDomains:
          demo.example: { applinks: { details: [{ appIDs: [ABCDE12345.com.example.demo], components: [{ "/": "/item/*" }] }] } }
        tabs: { home: home }
        fallback: home
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          item:
            ancestry: [home]
            preconditions: [signedIn]
            parameters: { id: string, tags: { type: string, list: true, default: a } }
            routes: ["/item/{id}", "demo://items?tags={tags*}&id={id}"]
          pay: { ancestry: [home], presentation: sheet, flow: pay, routes: ["demo://pay"] }
        adapters:
          - { name: bell, kinds: [push], when: [{ present: payload.item }], destination: item, parameters: { id: "{payload.item}" } }
        flows:
          auth:
            completionNeedsUser: true
            screens: [login, welcome]
            intents:
              next: { screens: [login], effects: [{ push: welcome }] }
              named: { parameters: { user: string }, effects: [{ complete: { user: user } }] }
          pay: { screens: [pay] }

        """

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml", readFile: { _ in "{}" }).map(\.description)
    }

    @Test("is nothing in a good one, nor in the apps that ship")
    func none() {
        #expect(Self.problems(Self.good) == [])
        for example in ExampleApp.allCases { #expect(Self.problems(example.text) == []) }
    }

    /// What is replaced, by what, and the warning then.
    static let spoilt: [(String, String, String)] = [
        (
            "[{ appIDs: [ABCDE12345.com.example.demo]", "[{ appIDs: [ABCDE12345.com.example.other]",
            "demo.yaml:5:3: warning: associatedDomains.demo.example: the association file names only "
                + "ABCDE12345.com.example.other, so no link of demo.example opens this app; expected ABCDE12345.com.example.demo"
        ),
        (
            "\"/\": \"/item/*\"", "\"/\": \"/thing/*\"",
            "takes links such as /item/1, which iOS opens in the browser: no rule of the association file covers them"
        ),
        (
            "components: [{ \"/\": \"/item/*\" }]", "components: [{ \"/\": \"/item/*\", exclude: true }]",
            "which iOS opens in the browser: the association file excludes them with"
        ),
        (
            ", parameters: { id: \"{payload.item}\" } }", " }",
            "warning: adapters.bell: gives 'item' no 'id', which it requires, so every event ends with an error; "
                + "expected 'id' among its parameters"
        ),
        (
            "pay: { screens: [pay] }", "pay: { screens: [cards, pay] }",
            "warning: destinations.pay.flow: 'pay' begins with 'cards', not with 'pay'; expected 'pay' as its first screen"
        ),
        (
            "effects: [{ push: welcome }]", "effects: [{ complete: null }]",
            "warning: flows.auth.screens[1]: nothing in 'auth' shows 'welcome'; expected 'push: welcome' or 'replace: welcome'"
        ),
        (
            "fallback: home", "fallback: { destination: item, parameters: { id: a } }",
            "warning: fallback: 'item' needs 'signedIn', so what leads nowhere may not show it; expected a destination without"
        ),
        (
            "demo://items?tags={tags*}&id={id}", "demo://items/{tags}?id={id}",
            "'{tags}' in 'demo://items/{tags}?id={id}' is one segment, and 'tags' is a list"
        ),
        (
            "demo://items?tags={tags*}", "demo://items?tags={tags}",
            "'{tags}' in 'demo://items?tags={tags}&id={id}' is one query item, and 'tags' is a list: a link gives it one text, of which "
                + "commas separate the elements, and one with 'tags' twice is refused; expected '{tags*}' for an item that may be repeated"
        ),
        (
            "demo://items?tags={tags*}", "demo://items?t={tags?}",
            "'{tags?}' in 'demo://items?t={tags?}&id={id}' is one query item, and 'tags' is a list"
        ),
        (
            "[{ \"/\": \"/item/*\" }]", "[{ \"/\": \"/item/*\" }, { \"/\": \"/items/*\" }]",
            "demo.yaml:5:3: warning: associatedDomains.demo.example: the association file hands over the links of {\"/\":\"/items/*\"}, and no "
                + "route of demo.example takes one; expected a route for them, or a file without this rule"
        ),
        (
            "[{ \"/\": \"/item/*\" }]", "[{ \"/\": \"/item/*\" }, { \"/\": \"/item/x/y\" }]",
            "hands over the links of {\"/\":\"/item/x/y\"}, and no route of demo.example takes one"
        ),
        (
            "screens: [login], effects", "screens: [], effects",
            "demo.yaml:25:24: warning: flows.auth.intents.next.screens: no screen is named, so any screen may report 'next'; expected the "
                + "screens that may report it, or no 'screens'"
        ),
    ]

    @Test(
        "is a link that no rule covers, whatever its captures take",
        arguments: [
            ("string", "1"), ("{ pattern: \"[A-Z]{2}[3-9]{3}\" }", "AA333"),
            ("{ type: integer, minimum: 5000 }", "123456"),
            ("{ type: integer, minimum: 5000, maximum: 6000 }", "5000"), ("{ type: integer, maximum: -5 }", "-5"),
            ("{ oneOf: [new, old] }", "new"), ("uuid", "00000000-0000-4000-8000-000000000000"), ("date", "2024-01-01"),
        ]
    )
    func uncovered(type: String, example: String) {
        let text = Self.good.replacing("{ id: string,", with: "{ id: \(type),")
        #expect(!Self.problems(text).contains { $0.contains("opens in the browser") }, "the rule covers every item")
        let problems = Self.problems(text.replacing("\"/item/*\"", with: "\"/thing/*\""))
        #expect(
            problems.contains { $0.contains("takes links such as /item/\(example), which iOS opens") },
            "\(problems)"
        )
    }

    /// The links that are told for a route with a parameter of this pattern.
    private static func examples(_ pattern: String) -> [String] {
        problems(
            good.replacing("{ id: string,", with: "{ id: { pattern: '\(pattern)' },")
                .replacing("\"/item/*\"", with: "\"/thing/*\"")
        )
        .compactMap { $0.firstMatch(of: #/takes links such as /item/(\S+), which/#).map { String($0.1) } }
    }

    @Test(
        "is told with a value that the pattern takes",
        arguments: [
            "p[0-9]{1,9}", "[a-z0-9-]{1,40}", "x|bc*|", "(ab)+x?", "(?:A|B){2}", "[^/]+", "[^a-zA-Z0-9]+", ".{2}",
            "[é-ü]",
            "a{3}b{2,}", "(q*)*b", "a{64}",
        ]
    )
    func examples(pattern: String) throws {
        let examples = Self.examples(pattern)
        let value = try #require(examples.first?.removingPercentEncoding)
        let isTaken = try BoundedPattern(pattern).matches(value)
        #expect(isTaken && examples.count == 1, "\(examples)")
    }

    @Test("is not told where no value is easily found: a long one, or of blanks", arguments: ["b{65}", "\\s+"])
    func noExamples(pattern: String) { #expect(Self.examples(pattern) == []) }

    @Test(
        "is no rule of an association file for links of which a route may take one",
        arguments: [
            "/item/*", "/ITEM/?", "*", "/*", "/i*", "/item/$(lang)", "/item/%61", "?tem/*", "/item/a", "/item/a/",
        ]
    )
    func covered(rule: String) {
        let text = Self.good.replacing(
            "[{ \"/\": \"/item/*\" }]",
            with: "[{ \"/\": \"/item/*\" }, { \"/\": \"\(rule)\" }]"
        )
        #expect(text != Self.good && !Self.problems(text).contains { $0.contains("hands over") })
    }

    /// An adapter, and whether it may take a link of the web.
    static let adapters: [(adapter: String, takesLinks: Bool)] = [
        ("kinds: [activity], handled: true", true), ("kinds: [push], handled: true", false),
        (
            "kinds: [activity], when: [{ path: activityType, equals: NSUserActivityTypeBrowsingWeb }], handled: true",
            true
        ),
        (
            "kinds: [activity], when: [{ path: activityType, oneOf: [a, NSUserActivityTypeBrowsingWeb] }], handled: true",
            true
        ),
        ("kinds: [activity], when: [{ path: activityType, matches: 'NSUser{rest}' }], handled: true", true),
        ("kinds: [push, activity], when: [{ path: title, equals: a }], handled: true", true),
        ("kinds: [activity], when: [{ present: webpageURL }], handled: true", true),
        ("kinds: [activity], when: [{ path: activityType, equals: com.example.view }], handled: true", false),
        ("kinds: [activity], when: [{ path: activityType, matches: 'com.example.{what}' }], handled: true", false),
        (
            "kinds: [activity], when: [{ path: activityType, equals: com.example.view }], destination: '{userInfo.destination}'",
            false
        ),
        // The page that an activity of the app's own has is a link, too.
        ("kinds: [activity], when: [{ path: activityType, equals: com.example.view }], url: '{webpageURL}'", true),
        (
            "kinds: [activity], when: [{ path: activityType, equals: com.example.view }, { present: webpageURL }], handled: true",
            true
        ),
    ]

    @Test("is no rule of an association file in an app with an adapter that may take a link", arguments: adapters)
    func adapted(adapter: String, takesLinks: Bool) {
        let text = Self.good.replacing("\"/\": \"/item/*\"", with: "\"/\": \"/thing/*\"")
            .replacing("adapters:\n", with: "adapters:\n  - { name: links, \(adapter) }\n")
        let problems = Self.problems(text)
        #expect(!problems.contains { $0.contains("error:") }, "\(problems)")
        #expect(problems.contains { $0.contains("hands over") } != takesLinks, "\(problems)")
    }

    @Test("is a route whose words others take before")
    func takenWords() {
        func problems(_ routes: String, _ type: String = "{ oneOf: [x, y] }") -> [String] {
            Self.problems(
                Self.good.replacing("{ id: string,", with: "{ id: \(type), ").replacing("\"demo://home\"", with: routes)
                    .replacing("demo://items?tags={tags*}&id={id}", with: "demo://item/{id}")
            )
            .filter { $0.contains("can never match") }
        }
        #expect(
            problems("\"demo://item/x\", \"demo://item/y\"").map { String($0.drop { $0 != "w" }) } == [
                "warning: destinations.item.routes[1].pattern: 'demo://item/{id}' can never match: for each word of 'id' there is a more specific "
                    + "route, 'demo://item/x', 'demo://item/y'; expected a word that the others leave"
            ]
        )
        #expect(problems("\"demo://item/x\"") == [])
        #expect(problems("\"demo://item/x\", \"demo://item/Y\"") == [])
        #expect(problems("\"demo://item/x\", \"demo://item/y?a=b\"") == [])
        #expect(problems("\"demo://item/x\", \"demo://item/y\"", "string") == [])
    }

    @Test("is a warning that says what and where, and what would be right", arguments: spoilt)
    func warns(part: String, other: String, warning: String) throws {
        let text = Self.good.replacing(part, with: other)
        #expect(text != Self.good)
        let problems = Self.problems(text)
        #expect(problems.contains { $0.contains(warning) }, "\(problems)")
    }
}
