import SceneManifest
import SceneRouting
import Testing

/// Values that mean the same as others and are written otherwise.
@Suite("Values in several notations")
struct NotationTests {
    /// What is warned of in an app whose condition is `holds`.
    private static func warnings(_ holds: String, more: String = "", effects: String = "complete") -> [String] {
        AppManifest.problems(
            in: """
                name: Demo
                schemes: [demo]
                facts:
                  seen: { type: string }
                  days: { type: strings, default: [2026-11-27] }
                  build: { type: string, default: '2.1.0' }
                  level: { type: number }
                  due: { type: date }
                tabs: { home: home }
                conditions:
                  rule: { holds: \(holds), reason: no }
                  rest: { holds: { any: [{ present: seen }, { present: days }, { present: build }, { present: level }, { present: due }\(more)] }, reason: no }
                destinations:
                  home: { tab: home }
                  item: { ancestry: [home], parameters: { day: { type: date, default: 2026-11-27 } }, conditions: [rule, rest], routes: ["demo://item"] }
                  flow: { ancestry: [home], presentation: sheet, flow: form, routes: ["demo://form"] }
                flows:
                  form:
                    screens: [flow]
                    intents:
                      done: { parameters: { day: date, text: string }, effects: [\(effects)] }
                """
        ).map(\.description)
    }

    static let twice: [(holds: String, place: String)] = [
        ("{ fact: level, oneOf: [1, 2, 1.0] }", "conditions.rule.holds.oneOf[2]: this is the same as [0]"),
        ("{ fact: seen, oneOf: [a, b, b] }", "conditions.rule.holds.oneOf[2]: this is the same as [1]"),
        (
            "{ any: [signedIn, { fact: due, oneOf: [2026-11-27, 2026-11-27T00:00Z] }] }",
            "conditions.rule.holds.any[1].oneOf[1]: this is the same as [0]"
        ),
    ]

    @Test("of a list are there twice", arguments: twice)
    func same(holds: String, place: String) {
        let warnings = Self.warnings(holds)
        #expect(warnings.count == 1 && warnings[0].contains("\(place); expected each value once"), "\(warnings)")
    }

    static let other: [(holds: String, more: String, effects: String, warning: String)] = [
        (
            "{ fact: build, equals: '2.1' }", "", "complete",
            "conditions.rule.holds.equals: '2.1' is the version that is written '2.1.0' at facts.build.default, and texts are compared as "
                + "they are written; expected one notation"
        ),
        (
            "{ fact: build, oneOf: ['2.0', '2.01.0'] }", "", "complete",
            "conditions.rule.holds.oneOf[1]: '2.01.0' is the version that is written '2.1.0' at facts.build.default"
        ),
        (
            "{ fact: days, contains: 2026-11-27T00:00:00Z }", "", "complete",
            "conditions.rule.holds.contains: '2026-11-27T00:00:00Z' is the time that is written '2026-11-27' at facts.days.default[0], and "
                + "texts are compared as they are written; expected one notation, or 'type: date' for 'days'"
        ),
        (
            "{ not: { fact: seen, oneOf: [2026-11-27T09:00:00+01:00, x] } }", "",
            "{ set: seen, value: '2026-11-27T08:00:00Z' }, complete",
            "conditions.rule.holds.not.oneOf[0]: '2026-11-27T09:00:00+01:00' is the time that is written '2026-11-27T08:00:00Z' at "
                + "flows.form.intents.done.effects[0].value"
        ),
        (
            "{ fact: seen, notEquals: 2026-11-27T08:00:00.000Z }", ", { fact: seen, equals: '2026-11-27 08:00:00z' }",
            "complete",
            "conditions.rest.holds.any[5].equals: '2026-11-27 08:00:00z' is the time that is written '2026-11-27T08:00:00.000Z' at "
                + "conditions.rule.holds.notEquals"
        ),
        (
            "{ fact: seen, equals: 2026-11-27 }", "", "{ set: seen, value: { parameter: day } }, complete",
            "conditions.rule.holds.equals: '2026-11-27' is the time that is written '2026-11-27T00:00:00Z' where 'seen' gets it from a date"
        ),
        (
            "{ fact: seen, equals: 2026-11-26T23:00:00-0100 }", "", "{ set: seen, value: { fact: due } }, complete",
            "conditions.rule.holds.equals: '2026-11-26T23:00:00-0100' is the time that is written '2026-11-27T00:00:00Z' where 'seen' gets it"
        ),
        (
            "{ fact: days, contains: 2026-11-27T08:00Z }", "", "{ append: days, value: { parameter: day } }, complete",
            "conditions.rule.holds.contains: '2026-11-27T08:00Z' is the time that is written '2026-11-27T08:00:00Z' where 'days' gets it"
        ),
        (
            "{ present: seen }", "",
            "{ append: days, value: { parameter: day } }, { remove: days, value: 2026-11-28 }, complete",
            "flows.form.intents.done.effects[1].value: '2026-11-28' is the time that is written '2026-11-28T00:00:00Z' where 'days' gets it"
        ),
        (
            "{ fact: days, contains: { parameter: day } }", "", "complete",
            "facts.days.default[0]: '2026-11-27' is a time, and 'days' is compared with the date 'day', which is written "
                + "'2026-11-27T00:00:00Z': texts are compared as they are written; expected '2026-11-27T00:00:00Z'"
        ),
        (
            "{ fact: seen, equals: { parameter: day } }", "", "{ set: seen, value: 2026-11-28T00:00Z }, complete",
            "flows.form.intents.done.effects[0].value: '2026-11-28T00:00Z' is a time, and 'seen' is compared with the date 'day', which is "
                + "written '2026-11-28T00:00:00Z'"
        ),
        (
            "{ present: seen }", "", "{ remove: days, value: { fact: due } }, complete",
            "facts.days.default[0]: '2026-11-27' is a time, and the date 'due' is removed from 'days', which is written "
                + "'2026-11-27T00:00:00Z'"
        ),
    ]

    @Test("of a text are never the same to a predicate", arguments: other)
    func differ(holds: String, more: String, effects: String, warning: String) {
        let warnings = Self.warnings(holds, more: more, effects: effects)
        #expect(warnings.count == 1 && warnings[0].contains("warning: \(warning)"), "\(warnings)")
    }

    static let harmless: [(holds: String, effects: String)] = [
        ("{ fact: build, equals: '2.1.0' }", "complete"), ("{ fact: build, equals: '2.1.1' }", "complete"),
        ("{ fact: level, oneOf: [1, 2.0] }", "complete"), ("{ fact: seen, oneOf: ['1', '01', '1.0'] }", "complete"),
        ("{ fact: seen, oneOf: [a, A] }", "complete"),
        ("{ fact: due, equals: 2026-11-27 }", "{ set: due, value: 2026-11-27T00:00Z }, complete"),
        ("{ fact: seen, equals: '2026-11-27T00:00:00Z' }", "{ set: seen, value: { parameter: day } }, complete"),
        ("{ fact: seen, equals: 2026-11-27 }", "{ set: seen, value: { parameter: text } }, complete"),
        ("{ fact: seen, oneOf: [2026-11-27, 2026-11-27T01:00+02:00] }", "complete"),
        ("{ fact: seen, equals: { parameter: day } }", "{ set: seen, value: '2026-11-27T00:00:00Z' }, complete"),
        ("{ fact: seen, equals: { parameter: day } }", "{ set: seen, value: tomorrow }, complete"),
        ("{ fact: due, equals: { parameter: day } }", "{ set: due, value: 2026-11-27 }, complete"),
        (
            "{ present: seen }",
            "{ remove: days, value: { parameter: text } }, { remove: days, value: { fact: due } }, complete"
        ),
        ("{ present: seen }", "{ remove: days, value: 2026-11-27 }, complete"),
        (
            "{ fact: seen, oneOf: ['2026-11-27T', '2026-11-27T+', '2026-11-27Tx:y+1:2', '2026-11-27T08:00:00.5Z'] }",
            "complete"
        ),
    ]

    @Test("are not suspected where they mean something else, or are written alike", arguments: harmless)
    func alike(holds: String, effects: String) {
        #expect(Self.warnings(holds, effects: effects) == [])
    }
}
