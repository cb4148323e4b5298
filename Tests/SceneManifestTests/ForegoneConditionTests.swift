import SceneManifest
import SceneRouting
import Testing

/// Conditions that never hold, or always do, whatever the session is.
@Suite("Conditions whose answer is foregone")
struct ForegoneConditionTests {
    /// A manifest without warnings, to be spoilt.
    private static let good = """
        name: Demo
        schemes: [demo]
        facts:
          agreed: { type: boolean }
          blocked: { type: boolean, default: false }
          count: { type: integer }
          due: { type: date }
          plan: { type: string }
          rate: { type: number, default: 1 }
          tags: { type: strings, default: [a] }
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
          paid: { holds: { fact: count, greater: 3 }, flow: pay }
        conditions:
          first: { holds: { any: [{ present: plan }, { fact: count, less: 9 }] }, reason: first }
          second: { holds: { any: [{ present: tags }, { present: due }, { present: agreed }, { fact: blocked, equals: true }, { fact: rate, less: 3 }] }, reason: second }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          list: { ancestry: [home], conditions: [first], routes: ["demo://list"] }
          item: { ancestry: [home, list], preconditions: [signedIn, paid], conditions: [second], routes: ["demo://item"] }
        adapters:
          - { name: bell, kinds: [push], when: [{ path: payload.kind, equals: news }, { path: payload.id, matches: "a-{id}" }], url: "demo://home" }
        flows:
          auth:
            completionNeedsUser: true
            screens: [login, again]
            start: [{ when: { present: plan }, screen: again }]
            intents: { named: { parameters: { user: string }, effects: [{ complete: { user: user } }] } }
          pay:
            screens: [card]
            intents: { paid: { effects: [{ set: count, value: 9, when: { present: plan } }, complete] } }

        """

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml").map(\.description)
    }

    private static let first = "{ any: [{ present: plan }, { fact: count, less: 9 }] }"

    @Test("are not suspected in a good manifest")
    func none() { #expect(Self.problems(Self.good) == []) }

    private static let never = "or { not: always } if that is meant"
    private static let always = "or 'always' if that is meant"

    static let foregone: [(holds: String, place: String, warning: String)] = [
        ("{ any: [] }", ".any", "this never holds: there is no part that could; expected a part, \(never)"),
        (
            "{ all: [signedIn, { any: [] }] }", ".all[1].any",
            "this never holds: there is no part that could; expected a part, \(never)"
        ),
        (
            "{ fact: plan, oneOf: [] }", ".oneOf",
            "this never holds: there is no value that 'plan' could be; expected a value, \(never)"
        ),
        (
            "{ not: { all: [] } }", ".not.all",
            "this always holds: there is no part that has to; expected a part, \(always)"
        ),
        ("{ all: [] }", ".all", "this always holds: there is no part that has to; expected a part, \(always)"),
        (
            "{ all: [{ fact: blocked, notEquals: true }, { fact: blocked, notEquals: false }] }", ".all[1]",
            "this never holds together with all[0]; expected 'any', or what can hold at the same time"
        ),
        (
            "{ all: [{ fact: count, greater: 5 }, { fact: count, less: 6 }] }", ".all[1]",
            "this never holds together with all[0]; expected 'any', or what can hold at the same time"
        ),
        (
            "{ all: [{ fact: count, greater: 5 }, { fact: count, less: 7 }, { fact: count, notEquals: 6 }] }", "",
            "this never holds, because its parts contradict each other; expected what can hold"
        ),
        (
            "{ all: [signedIn, { all: [{ present: plan }, { all: [{ not: signedIn }] }] }] }", ".all[1]",
            "this never holds together with all[0]; expected 'any', or what can hold at the same time"
        ),
        ("{ fact: plan, less: '' }", "", "this never holds, whatever 'plan' is; expected what can hold, \(never)"),
        (
            "{ fact: count, greater: 9223372036854775807 }", "",
            "this never holds, whatever 'count' is; expected what can hold, \(never)"
        ),
        (
            "{ not: { present: blocked } }", ".not",
            "this always holds: 'blocked' has a default, so it always has a value; expected { fact: blocked, equals: … }, \(always)"
        ),
        (
            "{ fact: blocked, oneOf: [true, false] }", "",
            "this always holds, whatever 'blocked' is; expected what may not hold, \(always)"
        ),
        (
            "{ any: [signedIn, { present: plan }, { not: signedIn }] }", ".any[2]",
            "this holds whenever any[0] does not, so one of them always does; expected 'all', or what may not hold either"
        ),
        (
            "{ not: { all: [{ fact: plan, equals: a }, { fact: plan, equals: b }] } }", ".not.all[1]",
            "this never holds together with all[0]; expected 'any', or what can hold at the same time"
        ),
    ]

    @Test("are warned of at their innermost part, with what would be right", arguments: foregone)
    func warns(holds: String, place: String, warning: String) {
        // `blocked` and `count` stay in use.
        let text = Self.good.replacing(Self.first, with: holds)
        let problems = Self.problems(text).filter { !$0.contains("nothing in the manifest looks at") }
        #expect(problems.count == 1, "\(problems)")
        #expect(
            problems.allSatisfy { $0.hasSuffix("warning: conditions.first.holds\(place): \(warning)") },
            "\(problems)"
        )
    }

    /// What stands anywhere, is replaced by what never holds, and the place of the warning.
    static let everywhere: [(from: String, to: String, place: String)] = [
        (
            "{ holds: { fact: count, greater: 3 }, flow: pay }", "{ holds: { any: [] }, flow: pay }",
            "preconditions.paid.holds.any"
        ),
        ("{ when: { present: plan }, screen", "{ when: { any: [] }, screen", "flows.auth.start[0].when.any"),
        (
            "value: 9, when: { present: plan } }", "value: 9, when: { fact: plan, oneOf: [] } }",
            "flows.pay.intents.paid.effects[0].when.oneOf"
        ),
        (
            "flows:\n", "roots: [{ when: { any: [] }, flow: start }]\nflows:\n  start: { screens: [hello] }\n",
            "roots[0].when.any"
        ),
        (
            "flows:\n", "lock: { when: { any: [] }, flow: start }\nflows:\n  start: { screens: [hello] }\n",
            "lock.when.any"
        ),
        (
            "routes: [\"demo://list\"] }",
            "routes: [\"demo://list\"], variants: [{ when: { any: [] }, destination: item }] }",
            "destinations.list.variants[0].when.any"
        ),
        (
            "flows:\n", "intents: { tapped: { effects: [{ route: list, when: { any: [] } }] } }\nflows:\n",
            "intents.tapped.effects[0].when.any"
        ),
    ]

    @Test("are found wherever a condition stands", arguments: everywhere)
    func places(from: String, to: String, place: String) {
        let text = Self.good.replacing(from, with: to)
        #expect(text != Self.good)
        let problems = Self.problems(text)
        #expect(problems.contains { $0.contains("warning: \(place): this never holds: ") }, "\(problems)")
    }

    /// Conditions that look alike and may hold, and may not.
    static let open = [
        "{ not: always }", "always", "{ any: [signedIn, always] }", "{ all: [signedIn, { not: always }] }",
        "{ not: { not: always } }", "{ all: [{ fact: agreed, notEquals: true }, { fact: agreed, notEquals: false }] }",
        "{ all: [{ fact: count, greater: 5 }, { fact: count, less: 7 }] }",
        "{ all: [{ fact: rate, greater: 5 }, { fact: rate, less: 6 }] }",
        "{ all: [{ not: { fact: count, less: 6 } }, { not: { fact: count, greater: 5 } }] }",
        "{ present: agreed }", "{ present: tags }", "{ fact: agreed, oneOf: [true, false] }", "{ fact: plan, less: a }",
        "{ fact: count, less: 9223372036854775807 }",
        "{ any: [{ fact: count, less: 5 }, { fact: count, greater: 4 }] }",
        "{ fact: blocked, oneOf: [true] }",
    ]

    @Test("are none that may hold and may not, or say themselves what they do", arguments: open)
    func allowed(holds: String) {
        let problems = Self.problems(Self.good.replacing(Self.first, with: holds))
        #expect(problems.filter { $0.contains("conditions.first") } == [])
    }

    /// The needs of a destination, each alone fine.
    static let excluding: [(first: String, second: String, more: String, warning: String)] = [
        (
            "{ fact: plan, equals: a }", "{ fact: plan, equals: b }", "",
            "destinations.item.conditions[0]: 'second' never holds together with 'first' of 'list', so 'item' is never shown"
        ),
        (
            "{ present: plan }", "{ not: signedIn }", "",
            "destinations.item.conditions[0]: 'second' never holds together with 'signedIn', so 'item' is never shown"
        ),
        (
            "{ present: plan }", "{ fact: count, less: 4 }", "",
            "destinations.item.conditions[0]: 'second' never holds together with 'paid', so 'item' is never shown"
        ),
        (
            "{ not: { present: plan } }", "{ present: due }",
            "roots: [{ when: { not: { present: plan } }, flow: auth }]\n",
            "destinations.list.conditions[0]: 'first' never holds together with the root 'auth' left, so 'list' is never shown"
        ),
    ]

    @Test("are needs of one destination that exclude each other", arguments: excluding)
    func needs(first: String, second: String, more: String, warning: String) {
        let held = Self.good.firstMatch(of: /second: \{ holds: (.*), reason: second/).map { String($0.1) } ?? "none"
        let text = Self.good.replacing(Self.first, with: first).replacing(held, with: second) + more
        let problems = Self.problems(text).filter { $0.contains("never holds") }
        #expect(
            problems.count == 1
                && problems.allSatisfy { $0.hasSuffix(warning + "; expected what can hold at the same time") },
            "\(problems)"
        )
    }

    @Test("are not needs of which others are another destination's, or one that comes over whatever is shown")
    func otherNeeds() {
        let held = Self.good.firstMatch(of: /second: \{ holds: (.*), reason: second/).map { String($0.1) } ?? "none"
        let text = Self.good.replacing(Self.first, with: "{ fact: plan, equals: a }").replacing(
            held,
            with: "{ fact: plan, equals: b }"
        )
        let apart = text.replacing("ancestry: [home, list]", with: "ancestry: [home]")
        #expect(apart != text && !Self.problems(apart).contains { $0.contains("never holds") })
        let over =
            Self.good.replacing(Self.first, with: "{ not: { present: plan } }")
            .replacing("list: { ancestry: [home],", with: "list: { ancestry: current, presentation: sheet,")
            .replacing("[home, list]", with: "[home]") + "roots: [{ when: { not: { present: plan } }, flow: auth }]\n"
        #expect(!Self.problems(over).contains { $0.contains("never holds") })
    }

    /// Conditions of an adapter that no event meets, and the place of the one that is too much.
    static let closedAdapters: [(conditions: String, place: Int, what: String)] = [
        (
            "{ path: payload.kind, equals: a }, { path: payload.kind, equals: b }", 1,
            "no text at 'payload.kind' meets this and what comes before it"
        ),
        (
            "{ path: payload.kind, oneOf: [a, b] }, { present: payload.x }, { path: payload.kind, oneOf: [c] }", 2,
            "no text at 'payload.kind' meets this"
        ),
        (
            "{ path: payload.kind, oneOf: [a, b] }, { path: payload.kind, oneOf: [b, c] }, { path: payload.kind, oneOf: [c, a] }",
            2, "no text at 'payload.kind' meets this"
        ),
        ("{ path: payload.kind, oneOf: [] }", 0, "there is no text that 'payload.kind' could be"),
        (
            "{ path: payload.kind, equals: a }, { path: payload.kind, matches: 'b{x}' }", 1,
            "no text at 'payload.kind' meets this"
        ),
        (
            "{ path: payload.kind, matches: 'a/{x}' }, { path: payload.kind, matches: 'b/{y}' }", 1,
            "no text at 'payload.kind' meets this"
        ),
        (
            "{ path: payload.kind, matches: '{x}a' }, { path: payload.kind, matches: '{y}b' }", 1,
            "no text at 'payload.kind' meets this"
        ),
        (
            "{ path: payload.kind, matches: 'a/{x}' }, { path: payload.kind, matches: 'a/{x}/{y}' }", 1,
            "no text at 'payload.kind' meets this"
        ),
    ]

    private static let when = "{ path: payload.kind, equals: news }, { path: payload.id, matches: \"a-{id}\" }"

    @Test("are those of an adapter that no event meets", arguments: closedAdapters)
    func adapters(conditions: String, place: Int, what: String) {
        let problems = Self.problems(Self.good.replacing(Self.when, with: conditions))
        #expect(problems.count == 1, "\(problems)")
        #expect(
            problems.allSatisfy {
                $0.contains("warning: adapters[0].when[\(place)]: 'bell' takes no event: \(what)")
                    && $0.hasSuffix("; expected 'oneOf' with the texts that are meant")
            },
            "\(problems)"
        )
    }

    @Test(
        "are none of an adapter that some event meets",
        arguments: [
            "{ path: payload.kind, oneOf: [a, b] }, { path: payload.kind, oneOf: [b, c] }",
            "{ path: payload.kind, equals: a }, { path: payload.id, equals: b }",
            "{ path: payload.kind, equals: ab }, { path: payload.kind, matches: 'a{x}' }, { path: payload.kind, matches: '{y}b' }",
            "{ path: payload.kind, matches: 'a{x}' }, { path: payload.kind, matches: 'ab{y}' }",
        ]
    )
    func openAdapters(conditions: String) {
        #expect(Self.problems(Self.good.replacing(Self.when, with: conditions)) == [])
    }

    @Test("are looked for in a time that grows with the file")
    func time() {
        func manifest(_ count: Int) -> String {
            let conditions = (0..<count).map {
                "  c\($0): { holds: { any: [{ fact: f, less: \($0) }, { fact: f, equals: { parameter: p } }] }, reason: no }"
            }
            let destinations = (0..<count).map { index in
                let needs = (0..<min(count, 20)).map { "c\((index + $0) % count)" }.joined(separator: ", ")
                return
                    "  d\(index): { ancestry: [home], parameters: { p: { type: integer, default: 1 } }, conditions: [\(needs)], routes: [\"demo://d\(index)\"] }"
            }
            let adapters = (0..<count).map {
                "  - { name: a\($0), kinds: [push], when: [{ path: payload.kind, oneOf: [a, b] }, { path: payload.kind, equals: k\($0) }], url: \"demo://d\($0)x\" }"
            }
            return """
                name: Demo
                schemes: [demo]
                facts: { f: { type: integer } }
                tabs: { home: home }
                conditions:
                \(conditions.joined(separator: "\n"))
                destinations:
                  home: { tab: home }
                \(destinations.joined(separator: "\n"))
                adapters:
                \(adapters.joined(separator: "\n"))
                """
        }
        let clock = ContinuousClock()
        let small = clock.measure { _ = Self.problems(manifest(250)) }
        let large = clock.measure { _ = Self.problems(manifest(1_000)) }
        #expect(large < small * 12 + .seconds(1), "\(small), \(large)")
    }
}
