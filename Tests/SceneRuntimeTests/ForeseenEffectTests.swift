import SceneManifest
import SceneRouting
@testable import SceneRuntime
import Testing

/// The effects of an intent are one commit, but each sees what those before it will have made of the session.
@Suite("What effects foresee", .timeLimit(.minutes(15)))
struct ForeseenEffectTests {
    private static let app = """
        name: Foreseeing
        schemes: [foreseeing]
        facts:
          flag: { type: boolean, scope: app }
          count: { type: integer, default: 7 }
          weight: { type: number, default: 2 }
          note: { type: string, default: x }
          items: { type: strings, default: [a, b] }
          seen: { type: strings, scope: app }
        tabs: { home: home }
        destinations:
          home: { tab: home }
        intents:
          first: { parameters: { it: PARAMETER }, effects: [EFFECT] }
          then: { effects: [THEN] }
          both: { parameters: { it: PARAMETER }, effects: [EFFECT, THEN] }
        """

    /// Effects that say what holds when it is their turn.
    private static let questions =
        [
            "signedIn", "present: flag", "present: count", "present: weight", "present: note",
            "present: items", "fact: flag, equals: true", "fact: flag, equals: false", "fact: flag, less: true",
            "fact: count, equals: 7", "fact: count, less: 10", "fact: count, greater: 9",
            "fact: weight, equals: 7", "fact: weight, lessOrEqual: 1.5", "fact: weight, greater: 9",
            "fact: note, equals: x", "fact: note, greater: '10'", "fact: note, oneOf: ['7', 'true']",
            "fact: items, contains: a", "fact: items, contains: '7'",
        ]
        .enumerated().map { number, question in
            let condition = question.contains(":") ? "{ \(question) }" : question
            return "{ append: seen, value: q\(number), when: \(condition) }"
        }

    /// Effects that say which values the facts have when it is their turn.
    private static let copies = ["flag", "count", "weight", "note"].flatMap { fact in
        ["{ append: seen, value: '\(fact):' }", "{ append: seen, value: { fact: \(fact) } }"]
    }

    private static func host(_ effect: String, isInteger: Bool) throws -> TestHost {
        let text = app.replacing("PARAMETER", with: isInteger ? "{ type: integer }" : "string")
            .replacing("EFFECT", with: effect)
            .replacing("THEN", with: (questions + copies).joined(separator: ", "))
        let manifest = try AppManifest.read(text).manifest
        return try TestHost(windows: ["A"], edit: { $0 = manifest })
    }

    static let texts = [
        "true", "false", "True", "no", "x", "é", "a", "0", "1", "7", "007", "+7", "-7", "10", "7.0", "1.5", ".5", "1e3",
        "0x10", "-0", "1e999", "nan", "inf", " 7", "9223372036854775807", "9223372036854775808",
    ]

    /// Which texts a fact of each type can be read from.
    static let readable: [(fact: String, texts: [String])] = [
        ("flag", ["true", "false"]),
        ("count", ["0", "1", "7", "007", "+7", "-7", "10", "-0", "9223372036854775807"]),
        (
            "weight",
            [
                "0", "1", "7", "007", "+7", "-7", "10", "7.0", "1.5", ".5", "1e3", "0x10", "-0", "9223372036854775807",
                "9223372036854775808",
            ]
        ),
        ("note", texts),
        ("items", []),
    ]

    @Test("of a text is what a fact of that type becomes", arguments: readable)
    func texts(fact: String, readable: [String]) async throws {
        for text in Self.texts {
            let isRead = try await Self.compare("{ set: \(fact), value: { parameter: it } }", text)
            #expect(isRead == readable.contains(text), "\(text)")
        }
    }

    static let effects = [
        "{ set: weight, value: { fact: count } }", "{ set: flag, value: true }", "{ set: weight, value: 7 }",
        "{ set: note, value: { fact: note } }", "{ reset: note }", "{ reset: flag }", "{ add: count, value: 3 }",
        "{ add: weight, value: 5 }", "{ append: items, value: '7' }", "{ append: items, value: a }",
        "{ remove: items, value: a }", "{ append: seen, value: q3 }", "{ remove: seen, value: q3 }", "signOut",
        "markStale",
    ]

    @Test("of other effects is what they make of the session", arguments: effects, [nil, "anna"])
    func others(effect: String, user: String?) async throws {
        #expect(try await Self.compare(effect, "7", user: user))
    }

    static let amounts = ["0", "1", "-9", "007", "9223372036854775800", "9223372036854775801"]

    @Test("of a sum is the sum", arguments: ["count", "weight"])
    func sums(fact: String) async throws {
        for amount in Self.amounts {
            let isAdded = try await Self.compare("{ add: \(fact), value: { parameter: it } }", amount, isInteger: true)
            #expect(isAdded == (fact == "weight" || amount != "9223372036854775801"), "\(amount)")
        }
    }

    /// Lets an effect and what follows it be done by one intent and by two: the second sees what was committed.
    /// - Returns: Whether the effect was allowed.
    private static func compare(
        _ effect: String,
        _ text: String,
        isInteger: Bool = false,
        user: String? = nil
    ) async throws -> Bool {
        let (one, two) = (try host(effect, isInteger: isInteger), try host(effect, isInteger: isInteger))
        for test in [one, two] {
            guard let user else { continue }
            try await test.host.session.signIn(user: user, facts: ["note": .string("10"), "count": .integer(9)])
        }
        let before = one.host.session.snapshot.facts
        let outcome = try await one.tap("both", ["it": text]).outcome
        guard try await two.tap("first", ["it": text]).outcome == .delivered else {
            #expect(outcome.name == .rejected && one.host.session.snapshot.facts == before, "\(effect) \(text)")
            return false
        }
        #expect(try await two.tap("then").outcome == .delivered)
        let (whole, stepwise) = (one.host.session.snapshot, two.host.session.snapshot)
        #expect(outcome == .delivered && whole.facts == stepwise.facts, "\(effect) \(text)")
        #expect(whole.user == stepwise.user && whole.isStale == stepwise.isStale, "\(effect) \(text)")
        return true
    }
}
