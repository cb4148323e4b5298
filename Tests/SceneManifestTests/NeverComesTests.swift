import Foundation
import SceneManifest
import SceneRouting
import Testing

@Suite("What a manifest declares and can never come about")
struct NeverComesTests {
    /// A manifest without warnings, to be spoilt.
    private static let good = """
        name: Demo
        schemes: [demo]
        facts: { plan: { type: string }, count: { type: integer }, agreed: { type: boolean }, tags: { type: strings }, due: { type: date } }
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
        conditions:
          rule: { holds: { all: [{ fact: plan, equals: gold }, { fact: count, less: 3 }] }, reason: no }
          other: { holds: { any: [{ present: tags }, { present: due }, { fact: agreed, equals: true }] }, reason: no }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          item:
            ancestry: [home]
            preconditions: [signedIn]
            conditions: [rule, other]
            routes: ["demo://item"]
            variants:
              - { when: { fact: count, less: 3 }, destination: few }
              - { when: { fact: count, less: 5 }, destination: more }
          few: { ancestry: [home], preconditions: [signedIn], conditions: [rule, other] }
          more: { ancestry: [home], preconditions: [signedIn], conditions: [rule, other] }
        adapters:
          - { name: news, kinds: [push], when: [{ path: payload.kind, equals: news }], url: "demo://home" }
          - { name: rest, kinds: [push, widget], url: "demo://item" }
        flows:
          auth:
            completionNeedsUser: true
            screens: [login, again]
            start: [{ when: { fact: count, greater: 9 }, screen: again }, { when: { fact: count, greater: 5 }, screen: again }]
            intents:
              named: { parameters: { user: string }, effects: [{ complete: { user: user }, when: { present: plan } }, { start: help }] }
          help:
            screens: [page]
            intents: { closed: { effects: [cancel] } }

        """

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml").map(\.description)
    }

    @Test("is nothing in a good one, nor in the apps that ship")
    func none() {
        #expect(Self.problems(Self.good) == [])
        for example in ExampleApp.allCases { #expect(Self.problems(example.text) == []) }
    }

    /// What is warned of in an app of the tests, and meant: first screens that others are shown over, and what only the app's own code needs.
    private static let meant = [" as its first screen", "no destination needs 'signedIn'"]

    @Test("is in no app of the tests")
    func noneInTests() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: tests.appending(path: "Apps"),
            includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "yaml" }
        #expect(files.count > 8)
        // It has facts of every type for tests to set.
        let cars = tests.appending(path: "../protocol/python/tests/cars.yaml")
        for file in files + [cars] {
            let meant = Self.meant + (file == cars ? ["nothing in the manifest looks at"] : [])
            let problems = Self.problems(try String(contentsOf: file, encoding: .utf8))
                .filter { problem in !meant.contains { problem.contains($0) } }
            #expect(problems == [], "\(file.lastPathComponent)")
        }
    }

    private static let rule = "{ all: [{ fact: plan, equals: gold }, { fact: count, less: 3 }] }"

    /// Two predicates that exclude each other.
    static let excluding: [(String, String)] = [
        ("signedIn", "{ not: signedIn }"), ("{ present: plan }", "{ not: { present: plan } }"),
        ("{ fact: plan, equals: gold }", "{ fact: plan, equals: silver }"),
        ("{ fact: plan, equals: gold }", "{ not: { present: plan } }"),
        ("{ fact: plan, oneOf: [a, b] }", "{ fact: plan, oneOf: [c, d] }"),
        ("{ fact: plan, equals: gold }", "{ fact: plan, notEquals: gold }"),
        ("{ fact: count, less: 3 }", "{ fact: count, greater: 5 }"),
        ("{ fact: count, less: 3 }", "{ fact: count, greaterOrEqual: 3 }"),
        ("{ fact: count, equals: 3 }", "{ fact: count, greater: 3 }"),
        ("{ fact: count, less: 3 }", "{ not: { fact: count, lessOrEqual: 3 } }"),
        ("{ fact: agreed, equals: true }", "{ fact: agreed, equals: false }"),
        ("{ fact: tags, contains: a }", "{ not: { present: tags } }"),
        ("{ appVersion: { less: \"2\" } }", "{ appVersion: { greaterOrEqual: \"2.0\" } }"),
        ("{ period: { until: 2026-11-27 } }", "{ period: { from: 2026-11-28 } }"),
        ("{ period: { from: 2026-11-01, until: 2026-11-27 } }", "{ period: { from: 2026-11-27, until: 2026-12-01 } }"),
        ("{ period: { until: { fact: due } } }", "{ period: { from: { fact: due, plus: 1h } } }"),
        ("{ period: { from: { fact: due } } }", "{ not: { present: due } }"),
        ("{ period: { until: 2026-11-27 } }", "{ not: { period: { until: 2026-11-28 } } }"),
        ("{ any: [{ fact: plan, equals: a }, { fact: plan, equals: b }] }", "{ fact: plan, equals: c }"),
        ("{ not: { any: [signedIn, { present: plan }] } }", "{ all: [signedIn, { present: due }] }"),
    ]

    @Test("are two conditions that exclude each other, at the second", arguments: excluding)
    func contradictions(one: String, other: String) throws {
        for (first, second) in [(one, other), (other, one)] {
            let text = Self.good.replacing(Self.rule, with: "{ all: [{ present: agreed }, \(first), \(second)] }")
            #expect(
                Self.problems(text).filter { !$0.contains("nothing in the manifest looks at") } == [
                    "demo.yaml:8:\(49 + first.count): warning: conditions.rule.holds.all[2]: this never holds together with all[1]; "
                        + "expected 'any', or what can hold at the same time"
                ]
            )
        }
    }

    /// Predicates that look alike and can hold.
    static let possible = [
        "{ all: [{ fact: plan, notEquals: a }, { not: { present: plan } }] }",
        "{ all: [{ not: { fact: count, less: 3 } }, { not: { fact: count, greaterOrEqual: 3 } }] }",
        "{ all: [{ fact: agreed, notEquals: true }, { fact: agreed, notEquals: false }] }",
        "{ all: [{ fact: tags, contains: a }, { fact: tags, contains: b }] }",
        "{ all: [{ fact: count, lessOrEqual: 3 }, { fact: count, greaterOrEqual: 3 }] }",
        "{ all: [{ not: { appVersion: { less: \"2\" } } }, { not: { appVersion: { greaterOrEqual: \"2\" } } }] }",
        "{ all: [{ period: { from: 2026-11-27 } }, { not: { period: { from: { fact: due }, until: 2026-12-01 } } }] }",
        "{ all: [{ not: { period: { from: { fact: due } } } }, { not: { period: { until: { fact: due } } } }] }",
        "{ any: [{ not: always }, signedIn] }", "{ not: always }",
    ]

    @Test("is not what can hold, or says itself that it does not", arguments: possible)
    func noContradiction(holds: String) {
        let problems = Self.problems(Self.good.replacing(Self.rule, with: holds))
        #expect(!problems.contains { $0.contains("never holds") }, "\(problems)")
    }

    /// What is replaced, by what, and the warning then.
    static let spoilt: [(from: String, to: String, warning: String)] = [
        (
            "{ fact: count, less: 5 }", "{ fact: count, less: 2 }",
            "warning: destinations.item.variants[1].when: variants[0] is chosen whenever this holds, so 'more' never is"
        ),
        (
            "{ fact: count, greater: 5 }, screen", "{ fact: count, equals: 12 }, screen",
            "warning: flows.auth.start[1].when: [0] before it holds whenever this does, so 'auth' never starts with 'again' by it"
        ),
        (
            "{ complete: { user: user }, when: { present: plan } }",
            "{ complete: { user: user } }, { set: count, value: 1, when: { all: [signedIn, { not: signedIn }] } }",
            "warning: flows.auth.intents.named.effects[1].when.all[1]: this never holds together with all[0]"
        ),
        (
            "{ name: news, kinds: [push], when:", "{ name: news, kinds: [push], priority: -1, when:",
            "demo.yaml:23:5: warning: adapters[0]: 'news' is never asked: 'rest' before it takes every event that it could"
        ),
        (
            "effects: [{ complete: { user: user }, when: { present: plan } }, { start: help }]",
            "effects: [{ complete: { user: user } }]",
            "demo.yaml:32:3: warning: flows.help: nothing shows 'help'; expected 'flow: help' in a precondition, a root or a "
                + "destination, or 'start: help' in an effect of a flow that is shown"
        ),
    ]

    @Test("is a warning that says what and where, and what would be right", arguments: spoilt)
    func warns(from: String, to: String, warning: String) {
        let text = Self.good.replacing(from, with: to)
        #expect(text != Self.good)
        let problems = Self.problems(text)
        #expect(problems.contains { $0.contains(warning) }, "\(problems)")
    }

    /// Adapters before one for news that do not take all of them.
    static let partial = [
        "{ name: a, kinds: [widget], url: \"demo://home\" }",
        "{ name: a, kinds: [push], when: [{ present: payload.other }], url: \"demo://home\" }",
        "{ name: a, kinds: [push], when: [{ path: payload.kind, equals: old }], url: \"demo://home\" }",
        "{ name: a, kinds: [push], url: \"demo://{payload.place}\" }",
        "{ name: a, kinds: [push], url: \"demo://home\", user: payload.user }",
    ]

    @Test("is no adapter of which others leave something", arguments: partial)
    func adapters(before: String) {
        let text = Self.good.replacing("adapters:\n", with: "adapters:\n  - \(before)\n")
        #expect(!Self.problems(text).contains { $0.contains("is never asked") })
    }
}
