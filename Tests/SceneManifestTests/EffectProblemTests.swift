import SceneManifest
import SceneRouting
import StrictJSON
import Testing

@Suite("What is wrong with the effects in a manifest")
struct EffectProblemTests {
    private static let head = """
        name: App
        schemes: [app]
        facts: { count: { type: integer }, weight: { type: number }, list: { type: strings }, text: { type: string } }
        tabs: { home: home }
        destinations: { home: { tab: home, routes: ["app://home"] }, item: { ancestry: [home], parameters: { id: string, m: string }, routes: ["app://item/{id}?m={m}"] } }
        flows:
          flow:
            screens: [first, second]
            completion: [COMPLETION]
            intents:
              stepped:
                parameters: { n: { type: integer }, who: { type: string } }
                effects: [STEP]
        intents:
          tapped:
            parameters: { n: { type: integer }, who: { type: string } }
            effects: [TAP]

        """

    private static func text(completion: String = "", step: String = "", tap: String = "") -> String {
        head.replacing("COMPLETION", with: completion).replacing("STEP", with: step).replacing("TAP", with: tap)
    }

    static let right = [
        "{ remove: list, value: a }", "{ remove: list, value: { parameter: who } }", "{ add: count, value: 1 }",
        "{ add: weight, value: -1 }", "{ add: count, value: { parameter: n } }",
        "{ add: weight, value: { fact: count } }",
        "{ signOut, when: signedIn }", "{ markStale: , when: { fact: count, less: { parameter: n } } }",
        "{ set: text, value: a, when: { period: { until: 2030-01-01 } } }",
        "{ openWindow: home }",
        "{ openWindow: item, parameters: { id: a, m: { parameter: who } }, configuration: default }",
        "closeWindow", "{ closeWindow, when: signedIn }", "{ closeWindow: home, when: signedIn }",
        "{ closeWindow: item, parameters: { id: a, m: { parameter: who } } }",
        "refreshWindow", "{ refreshWindow, when: signedIn }", "{ refreshWindow: home }",
        "{ refreshWindow: item, parameters: { id: a, m: { parameter: who } }, when: signedIn }",
        "{ reset: list, when: { all: [{ present: list }, { not: { fact: list, contains: { parameter: who } } }] } }",
    ]

    @Test("is nothing if they are right, and they are written as they were read", arguments: right)
    func none(effect: String) throws {
        let text = Self.text(tap: effect)
        #expect(AppManifest.problems(in: text).filter { $0.severity == .error } == [])
        let manifest = try AppManifest.read(text).manifest
        #expect(manifest.intents[0].effects.count == 1)
        #expect(try AppManifest.read(JSONValue.object(manifest.json).text()).manifest == manifest)
    }

    static let wrongMoves: [(effect: String, key: String, says: String)] = [
        ("{ pop: 0 }", ".pop", "a flow cannot go back by 0 screens; expected 1 to 99, and fewer than the flow shows"),
        ("{ pop: -1 }", ".pop", "a flow cannot go back by -1 screens"),
        ("{ pop: 100 }", ".pop", "a flow cannot go back by 100 screens"),
        ("{ pop: second }", ".pop", "is text; expected an integer"),
        (
            "{ popTo: secnd }", "",
            "there is no screen of flow 'secnd'; expected one of first, second; did you mean 'second'?"
        ),
        ("{ push: third }", "", "there is no screen of flow 'third'"),
        ("{ popToRoot: first }", ".popToRoot", "'popToRoot' cannot have a value; expected 'popToRoot' alone"),
        ("{ push: second, animated: maybe }", ".animated", "is text; expected true or false"),
        (
            "{ complete, animated: false }", ".animated",
            "'animated' cannot be combined with 'complete'; expected 'animated' with push"
        ),
        ("{ pop: 1, push: second }", "", "an effect must do exactly one thing"),
        ("popToRot", "", "did you mean 'popToRoot'?"),
        ("{ start: flw }", ".start", "there is no flow 'flw'; expected one of flow; did you mean 'flow'?"),
        ("{ start: flow }", ".start", "'flow' is on screen already when it starts itself; expected another flow"),
        (
            "{ start: flow, parameters: { id: a } }", ".parameters.id",
            "there is no parameter of a screen with which flow starts 'id'"
        ),
        (
            "{ openWindow: hme }", ".openWindow",
            "there is no destination 'hme'; expected one of home, item; did you mean 'home'?"
        ),
        (
            "{ openWindow: item, parameters: { id: a } }", ".openWindow",
            "'item' needs the parameter 'm'; expected a value for it"
        ),
        (
            "{ openWindow: home, configuration: defalt }", ".configuration",
            "there is no configuration 'defalt'; expected one of default; did you mean 'default'?"
        ),
        (
            "{ route: home, configuration: default }", ".configuration",
            "'configuration' cannot be combined with 'route'"
        ),
        (
            "{ closeWindow: hme }", ".closeWindow",
            "there is no destination 'hme'; expected one of home, item; did you mean 'home'?"
        ),
        (
            "{ refreshWindow: hme }", ".refreshWindow",
            "there is no destination 'hme'; expected one of home, item; did you mean 'home'?"
        ),
        (
            "{ closeWindow: item, parameters: { id: a } }", ".closeWindow",
            "'item' needs the parameter 'm'; expected a value for it"
        ),
        (
            "{ refreshWindow: item, parameters: { id: a, m: b, k: c } }", ".parameters.k",
            "there is no parameter of item 'k'"
        ),
        (
            "{ closeWindow, parameters: { id: a } }", ".parameters",
            "'parameters' say which window is meant, and there is no destination; expected { closeWindow: DESTINATION, parameters: … }"
        ),
        ("{ refreshWindow: [home] }", ".refreshWindow", "expected text"),
        (
            "{ closeWindow: home, configuration: default }", ".configuration",
            "'configuration' cannot be combined with 'closeWindow'"
        ),
        ("closeWindw", "", "did you mean 'closeWindow'?"), ("refreshWindows", "", "did you mean 'refreshWindow'?"),
        ("{ complete: { result: { id: a } } }", ".complete.result.id", "there is no result of flow 'id'"),
    ]

    @Test("is said of moves", arguments: wrongMoves)
    func moves(effect: String, key: String, says: String) {
        let problems = AppManifest.problems(in: Self.text(step: effect)).filter { $0.severity == .error }
        let at = "flows.flow.intents.stepped.effects[0]" + key
        #expect(problems.contains { $0.key == at && "\($0)".contains(says) && $0.line == 13 }, "\(problems)")
    }

    private static let flows = """
        name: App
        schemes: [app]
        tabs: { home: home }
        destinations: { home: { tab: home, routes: ["app://home"] } }
        facts: { count: { type: integer } }
        flows:
          one:
            screens: [first, second]
            intents: { go: { effects: [ONE] } }
            after: { two: { completed: [AFTER] } }
          two: { screens: [third], intents: { go: { effects: [TWO] } } }
          three: { screens: [fourth], intents: { go: { effects: [THREE] } } }

        """

    private static func problems(
        one: String = "{ start: two }",
        after: String = "",
        two: String = "complete",
        three: String = "complete"
    ) -> [String] {
        let text = flows.replacing("ONE", with: one).replacing("AFTER", with: after).replacing("TWO", with: two)
            .replacing("THREE", with: three)
        return AppManifest.problems(in: text, file: "app.yaml").filter(Self.isOfEffects).map(\.description)
    }

    /// Whether it is no warning of a screen that no effect shows, of a flow that nothing shows or ends, or of a fact that nothing uses:
    /// most of these apps have one.
    private static func isOfEffects(_ problem: ManifestProblem) -> Bool {
        !problem.message.hasPrefix("nothing ") && !problem.message.hasPrefix("no screen that ")
    }

    static let ordered: [(one: String, after: String, says: String)] = [
        (
            "{ start: two }, { start: three }", "",
            "app.yaml:9:50: error: flows.one.intents.go.effects[1].start: 'three' cannot start, because effect [0] has started another flow, which is in front then; expected one flow started, or each with a 'when' that excludes the other"
        ),
        (
            "{ start: two }, { start: three, when: { fact: count, less: 3 } }", "",
            "error: flows.one.intents.go.effects[1].start: 'three' cannot start"
        ),
        (
            "{ start: two, when: { fact: count, less: 3 } }, { start: three, when: { fact: count, less: 3 } }", "",
            "error: flows.one.intents.go.effects[1].start: 'three' cannot start"
        ),
        (
            "{ start: two }", "{ start: three }, { start: two }",
            "error: flows.one.after.two.completed[1].start: 'two' cannot start"
        ),
        (
            "{ start: two, when: signedIn }, complete, { push: second }", "",
            "app.yaml:9:74: warning: flows.one.intents.go.effects[2]: nobody sees this move, because effect [1] ends 'one'; expected the end without it, or it without the end"
        ),
        (
            "{ start: two, when: signedIn }, cancel, complete", "",
            "warning: flows.one.intents.go.effects[2]: this end never counts, because effect [1] ends 'one'; expected one end, or each with its own 'when'"
        ),
        (
            "{ start: two }", "complete, { start: three }",
            "warning: flows.one.after.two.completed[1]: nobody sees this move, because effect [0] ends 'one'"
        ),
    ]

    @Test("is said of effects that come too late in their list", arguments: ordered)
    func order(one: String, after: String, says: String) {
        let problems = Self.problems(one: one, after: after)
        #expect(problems.count == 1 && problems[0].contains(says), "\(problems)")
    }

    @Test(
        "is nothing where a condition may exclude the other",
        arguments: [
            "{ start: two, when: { fact: count, less: 3 } }, { start: three }",
            "{ start: two, when: signedIn }, { complete, when: signedIn }, { push: second }",
            "{ push: second, when: signedIn }, { start: two }",
        ]
    )
    func mayExclude(one: String) { #expect(Self.problems(one: one) == []) }

    @Test("is said of flows that start each other in a circle")
    func circle() {
        let circle =
            "→ two → three → one, and 'one' cannot start while it is on screen; expected a flow that is not below this one"
        #expect(
            Self.problems(two: "{ start: three }", three: "{ start: one }") == [
                "app.yaml:12:60: warning: flows.three.intents.go.effects[0].start: the flows start each other in a circle, one \(circle)"
            ]
        )
        #expect(Self.problems(two: "{ start: three }") == [])
    }

    @Test("names the place in the file of an effect, also behind one that could not be read")
    func behindOneLeftOut() {
        let problems = Self.problems(one: "{ pop: many }, { start: two }, { push: thrd }")
        #expect(
            problems.contains {
                $0.hasPrefix("app.yaml:9:")
                    && $0.contains("flows.one.intents.go.effects[2]: there is no screen of one 'thrd'")
            },
            "\(problems)"
        )
    }

    static let wrongStarts: [(start: String, key: String, says: String)] = [
        (
            "{ when: signedIn, screen: secnd }", "[0].screen",
            "there is no screen of flow 'secnd'; expected one of first, second; did you mean 'second'?"
        ),
        ("{ when: signedIn }", "[0]", "'screen' is missing"), ("{ screen: second }", "[0]", "'when' is missing"),
        ("{ when: { present: txt }, screen: second }", "[0].when.present", "there is no fact 'txt'"),
        (
            "{ when: { fact: count, less: { parameter: n } }, screen: second }", "[0].when",
            "can look at parameters; expected a value"
        ),
        ("{ if: signedIn, screen: second }", "[0].if", "'if' is not allowed here; expected one of when, screen"),
        ("second", "[0]", "is text; expected a mapping"),
    ]

    @Test("is said of how a flow starts", arguments: wrongStarts)
    func starts(start: String, key: String, says: String) {
        let text = Self.text().replacing("    completion: []", with: "    start: [\(start)]")
        let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
        #expect(
            problems.contains { $0.key == "flows.flow.start" + key && "\($0)".contains(says) && $0.line == 9 },
            "\(problems)"
        )
    }

    static let wrongParameters: [(screens: String, effect: String, key: String, says: String)] = [
        ("", "{ push: item, parameters: { id: a } }", "intents.stepped.effects[0]", "'item' needs the parameter 'm'"),
        (
            "", "{ push: item, parameters: { n: a } }", "intents.stepped.effects[0].parameters.n",
            "there is no parameter of item 'n'"
        ),
        (
            "", "{ push: form, parameters: { m: 1 } }", "intents.stepped.effects[0].parameters.m",
            "there is no parameter of form 'm'; expected one of n"
        ),
        (
            "", "{ push: form }", "intents.stepped.effects[0]",
            "'form' needs the parameter 'n'; expected a value for it in 'parameters'"
        ),
        (
            "", "{ replace: form, parameters: { n: many } }", "intents.stepped.effects[0].parameters.n",
            "'many' is not allowed"
        ),
        (
            "", "{ push: form, parameters: { n: { parameter: m } } }",
            "intents.stepped.effects[0].parameters.n.parameter", "there is no parameter of the intent 'm'"
        ),
        (
            "", "{ push: first, parameters: { n: 1 } }", "intents.stepped.effects[0].parameters.n",
            "there is no parameter of first 'n'"
        ),
        (
            "", "{ popTo: form, parameters: { n: 1 } }", "intents.stepped.effects[0].parameters",
            "'parameters' cannot be combined with 'popTo'"
        ),
        (
            "{ id: home, parameters: { n: string } }", "back", "screens[0].parameters",
            "'home' is a destination, which declares its own parameters"
        ),
        (
            "{ id: zero, parameters: { n: string } }", "back", "screens[0].parameters.n",
            "the flow may start with 'zero', and nothing may wait"
        ),
        (
            "{ id: zero, parameters: { n: { type: integer, minimum: 2, maximum: 1 } } }", "back",
            "screens[0].parameters.n", "the minimum 2 is above the maximum 1"
        ),
        ("{ id: zero, parameter: {} }", "back", "screens[0].parameter", "did you mean 'parameters'?"),
    ]

    @Test("is said of the parameters of a flow's screens", arguments: wrongParameters)
    func parameters(screens: String, effect: String, key: String, says: String) {
        let all =
            (screens.isEmpty ? [] : [screens]) + [
                "first", "second", "{ id: form, parameters: { n: { type: integer } } }", "item",
            ]
        let text = Self.text(step: effect).replacing("[first, second]", with: "[\(all.joined(separator: ", "))]")
        let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
        let line = screens.isEmpty ? 13 : 8
        #expect(
            problems.contains { $0.key == "flows.flow.\(key)" && "\($0)".contains(says) && $0.line == line },
            "\(problems)"
        )
    }

    @Test(
        "is a move outside a flow",
        arguments: ["back", "{ pop: 2 }", "{ popTo: first }", "popToRoot", "{ push: first }"]
    )
    func outside(effect: String) {
        for text in [Self.text(tap: effect), Self.text(completion: effect)] {
            let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
            let says = "only an intent of a flow can move within the flow; expected 'route' to a destination"
            #expect(problems.count == 1 && "\(problems)".contains(says), "\(problems)")
        }
    }

    // MARK: - Values that can never be allowed

    /// Every way to give a value to a parameter `x`, in an app of which `TYPE` is its type and `VALUE` the value; of some, only a text.
    static let givers: [(name: String, texts: Bool, part: String)] = [
        ("route", false, "intents: { i: { effects: [{ route: place, parameters: { x: VALUE } }] } }"),
        ("openWindow", false, "intents: { i: { effects: [{ openWindow: place, parameters: { x: VALUE } }] } }"),
        ("closeWindow", false, "intents: { i: { effects: [{ closeWindow: place, parameters: { x: VALUE } }] } }"),
        ("refreshWindow", false, "intents: { i: { effects: [{ refreshWindow: place, parameters: { x: VALUE } }] } }"),
        ("push of a destination", false, step("{ push: place, parameters: { x: VALUE } }")),
        ("replace by a destination", false, step("{ replace: place, parameters: { x: VALUE } }")),
        ("push", false, step("{ push: form, parameters: { x: VALUE } }")),
        ("replace", false, step("{ replace: form, parameters: { x: VALUE } }")),
        ("start", false, step("{ start: other, parameters: { x: VALUE } }")),
        ("complete", false, step("{ complete: { result: { x: VALUE } } }")),
        ("an effect with a condition", false, step("{ route: place, parameters: { x: VALUE }, when: signedIn }")),
        ("a completion", false, flow("completion: [{ route: place, parameters: { x: VALUE } }]")),
        (
            "what follows another flow", false,
            flow("after: { other: { cancelled: [{ route: place, parameters: { x: VALUE } }] } }")
        ),
        ("an adapter", true, "adapters: [{ name: a, kinds: [push], destination: place, parameters: { x: VALUE } }]"),
        ("the fallback", true, "fallback: { destination: place, parameters: { x: VALUE } }"),
    ]

    private static func step(_ effect: String) -> String { flow("intents: { i: { effects: [\(effect)] } }") }

    private static func flow(_ rest: String) -> String {
        """
        flows:
          flow: { screens: [first, place, { id: form, parameters: { x: OPTIONAL } }], result: { x: OPTIONAL }, \(rest) }
          other: { screens: [{ id: zero, parameters: { x: OPTIONAL } }] }
        """
    }

    static let types: [(type: String, right: [String], wrong: [String])] = [
        (
            #"pattern: "[a-z]{1,12}""#, ["help", "{ fact: text }", "{ fact: flag }"],
            [#""9""#, "seventy-seven", #""""#, "{ fact: list }"]
        ),
        (
            "type: integer, minimum: 1, maximum: 5",
            [#""3""#, "{ fact: count }", "{ fact: text }", "{ fact: weight }"],
            [#""9""#, "help", "{ fact: list }", "{ fact: flag }"]
        ),
        (
            "oneOf: [a, b]", ["a", "{ fact: text }"],
            ["c", "{ fact: list }", "{ fact: count }", "{ fact: weight }", "{ fact: flag }"]
        ),
        ("oneOf: [a, \"7\", \"true\"]", ["a", "{ fact: count }", "{ fact: flag }"], ["c", "{ fact: list }"]),
        (
            "type: uuid", ["8f14e45f-ceea-467f-a0e6-3f3c5b7a1c2d", "{ fact: text }"],
            ["a", "{ fact: list }", "{ fact: count }", "{ fact: flag }"]
        ),
        ("type: string", ["a", "{ fact: text }", "{ fact: count }", "{ fact: flag }"], [#""""#, "{ fact: list }"]),
        ("type: integer, list: true", ["\"1,2\"", "{ fact: list }", "{ fact: count }"], ["a", "{ fact: flag }"]),
    ]

    @Test("is a value that a parameter can never allow, whatever gives it", arguments: givers)
    func values(name: String, texts: Bool, part: String) {
        for (type, right, wrong) in Self.types {
            for (value, isRight) in right.map({ ($0, true) }) + wrong.map({ ($0, false) }) {
                if texts, value.hasPrefix("{") { continue }
                let text = """
                    name: App
                    schemes: [app]
                    facts: { count: { type: integer }, weight: { type: number }, list: { type: strings }, text: { type: string }, flag: { type: boolean } }
                    tabs: { home: home }
                    destinations: { home: { tab: home }, place: { ancestry: [home], parameters: { x: OPTIONAL } } }
                    \(part)
                    """
                    .replacing("OPTIONAL", with: "{ \(type), optional: true }").replacing("VALUE", with: value)
                let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
                if isRight {
                    #expect(problems == [], "\(name) of \(value) to { \(type) }")
                } else {
                    let isThere = problems.first.map { $0.key.contains(".x") || $0.message.hasPrefix("x: ") } ?? false
                    let isSaid = problems.count == 1 && isThere
                    #expect(isSaid, "\(name) of \(value) to { \(type) }: \(problems)")
                }
            }
        }
    }

    static let sets: [(effect: String, isRight: Bool)] = [
        ("{ set: text, value: { fact: text } }", true), ("{ set: count, value: { fact: text } }", true),
        ("{ set: weight, value: { fact: count } }", true), ("{ set: list, value: { fact: list } }", true),
        ("{ set: text, value: { fact: list } }", false), ("{ set: list, value: { fact: count } }", false),
        ("{ set: count, value: { fact: weight } }", false), ("{ append: list, value: { fact: count } }", true),
        ("{ append: list, value: { fact: list } }", false), ("{ remove: list, value: { fact: list } }", false),
    ]

    @Test("is a fact of a type that another cannot take", arguments: sets)
    func facts(effect: String, isRight: Bool) {
        let problems = AppManifest.problems(in: Self.text(tap: effect)).filter { $0.severity == .error }
        #expect(
            isRight ? problems == [] : problems.map(\.key) == ["intents.tapped.effects[0].value.fact"],
            "\(problems)"
        )
    }

    static let wrong: [(effect: String, key: String, says: String)] = [
        (
            "{ remove: lits, value: a }", ".remove",
            "there is no fact 'lits'; expected one of count, weight, list, text; did you mean"
        ),
        ("{ remove: count, value: a }", ".remove", "'count' is of type integer; expected a fact of type strings"),
        ("{ remove: list }", "", "'value' is missing"),
        (
            "{ remove: list, value: { parameter: whom } }", ".value.parameter",
            "there is no parameter of the intent 'whom'"
        ),
        ("{ add: text, value: 1 }", ".add", "'text' is of type string; expected a fact of type integer or number"),
        ("{ add: count, value: many }", ".value", "is text; expected an integer"),
        ("{ add: count, value: 1.5 }", ".value", "is a number; expected an integer"),
        ("{ add: count, value: { parameter: who } }", ".value.parameter", "'who' is not always an integer"),
        ("{ add: count, value: { fact: weight } }", ".value.fact", "expected a fact of type integer"),
        ("{ add: count, value: { fact: wieght } }", ".value.fact", "did you mean 'weight'?"),
        ("{ ad: count, value: 1 }", ".ad", "did you mean 'add'?"),
        ("{ signOut: now }", ".signOut", "'signOut' cannot have a value"),
        (
            "{ reset: list, value: 1 }", ".value",
            "'value' cannot be combined with 'reset'; expected 'value' with set, append"
        ),
        ("{ when: signedIn }", "", "an effect must do exactly one thing"),
        ("{ signOut, when: singedIn }", ".when", "did you mean 'signedIn'?"),
        ("{ signOut, when: { present: txet } }", ".when.present", "did you mean 'text'?"),
        (
            "{ signOut, when: { fact: count, less: { parameter: m } } }", ".when",
            "there is no parameter of INTENT 'm'; expected one of n, who"
        ),
        ("{ signOut, when: freshSignIn }", ".when", "only a precondition can ask for freshSignIn"),
        ("{ signOut, when: { all: [{ fact: list, less: [a] }] } }", ".when.all[0]", "a list has no order"),
    ]

    @Test("is said with its key and its line, in an intent of the app, of a flow and in a completion", arguments: wrong)
    func problems(effect: String, key: String, says: String) {
        for (text, at, line, intent) in [
            (Self.text(tap: effect), "intents.tapped.effects[0]", 17, "tapped"),
            (Self.text(step: effect), "flows.flow.intents.stepped.effects[0]", 13, "stepped"),
        ] {
            let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
            let wanted = says.replacing("INTENT", with: intent)
            #expect(
                problems.contains {
                    $0.key == at + key && "\($0)".contains(wanted) && $0.line == line
                },
                "\(problems)"
            )
        }
        let problems = AppManifest.problems(in: Self.text(completion: effect)).filter { $0.severity == .error }
        #expect(
            !problems.isEmpty && problems.allSatisfy { $0.key.hasPrefix("flows.flow.completion[0]") && $0.line == 9 }
        )
    }

    @Test("a completion has no parameters at which a condition could look")
    func completion() {
        let text = Self.text(completion: "{ signOut, when: { fact: count, less: { parameter: n } } }")
        let problems = AppManifest.problems(in: text).map(\.description)
        #expect(
            problems == [
                "9:29: error: flows.flow.completion[0].when: only a destination's condition or precondition and an intent's "
                    + "effect can look at parameters; expected a value"
            ]
        )
    }

    @Test(
        "an answer says something that there is, and only to an intent",
        arguments: [
            ("{ answer: { count: { fact: count }, all: [a, b], n: { parameter: n } }, when: signedIn }", nil),
            ("{ answer: {} }", "intents.tapped.effects[0].answer: says nothing"),
            ("{ answer: { a: null } }", "answer.a: is nothing; expected a value"),
            ("{ answer: { a: { fact: nothing } } }", "answer.a.fact: there is no fact 'nothing'"),
            ("{ answer: { a: { parameter: nothing } } }", "answer.a.parameter: there is no parameter"),
            ("{ answer: yes }", "answer: is "), ("answer", "'answer' is not an effect"),
            ("{ answer: { a: 1 }, value: 2 }", "'value' cannot be combined with 'answer'"),
            ("{ answer: { a: 1 }, signOut }", "an effect must do exactly one thing"),
        ] as [(String, String?)]
    )
    func answers(effect: String, problem: String?) {
        let problems = AppManifest.problems(in: Self.text(tap: effect)).filter { $0.severity == .error }
        #expect(
            problem == nil ? problems.isEmpty : problems.contains { "\($0)".contains(problem ?? "") },
            "\(problems)"
        )
        let completion = AppManifest.problems(in: Self.text(completion: effect)).filter { $0.severity == .error }
        #expect(!completion.isEmpty)
    }

    @Test("facts of the user that are changed after signOut are warned of: the next user would get them")
    func afterSignOut() {
        func warnings(_ effects: String) -> [String] {
            AppManifest.problems(in: Self.text(step: effects, tap: effects)).filter(Self.isOfEffects).map { "\($0)" }
        }
        let all =
            "{ set: text, value: a }, { append: list, value: a }, { remove: list, value: a }, { add: count, value: 1 }"
        #expect(warnings("\(all), signOut").isEmpty)
        #expect(warnings("{ signOut, when: signedIn }, \(all)").isEmpty)
        let found = warnings(
            "signOut, \(all), { set: text, value: a, when: signedIn }, { reset: text }, { route: home }"
        )
        #expect(found.count == 10, "\(found)")
        #expect(
            found.allSatisfy { $0.contains("warning") && $0.contains("after 'signOut', for whoever signs in next") }
        )
        for place in ["intents.tapped.effects[1]", "flows.flow.intents.stepped.effects[5]"] {
            #expect(found.contains { $0.contains(place) }, "\(found)")
        }
    }

    @Test("an action in the background may have conditions, and still may not navigate")
    func background() {
        let category =
            "notificationCategories: { C: { actions: { A: { intent: tapped, parameters: { n: payload.n, who: payload.w } } } } }\n"
        #expect(
            AppManifest.problems(in: Self.text(tap: "{ signOut, when: signedIn }, { add: count, value: 1 }") + category)
                .filter(Self.isOfEffects)
                == []
        )
        let problems = AppManifest.problems(in: Self.text(tap: "{ route: home, when: signedIn }") + category)
        #expect(problems.contains { $0.message.contains("does more than change the session") }, "\(problems)")
    }
}
