import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// What the effects of a manifest do in a running host (<doc:/SceneRuntime/Windows>).
@Suite("Effects of a manifest", .timeLimit(.minutes(15)))
struct EffectTests {
    private static let app = """
        name: Counting
        schemes: [counting]
        facts:
          visits: { type: integer, scope: app }
          weight: { type: number, default: 2 }
          items: { type: strings, default: [a, b] }
          note: { type: string }
          level: { type: string, scope: app }
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: visit }
        destinations:
          home: { tab: home }
          own: { ancestry: [home], preconditions: [signedIn], routes: ["counting://own"] }
          closed: { ancestry: [home], preconditions: [signedIn] }
          shared: { ancestry: [home], preconditions: [signedIn], parameters: { id: string, from: string }, routes: ["counting://shared/{id}?from={from}"] }
          item: { ancestry: [home], parameters: { id: { type: string } }, repeats: true }
        flows:
          visit:
            screens:
              - start
              - second
              - third
              - fourth
              - closed
              - shared
              - id: form
                parameters: { id: { type: string, optional: true }, n: { type: integer, minimum: 1, default: "5" } }
            start: START
            intents:
              further: { parameters: { n: { type: integer, optional: true }, text: { type: string, optional: true } }, effects: [FURTHER] }
              stepped: { parameters: { n: { type: integer } }, effects: EFFECTS }
              done: { effects: [{ complete: { user: who } }], parameters: { who: { type: string } } }
            completion: COMPLETION
        intents:
          tapped: { parameters: { n: { type: integer, optional: true }, text: { type: string, optional: true } }, effects: EFFECTS }
        """

    private static func host(
        _ effects: String,
        completion: String = "[]",
        further: String = "",
        start: String = "[]",
        edit: (inout AppManifest) -> Void = { _ in }
    ) throws -> TestHost {
        let own = effects.contains("push") || effects.contains("complete") || effects.contains("cancel")
        let text = app.replacing("completion: COMPLETION", with: "completion: \(completion)")
            .replacing("FURTHER", with: further).replacing("start: START", with: "start: \(start)")
            .replacing("EFFECTS }\n", with: "\(own ? effects : "[]") }\n", maxReplacements: 1)
            .replacing("EFFECTS }", with: "\(own ? "[]" : effects) }")
        var manifest = try AppManifest.read(text).manifest
        edit(&manifest)
        let edited = manifest
        return try TestHost(edit: { $0 = edited })
    }

    private static func facts(_ test: TestHost) -> [String: FactValue] { test.host.session.snapshot.facts }

    struct Case: CustomTestStringConvertible, Sendable {
        let effects: String
        var parameters: [String: String] = [:]
        var facts: [String: FactValue] = [:]
        let makes: [String: FactValue]
        var testDescription: String { "\(effects) \(parameters)" }
    }

    static let cases = [
        Case(effects: "[{ remove: items, value: a }]", makes: ["items": .strings(["b"])]),
        Case(effects: "[{ remove: items, value: c }]", makes: ["items": .strings(["a", "b"])]),
        Case(
            effects: "[{ remove: items, value: { parameter: text } }]",
            parameters: ["text": "b"],
            makes: ["items": .strings(["a"])]
        ),
        Case(effects: "[{ remove: items, value: { parameter: text } }]", makes: ["items": .strings(["a", "b"])]),
        Case(
            effects: "[{ append: items, value: c }, { remove: items, value: a }, { append: items, value: a }]",
            makes: ["items": .strings(["b", "c", "a"])]
        ),
        Case(effects: "[{ add: visits, value: 1 }]", makes: ["visits": .integer(1)]),
        Case(effects: "[{ add: visits, value: -3 }]", facts: ["visits": .integer(2)], makes: ["visits": .integer(-1)]),
        Case(
            effects: "[{ add: visits, value: { parameter: n } }]",
            parameters: ["n": "007"],
            makes: ["visits": .integer(7)]
        ),
        Case(
            effects: "[{ add: visits, value: { parameter: n } }, { add: visits, value: { fact: visits } }]",
            parameters: ["n": "4"],
            makes: ["visits": .integer(8)]
        ),
        Case(effects: "[{ add: weight, value: 3 }]", makes: ["weight": .number(5)]),
        Case(
            effects:
                "[{ add: visits, value: 1 }, { set: level, value: high, when: { fact: visits, greaterOrEqual: 3 } }]",
            facts: ["visits": .integer(2)],
            makes: ["visits": .integer(3), "level": .string("high")]
        ),
        Case(
            effects: "[{ set: level, value: high, when: { fact: visits, greater: { parameter: n } } }]",
            parameters: ["n": "1"],
            facts: ["visits": .integer(2)],
            makes: ["level": .string("high")]
        ),
        Case(
            effects:
                "[{ set: note, value: x }, { signOut, when: signedIn }, { set: level, value: out, when: { not: signedIn } }]",
            makes: ["level": .string("out"), "items": .strings(["a", "b"])]
        ),
        Case(
            effects: "[{ remove: items, value: a }, { remove: items, value: b }, "
                + "{ set: level, value: empty, when: { not: { present: items } } }]",
            makes: ["items": .strings([]), "level": .string("empty")]
        ),
        Case(
            effects: "[{ reset: items }, { set: level, value: full, when: { fact: items, contains: a } }]",
            facts: ["items": .strings(["z"])],
            makes: ["items": .strings(["a", "b"]), "level": .string("full")]
        ),
    ]

    @Test("on the session are committed once, each as those before it leave the facts", arguments: cases)
    func commits(_ example: Case) async throws {
        let test = try Self.host(example.effects)
        try await test.host.session.signIn(user: "anna", facts: example.facts)
        let before = Self.facts(test)
        let commits = test.records(of: .sessionCommitted).count
        #expect(try await test.tap("tapped", example.parameters).outcome == .delivered)
        for (fact, value) in example.makes { #expect(Self.facts(test)[fact] == value, "\(fact)") }
        let isChanged = Self.facts(test) != before
        #expect(test.records(of: .sessionCommitted).count == commits + (isChanged ? 1 : 0))
    }

    @Test("refuse a sum that an integer cannot have, with everything else")
    func overflow() async throws {
        for (start, amount) in [(Int.max, "1"), (Int.min, "-1"), (-2, "\(Int.min)")] {
            let test = try Self.host("[{ set: note, value: x }, { add: visits, value: { parameter: n } }]")
            try await test.host.session.commit(set: ["visits": .integer(start)])
            let receipt = try await test.tap("tapped", ["n": amount])
            #expect(receipt.outcome == .rejected(reason: "invalidFact: visits"), "\(start) \(amount)")
            #expect(Self.facts(test)["visits"] == .integer(start) && Self.facts(test)["note"] == nil)
        }
    }

    @Test("lose no increment when windows count at the same time")
    func counting() async throws {
        let test = try Self.host("[{ add: visits, value: 1 }, { append: items, value: c }]")
        for _ in 0..<60 {
            for window in ["A", "B"] { _ = try test.admit(.intent(Intent(name: "tapped")), in: window) }
        }
        await test.host.quiesce()
        #expect(Self.facts(test)["visits"] == .integer(120))
        #expect(Self.facts(test)["items"] == .strings(["a", "b", "c"]))
    }

    @Test("move the flow as conditions say", arguments: [(0, "start › second"), (1, "start"), (5, "")])
    func steps(visits: Int, screens: String) async throws {
        let test = try Self.host(
            """
            [{ push: second, when: { fact: visits, less: 1 } }, { cancel, when: { fact: visits, greater: { parameter: n } } }]
            """
        )
        try await test.host.session.commit(set: ["visits": .integer(visits)])
        try await test.open("counting://own")
        try await test.tap("stepped", ["n": "3"])
        #expect(try test.shown() == (screens.isEmpty ? "home" : "home › visit[\(screens)]"))
    }

    static let moves: [(move: String, shown: String, outcome: Outcome)] = [
        ("back", "start › second › third", .applied), ("{ pop: 1 }", "start › second › third", .applied),
        ("{ pop: 2 }", "start › second", .applied), ("{ pop: 3, animated: false }", "start", .applied),
        ("{ pop: 4 }", "start", .applied),
        ("{ popTo: second }", "start › second", .applied), ("{ popTo: start, animated: false }", "start", .applied),
        ("{ popTo: fourth }", "start › second › third › second", .delivered),
        ("popToRoot", "start", .applied), ("{ popToRoot, animated: false }", "start", .applied),
        ("{ replace: fourth, animated: false }", "start › second › third › fourth", .applied),
        ("{ push: fourth }, { pop: 2 }", "start › second › third", .applied),
        ("{ popToRoot, when: signedIn }", "start › second › third › second", .delivered),
    ]

    @Test("move the flow back by so many screens, to a screen or to its first", arguments: moves)
    func goesBack(move: String, shown: String, outcome: Outcome) async throws {
        let test = try Self.host(
            "[{ push: second }, { push: third, animated: false }, { push: second }]",
            further: move
        )
        try await test.open("counting://own")
        #expect(try await test.tap("stepped", ["n": "1"]).outcome == .applied)
        #expect(try test.shown() == "home › visit[start › second › third › second]")
        #expect(try await test.tap("further").outcome == outcome)
        #expect(try test.shown() == "home › visit[\(shown)]")
    }

    @Test(
        "start the flow by what holds when it is shown, and with its first screen if nothing does or it may not be shown",
        arguments: [(0, "start"), (3, "third"), (5, "fourth"), (9, "start")]
    )
    func start(visits: Int, screen: String) async throws {
        let start = """
            [{ when: { fact: visits, greater: 8 }, screen: closed }, { when: { fact: visits, greater: 4 }, screen: fourth },
            { when: { fact: visits, greater: 2 }, screen: third }]
            """
        for isRoot in [false, true] {
            let test = try Self.host(
                "[]",
                start: start,
                edit: { manifest in
                    guard isRoot else { return }
                    manifest.roots = [
                        RootDeclaration(flow: "visit", when: .compare(fact: "level", .equal, .value(.string("in"))))
                    ]
                }
            )
            var facts: [String: FactValue] = ["visits": .integer(visits)]
            if isRoot { facts["level"] = .string("in") }
            try await test.host.session.commit(set: facts)
            if !isRoot { try await test.open("counting://own") }
            await test.host.quiesce()
            #expect(try test.shown() == (isRoot ? screen : "home › visit[\(screen)]"))
        }
    }

    static let given: [(effect: String, shown: String, outcome: Outcome)] = [
        ("{ push: form }", "start › form(n: 5)", .applied),
        ("{ push: form, parameters: { id: a, n: 7 } }", "start › form(id: a, n: 7)", .applied),
        (
            "{ push: form, parameters: { id: { parameter: text }, n: { parameter: n } } }",
            "start › form(id: x y, n: 4)", .applied
        ),
        ("{ replace: form, parameters: { n: { fact: visits } } }", "form(n: 3)", .applied),
        (
            "{ add: visits, value: 1 }, { push: form, parameters: { n: { fact: visits } } }", "start › form(n: 4)",
            .applied
        ),
        ("{ push: form, parameters: { id: { fact: note } } }", "start › form(n: 5)", .applied),
        (
            "{ add: visits, value: -3 }, { push: form, parameters: { n: { fact: visits } } }", "start",
            .rejected(reason: "intentFailed")
        ),
        ("{ push: shared, parameters: { id: a, from: b } }", "start", .rejected(reason: "signedIn")),
    ]

    @Test("give a screen of the flow what it declares", arguments: given)
    func parameters(effect: String, shown: String, outcome: Outcome) async throws {
        let test = try Self.host("[]", further: effect)
        try await test.host.session.commit(set: ["visits": .integer(3)])
        try await test.open("counting://own")
        #expect(try await test.tap("further", ["n": "4", "text": "x y"]).outcome == outcome)
        #expect(try test.shown() == "home › visit[\(shown)]")
        if outcome == .rejected(reason: "intentFailed") {
            #expect(Self.facts(test)["visits"] == .integer(3), "nothing is done")
        }
    }

    @Test("hand on to the flow's first screen what the link has that waits for it")
    func handingOn() async throws {
        let test = try Self.host("[]", start: "[{ when: always, screen: form }]")
        let link = try test.admit("counting://shared/a1?from=mail")
        #expect(await test.host.receipt(of: link).outcome == .gated(precondition: "signedIn"))
        #expect(try test.shown() == "home › visit[form(id: a1, n: 5)]")
        // What waits later changes nothing.
        try await test.open("counting://shared/b2?from=mail")
        #expect(try test.shown() == "home › visit[form(id: a1, n: 5)]")
        try await test.act(.gesture(.dismiss))
        try await test.open("counting://own")
        #expect(try test.shown() == "home › visit[form(n: 5)]")
        try await test.tap("done", ["who": "anna"])
        #expect(try test.shown() == "home › own")
    }

    @Test("of a completion are judged by what the flow has reported", arguments: ["anna", "bert"])
    func completion(user: String) async throws {
        let test = try Self.host(
            "[]",
            completion: """
                [{ add: visits, value: 1, when: signedIn }, { set: note, value: again, when: { fact: visits, greater: 1 } }]
                """
        )
        try await test.host.session.commit(set: ["visits": .integer(user == "anna" ? 1 : 0)])
        try await test.open("counting://own")
        try await test.tap("done", ["who": user])
        #expect(Self.facts(test)["visits"] == .integer(user == "anna" ? 2 : 1))
        #expect(Self.facts(test)["note"] == (user == "anna" ? .string("again") : nil))
        #expect(try test.shown() == "home › own")
    }
}

/// What coordinators in Swift can ask of the session.
@Suite("Changes of the session")
struct SessionChangeTests {
    static let changes: [(change: SessionChange, fact: String, value: FactValue?, reason: String?)] = [
        (.remove(fact: "cart", "p1"), "cart", .strings(["p2"]), nil),
        (.remove(fact: "cart", "p9"), "cart", .strings(["p1", "p2"]), nil),
        (.remove(fact: "carts", "p1"), "carts", nil, "not declared"),
        (.remove(fact: "order", "p1"), "order", nil, "expected a string, found a list of strings"),
        (.add(fact: "count", 2), "count", .integer(2), nil),
        (.add(fact: "weight", -2), "weight", .number(-0.5), nil),
        (.add(fact: "cart", 1), "cart", nil, "found a list of strings"),
        (.add(fact: "counts", 1), "counts", nil, "not declared"),
    ]

    @Test("remove from lists and add to counters, and say why they cannot", arguments: changes)
    func makes(change: SessionChange, fact: String, value: FactValue?, reason: String?) async throws {
        let test = try TestHost { manifest in
            manifest.facts.append(FactDeclaration(name: "count", type: .integer))
            manifest.facts.append(FactDeclaration(name: "weight", type: .number, defaultValue: .number(1.5)))
        }
        let session = test.host.session
        try await session.commit(set: ["cart": .strings(["p1", "p2"])])
        do {
            let snapshot = try await session.apply([change], origin: CommitOrigin())
            #expect(reason == nil && snapshot?.facts[fact] == value)
        } catch SessionError.invalidFact(let named, let found) {
            let reason = try #require(reason)
            #expect(named == fact && found.contains(reason), "\(found)")
        }
    }
}
