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
}
