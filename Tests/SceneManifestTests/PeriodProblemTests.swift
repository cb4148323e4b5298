import SceneManifest
import SceneRouting
import Testing

@Suite("What is wrong with dates and periods in a manifest")
struct PeriodProblemTests {
    private static func text(fact: String = "{ type: date }", period: String, parameter: String = "date") -> String {
        """
        name: Travel
        schemes: [travel]
        facts: { departure: \(fact), note: { type: string } }
        conditions:
          open:
            holds: { period: \(period) }
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["travel://home"] }
          checkin: { ancestry: [home], parameters: { at: \(parameter) }, conditions: [open], routes: ["travel://{at}"] }
        intents:
          seen: { effects: [{ set: note, value: a, when: { present: note } }, { answer: { at: { fact: departure } } }] }
        """
    }

    static let right = [
        "{ from: { fact: departure, minus: 24h } }", "{ until: { fact: departure, plus: 500ms } }",
        "{ from: { fact: departure, minus: 1d12h }, until: { fact: departure, minus: 40m } }",
        "{ from: { parameter: at }, until: { fact: departure } }", "{ from: 2026-11-27, until: { parameter: at } }",
        "{ from: { fact: departure }, until: { fact: departure, plus: 1ms } }",
        "{ from: { fact: departure, plus: 0s } }",
    ]

    @Test("is nothing if they are right", arguments: right)
    func none(period: String) {
        #expect(AppManifest.problems(in: Self.text(period: period)).map(\.description) == [])
    }

    /// A period, and its problem from the key on; the place is that of the text with a `^` before it.
    static let wrong: [(period: String, says: String)] = [
        (
            "{ from: { ^fcat: departure } }",
            "from.fcat: 'fcat' is not allowed here; expected one of fact, parameter, plus, minus; did you mean 'fact'?"
        ),
        (
            "{ from: { ^fact: departur, minus: 24h } }",
            "from.fact: there is no fact 'departur'; expected one of departure, note; did you mean 'departure'?"
        ),
        (
            "{ from: { ^fact: note } }",
            "from.fact: 'note' is of type string, and a period begins and ends with a date; expected a fact of type date"
        ),
        (
            "{ until: { ^parameter: att } }",
            "until.parameter: the destination 'checkin', which has this condition, has no parameter 'att'; expected one of at; did you mean 'at'?"
        ),
        (
            "{ from: ^{ minus: 24h } }",
            "from: is relative to nothing; expected one of them, as in { fact: NAME, minus: 24h }"
        ),
        (
            "{ from: ^{ fact: departure, parameter: at } }",
            "from: is relative to both a fact and a parameter; expected one of them, as in { fact: NAME, minus: 24h }"
        ),
        (
            "{ from: ^{ fact: departure, minus: 1h, plus: 1h } }",
            "from: has both 'plus' and 'minus'; expected one of them"
        ),
        ("{ from: ^tomorrow }", "from: 'tomorrow' is not a point in time; expected a date and time in UTC such as"),
    ]

    static let wrongLengths = [
        "24", "h", "-24h", "24 h", "1w", "24H", "5000d", "1.5h", "99999999999999999999h", "\"\"",
    ]

    private func check(_ text: String, _ key: String, _ says: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.firstIndex { $0.contains("^") } ?? 0
        let column = lines[line].prefix { $0 != "^" }.count + 1
        let problems = AppManifest.problems(in: text.replacing("^", with: "")).filter { $0.severity == .error }.map(
            \.description
        )
        let expected = "\(line + 1):\(column): error: \(key)\(says)"
        #expect(problems.count == 1 && problems[0].hasPrefix(expected), "\(problems), expected \(expected)")
    }

    @Test("is said once, with its place and what would be right", arguments: wrong)
    func places(period: String, says: String) {
        check(Self.text(period: period), "conditions.open.holds.period.", says)
    }

    @Test("is a length of time without a unit, or one that no clock has", arguments: wrongLengths)
    func lengths(length: String) {
        let written = length.replacing("\"", with: "")
        check(
            Self.text(period: "{ from: { fact: departure, minus: ^\(length) } }"),
            "conditions.open.holds.period.from.minus: ",
            "'\(written)' is not a length of time; expected a number with its unit, such as 24h, 90m or 1d12h"
        )
    }

    static let empty: [(period: String, says: String)] = [
        (
            "{ from: { fact: departure, plus: 2h }, until: { fact: departure, plus: 90m } }",
            "the period ends before it begins"
        ), ("{ from: 2026-11-28, until: 2026-11-27 }", "the period ends before it begins"),
        (
            "{ from: { fact: departure }, until: { fact: departure } }",
            "the period ends when it begins, so nothing is in it"
        ),
        (
            "{ from: { parameter: at, minus: 1h }, until: { parameter: at, minus: 60m } }",
            "the period ends when it begins, so nothing is in it"
        ),
        ("{ from: 2026-11-27, until: 2026-11-27T00:00Z }", "the period ends when it begins, so nothing is in it"),
    ]

    @Test("is a period in which no time can be", arguments: empty)
    func never(period: String, says: String) {
        check(
            Self.text(period: period).replacing("holds:", with: "^holds:"),
            "conditions.open.holds: ",
            "\(says); expected 'from' before 'until'"
        )
    }

    @Test("is a parameter that is not always a date", arguments: ["string", "integer", "{ type: date, list: true }"])
    func parameters(type: String) {
        check(
            Self.text(period: "{ until: { ^parameter: at } }", parameter: type),
            "conditions.open.holds.period.until.parameter: ",
            "'at' of the destination 'checkin', which has this condition, is not always a date; expected a parameter of type date"
        )
    }

    static let values: [(from: String, to: String, problem: String)] = [
        (
            "{ type: date }", "{ type: date, default: ^soon }",
            "facts.departure.default: 'soon' is not a date; expected a date in UTC, such as 2026-11-27 or"
        ),
        (
            "{ type: date }", "{ type: date, default: ^2026-02-30 }",
            "facts.departure.default: '2026-02-30' is not a date; expected"
        ),
        (
            "{ at: date }", "{ at: { type: date, ^default: soon } }",
            "destinations.checkin.parameters.at.default: 'soon' is not allowed; expected a date in UTC"
        ),
        (
            "{ at: date }", "{ at: ^dat }",
            "destinations.checkin.parameters.at: 'dat' is not a type; expected one of string, integer, uuid, date, or 'pattern' or 'oneOf'; did you mean 'date'?"
        ),
        (
            "{ present: note }", "{ fact: departure, less: ^today }",
            "intents.seen.effects[0].when.less: 'today' is not a date; expected a date in UTC"
        ),
        (
            "{ set: note, value: a", "{ set: departure, value: ^a",
            "intents.seen.effects[0].value: 'a' is not a date; expected a date in UTC"
        ),
        (
            "{ set: note, value: a, when: { present: note } }", "{ ^add: departure, value: 1 }",
            "intents.seen.effects[0].add: 'departure' is of type date; expected a fact of type integer or number"
        ),
    ]

    @Test("is a value that is no date", arguments: values)
    func dates(from: String, to: String, problem: String) {
        let text = Self.text(period: "{ until: { fact: departure } }").replacing(from, with: to)
        #expect(text.contains("^"))
        check(text, "", problem)
    }
}
