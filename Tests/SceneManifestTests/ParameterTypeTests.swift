import SceneManifest
import SceneRouting
import Testing

@Suite("Parameters that can never be what a fact is")
struct ParameterTypeTests {
    /// What is warned of in an app whose condition is `holds`, and an intent of which has `effect`, both of which look at a parameter `p`.
    private static func problems(_ type: String, holds: String = "signedIn", effect: String = "{ reset: flag }")
        -> [String]
    {
        AppManifest.problems(
            in: """
                name: Demo
                schemes: [demo]
                facts:
                  flag: { type: boolean }
                  count: { type: integer }
                  rate: { type: number }
                  due: { type: date }
                  tags: { type: strings }
                  text: { type: string }
                tabs: { home: home }
                conditions:
                  rule: { holds: \(holds), reason: no }
                  rest: { holds: { any: [{ present: flag }, { present: count }, { present: rate }, { present: due }, { present: tags }, { present: text }] }, reason: no }
                destinations:
                  home: { tab: home, routes: ["demo://home"] }
                  item: { ancestry: [home], parameters: { p: \(type) }, conditions: [rule, rest], routes: ["demo://item?p={p}"] }
                intents: { done: { parameters: { p: \(type) }, effects: [\(effect)] } }
                """
        )
        .map(\.description).filter { !$0.contains("is a list") }
    }

    /// A type of parameters, and the facts that one may be.
    static let types: [(type: String, facts: [String])] = [
        ("string", ["flag", "count", "rate", "due", "text"]), ("integer", ["count", "rate", "text"]),
        ("uuid", ["text"]),
        ("date", ["due", "text"]), ("{ oneOf: [a, b] }", ["text"]), ("{ oneOf: [a, 'true'] }", ["flag", "text"]),
        ("{ oneOf: [a, '5'] }", ["count", "rate", "text"]), ("{ oneOf: [a, '5.5'] }", ["rate", "text"]),
        ("{ oneOf: [a, '2026-11-27'] }", ["due", "text"]), ("{ pattern: '[0-9]+' }", ["count", "rate", "due", "text"]),
        ("{ type: integer, list: true }", ["count", "rate", "text"]),
        ("{ type: string, list: true }", ["flag", "count", "rate", "due", "text"]),
    ]
    private static let facts = [
        "flag": "boolean", "count": "integer", "rate": "number", "due": "date", "tags": "strings", "text": "string",
    ]

    @Test(
        "are warned of where a fact is set to one, or compared with one, and not where some value fits",
        arguments: types
    )
    func mismatches(type: String, fitting: [String]) {
        for (fact, kind) in Self.facts {
            let set = Self.problems(type, effect: "{ set: \(fact), value: { parameter: p } }")
            let when = Self.problems(
                type,
                effect: "{ reset: flag, when: { not: { fact: \(fact), equals: { parameter: p } } } }"
            )
            let holds = Self.problems(
                type,
                holds: "{ any: [signedIn, { fact: \(fact), notEquals: { parameter: p } }] }"
            )
            // A precondition or condition that compares a date is an error unless the parameter is one.
            for (problems, place) in [
                (set, "intents.done.effects[0].value.parameter: 'p' is "),
                (when, "intents.done.effects[0].when.not.equals: 'p' is "),
                (holds, "conditions.rule.holds.any[1].notEquals: 'p' of 'item' is "),
            ] where !problems.contains(where: { $0.contains("is not always a date") }) {
                if fitting.contains(fact) {
                    #expect(problems == [], "\(fact)")
                } else {
                    #expect(
                        problems.count == 1
                            && problems.allSatisfy {
                                $0.contains("warning: \(place)")
                                    && $0.contains(" never of type \(kind), as '\(fact)' is, so ")
                            },
                        "\(fact): \(problems)"
                    )
                }
            }
        }
    }

    @Test("are told with what would be right")
    func expected() {
        #expect(
            Self.problems("integer", effect: "{ set: flag, value: { parameter: p } }") == [
                "17:80: warning: intents.done.effects[0].value.parameter: 'p' is an integer, and never of type boolean, as 'flag' is, so whoever gives it is "
                    + "rejected as invalidFact; expected a parameter that can be of type boolean"
            ]
        )
        #expect(
            Self.problems("string", holds: "{ fact: tags, equals: { parameter: p } }").map {
                String($0.drop { $0 != "w" })
            } == [
                "warning: conditions.rule.holds.equals: 'p' of 'item' is a text of 1 to 1024 bytes, and never of type strings, as 'tags' is, so nothing but "
                    + "'notEquals' holds of them; expected 'contains' for an element"
            ]
        )
        #expect(
            Self.problems(
                "string",
                holds: "{ fact: tags, contains: { parameter: p } }",
                effect: "{ append: tags, value: { parameter: p } }"
            ) == []
        )
    }

    /// Two types of parameters, and whether a value of the one may be one of the other.
    static let pairs: [(one: String, other: String, fits: Bool)] = [
        ("string", "date", true), ("integer", "date", false), ("integer", "uuid", false), ("uuid", "date", false),
        ("uuid", "string", true), ("integer", "string", true), ("date", "{ pattern: '[0-9]+' }", true),
        ("integer", "integer", true),
        ("{ type: integer, maximum: 3 }", "{ type: integer, minimum: 3 }", true),
        ("{ type: integer, maximum: 3 }", "{ type: integer, minimum: 4 }", false),
        ("{ oneOf: [a, b] }", "integer", false), ("{ oneOf: [a, '5'] }", "integer", true),
        ("{ oneOf: [a, b] }", "{ oneOf: [b, c] }", true), ("{ oneOf: [a, b] }", "{ oneOf: [c] }", false),
        ("{ oneOf: [a, b] }", "{ pattern: '[a-c]' }", true), ("{ oneOf: [a, b] }", "{ pattern: '[c-d]' }", false),
        ("{ type: integer, list: true }", "date", false), ("{ type: integer, list: true }", "integer", true),
        ("{ type: string, list: true }", "date", true),
    ]

    /// What is warned of in an app that gives a parameter of type `given` to one of type `taken` in each way there is.
    private static func given(_ given: String, to taken: String) -> [String] {
        let optional = "{ optional: true, \(taken.hasPrefix("{") ? String(taken.dropFirst()) : "type: \(taken) }")"
        return AppManifest.problems(
            in: """
                name: Demo
                schemes: [demo]
                tabs: { home: home }
                destinations:
                  home: { tab: home, routes: ["demo://home"] }
                  item: { ancestry: [home], parameters: { q: \(taken) }, routes: ["demo://item?q={q}"] }
                  asked: { ancestry: [home], presentation: sheet, flow: asking, routes: ["demo://asked"] }
                flows:
                  asking:
                    result: { q: \(taken) }
                    screens: [asked, { id: more, parameters: { q: \(taken) } }]
                    intents:
                      went: { parameters: { p: \(given) }, effects: [{ push: more, parameters: { q: { parameter: p } } }] }
                      came: { parameters: { p: \(given) }, effects: [{ replace: more, parameters: { q: { parameter: p } } }] }
                      led: { parameters: { p: \(given) }, effects: [{ start: telling, parameters: { q: { parameter: p } } }] }
                      done: { parameters: { p: \(given) }, effects: [{ complete: { result: { q: { parameter: p } } } }] }
                    after:
                      telling: { completed: [{ route: item, parameters: { q: { parameter: p } } }] }
                  telling:
                    result: { p: \(given) }
                    screens: [{ id: told, parameters: { q: \(optional) } }]
                    intents: { said: { parameters: { p: \(given) }, effects: [{ complete: { result: { p: { parameter: p } } } }] } }
                intents:
                  routed: { parameters: { p: \(given) }, effects: [{ route: item, parameters: { q: { parameter: p } } }] }
                  opened: { parameters: { p: \(given) }, effects: [{ openWindow: item, parameters: { q: { parameter: p } }, when: signedIn }] }
                  closed: { parameters: { p: \(given) }, effects: [{ closeWindow: item, parameters: { q: { parameter: p } } }] }
                  renewed: { parameters: { p: \(given) }, effects: [{ refreshWindow: item, parameters: { q: { parameter: p } } }] }
                """
        )
        .map(\.description).filter { !$0.contains("is a list") }
    }

    @Test("are warned of where an effect gives them to what never takes one", arguments: pairs)
    func gifts(one: String, other: String, fits: Bool) {
        let problems = Self.given(one, to: other)
        if fits {
            #expect(problems == [])
        } else {
            #expect(problems.count == 9)
            #expect(
                problems.allSatisfy { $0.contains("q.parameter: 'p' is ") && $0.contains(", and 'q' of '") },
                "\(problems)"
            )
        }
    }
}
