import SceneManifest
import SceneRouting
import Testing

@Suite("Manifest problems")
struct ManifestProblemTests {
    /// A manifest without problems, which the tests then spoil.
    static let good = """
        name: Demo
        schemes: [demo]
        facts:
          cart: { type: strings, default: [] }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
        conditions:
          full: { holds: { present: cart }, reason: the cart is empty }
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          item:
            ancestry: [home]
            parameters: { id: { type: integer, minimum: 1 } }
            preconditions: [signedIn]
            conditions: [full]
            routes: ["demo://item/{id}"]
        flows:
          auth: { screens: [login] }

        """

    @Test(
        "a warning says that no window takes an event without an identifier",
        arguments: [
            ("{ main: { canActivate: { beginsWith: a } } }", true),
            ("{ main: { canActivate: false, prefers: true } }", true), ("{ main: {} }", false),
            ("{ a: { canActivate: { equals: a } }, b: { canActivate: true } }", false),
        ]
    )
    func takesNoneWithout(configurations: String, isSaid: Bool) {
        let text = """
            name: App
            schemes: [app]
            tabs: { home: home }
            destinations: { home: { tab: home, routes: ["app://home"] } }
            configurations: \(configurations)
            """
        let problems = AppManifest.problems(in: text).map(\.description)
        #expect(problems.isEmpty != isSaid, "\(problems)")
        let says = "5:1: warning: configurations: no window takes an event without a content identifier"
        #expect(problems.allSatisfy { $0.hasPrefix(says) }, "\(problems)")
    }

    /// What a part of a good manifest is written as, and all that is said of it: one mistake is one problem.
    static let slips: [(from: String, to: String, problem: String)] = [
        (
            "url: \"demo://home\"", "ulr: \"demo://home\"",
            "adapters[0].ulr: 'ulr' is not allowed here; expected one of name, priority, kinds, when, url, destination, parameters, "
                + "parametersFrom, handled, user; did you mean 'url'?"
        ),
        (
            "{ path: payload.kind, equals: a }", "{ pth: payload.kind, equals: a }",
            "adapters[0].when[0].pth: 'pth' is not allowed here; expected one of present, path, equals, oneOf, matches; did you mean 'path'?"
        ),
        (
            "{ path: payload.kind, equals: a }", "{ path: payload.kind, euqals: a }",
            "adapters[0].when[0].euqals: 'euqals' is not allowed here; expected one of present, path, equals, oneOf, matches; did you mean 'equals'?"
        ),
        (
            "{ path: payload.kind, equals: a }", "{ path: payload.kind, present: true }",
            "adapters[0].when[0]: a condition must be about exactly one field; expected { present: PATH } or { path: PATH, equals | oneOf | "
                + "matches: … }"
        ),
        ("{ route: home }", "{ rotue: home }", "intents.tapped.effects[0].rotue: 'rotue' is not allowed here"),
        (
            "holds: { present: cart }", "holds: { fact: cart, present: true }",
            "conditions.full.holds: 'present' cannot be combined with 'fact'; expected { present: cart }"
        ),
        (
            "holds: { present: cart }", "holds: { fact: cart, present: false }",
            "conditions.full.holds: 'present' cannot be combined with 'fact'; expected { not: { present: cart } }"
        ),
        (
            "holds: { present: cart }", "holds: { fact: cart, not: signedIn }",
            "conditions.full.holds: 'not' cannot be combined with 'fact'; expected { all: [{ fact: cart, … }, { not: … }] }"
        ),
        (
            "holds: { present: cart }", "holds: { fact: cart, euqals: [] }",
            "conditions.full.holds.euqals: 'euqals' is not allowed here"
        ),
        (
            "holds: { present: cart }", "holds: { persent: cart }",
            "conditions.full.holds.persent: 'persent' is not allowed here"
        ),
        (
            "holds: { present: cart }", "holds: { signedIn: true }",
            "conditions.full.holds: 'signedIn' stands for itself and has no value; expected signedIn"
        ),
        (
            "holds: { present: cart }", "holds: { signedIn: false }",
            "conditions.full.holds: 'signedIn' stands for itself and has no value; expected { not: signedIn }"
        ),
    ]

    @Test("are one for each mistake, which says what would be right", arguments: slips)
    func slip(from: String, to: String, problem: String) {
        let good =
            Self.good + """
                adapters:
                  - { name: bell, kinds: [push], when: [{ path: payload.kind, equals: a }], url: "demo://home" }
                intents: { tapped: { effects: [{ route: home }] } }

                """
        #expect(AppManifest.problems(in: good) == [])
        let text = good.replacing(from, with: to)
        let problems = AppManifest.problems(in: text).map(\.description)
        #expect(
            text != good && problems.count == 1 && problems.allSatisfy { $0.contains("error: \(problem)") },
            "\(problems)"
        )
    }

    @Test("are absent in a good manifest")
    func none() {
        #expect(AppManifest.problems(in: Self.good, file: "demo.yaml").map(\.description) == [])
    }

    @Test(
        "name a format that is newer than the program, and nothing else then",
        arguments: ["0", "6", "99999999999999999999", "two"]
    )
    func format(format: String) {
        func problems(_ format: String) -> [String] {
            AppManifest.problems(in: "format: \(format)\nnovelty: 1\n\(Self.good)", file: "demo.yaml").map(
                \.description
            )
        }
        let novelty = "demo.yaml:2:1: error: novelty: 'novelty' is not allowed here; expected one of format, "
        switch format {
        case "6":
            #expect(
                problems(format) == [
                    "demo.yaml:1:9: error: format: format 6 is not known here; expected a number from 1 to 5; a later one needs a later scened"
                ]
            )
        default:
            if format.count > 3 {
                #expect(problems(format)[0].contains("is an integer that takes more than 64 bits;") || format == "two")
            }
            #expect(problems(format).count == 2 && problems(format)[1].hasPrefix(novelty), "\(problems(format))")
        }
        for known in ["1", "2", "3", "4"] {
            #expect(problems(known).count == 1 && problems(known)[0].hasPrefix(novelty), "\(problems(known))")
        }
    }

    @Test("name a precondition, a root's flow or a condition that has the name of another of them")
    func sameName() {
        func problems(_ from: String, _ to: String) -> [String] {
            AppManifest.problems(in: Self.good.replacing(from, with: to), file: "demo.yaml").map(\.description)
        }
        #expect(
            problems("full", "signedIn") == [
                "demo.yaml:8:3: error: conditions.signedIn: a precondition has the name 'signedIn', too; expected another name"
            ]
        )
        let root = "roots: [{ flow: auth, when: { not: signedIn } }]\ntabs:"
        #expect(
            AppManifest.problems(
                in: Self.good.replacing("tabs:", with: root).replacing("full", with: "auth"),
                file: "demo.yaml"
            ).map(\.description).contains {
                $0.hasSuffix("conditions.auth: a root's flow has the name 'auth', too; expected another name")
            }
        )
    }

    static let spoilt: [(String, String, String)] = [
        (
            "preconditions: [signedIn]", "preconditions: [singedIn]",
            "demo.yaml:15:21: error: destinations.item.preconditions[0]: there is no precondition 'singedIn'; "
                + "expected one of signedIn; did you mean 'signedIn'?"
        ),
        (
            "ancestry: [home]", "ancestry: [hmoe]",
            "demo.yaml:13:16: error: destinations.item.ancestry[0]: there is no destination 'hmoe'; "
                + "expected one of home, item; did you mean 'home'?"
        ),
        (
            "    conditions: [full]", "    condition: [full]",
            "demo.yaml:16:5: error: destinations.item.condition: 'condition' is not allowed here; expected one of tab, ancestry, "
                + "presentation, flow, repeats, parameters, preconditions, conditions, variants, routes; did you mean 'conditions'?"
        ),
        (
            "present: cart", "present: crat",
            "demo.yaml:8:20: error: conditions.full.holds.present: there is no fact 'crat'; expected one of cart; "
                + "did you mean 'cart'?"
        ),
        (
            "type: strings", "type: string",
            "demo.yaml:4:34: error: facts.cart.default: is a list; expected a value of type string"
        ),
        (
            "minimum: 1", "minimum: one",
            "demo.yaml:14:49: error: destinations.item.parameters.id.minimum: is text; expected an integer"
        ),
        (
            "demo://item/{id}", "demo://item/{ident}",
            "demo.yaml:17:14: error: destinations.item.routes[0].pattern: there is no parameter of item 'ident'; "
                + "expected one of id"
        ),
        (
            "demo://item/{id}", "demo://item/{id",
            "demo.yaml:17:14: error: destinations.item.routes[0].pattern: 'demo://item/{id': '{' without '}' in '{id'"
        ),
        (
            "demo://item/{id}", "demos://item/{id}",
            "demo.yaml:17:14: error: destinations.item.routes[0].pattern: there is no scheme 'demos'; expected one of demo; "
                + "did you mean 'demo'?"
        ),
        (
            "holds: signedIn, flow: auth", "holds: signedIn, flow: oauth",
            "demo.yaml:6:32: error: preconditions.signedIn.flow: there is no flow 'oauth'; expected one of auth; "
                + "did you mean 'auth'?"
        ),
        (
            "holds: signedIn, flow: auth", "holds: signedIn",
            "demo.yaml:6:3: warning: preconditions.signedIn: no flow satisfies the precondition, so a destination that "
                + "waits for it may wait for ever; expected 'flow', or a condition instead"
        ),
        (
            "home: { tab: home, routes", "home: { tab: home, preconditions: [signedIn], routes",
            "demo.yaml:11:3: error: destinations.home: the root of a tab needs signedIn; expected no preconditions and no "
                + "conditions, so that the tab always has something to show"
        ),
        (
            "    routes: [\"demo://item/{id}\"]\n", "",
            "demo.yaml:12:3: warning: destinations.item: nothing leads to 'item'; "
                + "expected a route, an intent or an adapter"
        ),
        (
            "name: Demo\n", "name: Demo\nname: Again\n",
            "demo.yaml:2:1: error: the key 'name' appears twice; expected each key once"
        ),
        (
            "name: Demo\n", "name: [\n",
            "demo.yaml:3:1: error: a list or mapping in brackets is not closed; expected ',' or the closing bracket"
        ),
        (
            "name: Demo\n", "name: &n Demo\nversion: *n\n",
            "demo.yaml:2:10: error: anchors and aliases are not supported; "
                + "expected the value written out"
        ),
    ]

    @Test("have the place, the key, what would be right and what was probably meant", arguments: spoilt)
    func places(good: String, bad: String, problem: String) {
        let text = Self.good.replacing(good, with: bad, maxReplacements: 1)
        #expect(text != Self.good)
        #expect(AppManifest.problems(in: text, file: "demo.yaml").map(\.description).contains(problem))
    }

    @Test("include a warning for a cycle of ancestors, and an error for a destination in its own ancestry")
    func cycles() {
        func problems(_ first: String, _ second: String) -> [String] {
            AppManifest.problems(
                in: """
                    name: Demo
                    schemes: [demo]
                    tabs: { home: home }
                    destinations:
                      home: { tab: home, routes: ["demo://home"] }
                      one: { ancestry: [\(first)], routes: ["demo://one"] }
                      two: { ancestry: [\(second)], routes: ["demo://two"] }
                    """
            ).map(\.description)
        }
        #expect(problems("home", "home, one") == [])
        #expect(
            problems("home, two", "home, one") == [
                "6:27: warning: destinations.one.ancestry[1]: 'two' and 'one' are ancestors of each other; "
                    + "expected an ancestry without cycles",
                "7:27: warning: destinations.two.ancestry[1]: 'one' and 'two' are ancestors of each other; "
                    + "expected an ancestry without cycles",
            ]
        )
        #expect(
            problems("home, one", "home").contains(
                "6:27: error: destinations.one.ancestry[1]: 'one' is in its own ancestry; "
                    + "expected every ancestor once, without the destination"
            )
        )
    }

    @Test(
        "say what is wrong with a destination that is presented over whatever is shown",
        arguments: [
            (
                "{ ancestry: current }",
                "6:21: error: destinations.item.ancestry: 'item' is pushed, and only what is presented can be over whatever is "
                    + "shown; expected a 'presentation' such as 'sheet', or a list of destinations"
            ),
            (
                "{ ancestry: curent, presentation: sheet }",
                "6:21: error: destinations.item.ancestry: is neither a list nor 'current'; expected a list of destinations, or "
                    + "'current' for what is presented over whatever is shown"
            ),
            (
                "{ tab: home, ancestry: current }",
                "6:32: error: destinations.item.ancestry: the root of a tab cannot have an ancestry; expected no ancestry"
            ),
            (
                "{ ancestry: [home, over], presentation: sheet }",
                "6:28: error: destinations.item.ancestry[1]: 'over' is presented over whatever is shown, so nothing has a place "
                    + "above it; expected destinations that are not declared with 'ancestry: current'"
            ),
        ]
    )
    func overCurrent(declaration: String, problem: String) {
        let result = AppManifest.problems(
            in: """
                name: Demo
                schemes: [demo]
                tabs: { home: home }
                destinations:
                  home: { tab: home, routes: ["demo://home"] }
                  item: \(declaration)
                  over: { ancestry: current, presentation: sheet, routes: ["demo://over"] }
                """
        ).map(\.description)
        #expect(result.contains(problem), "\(result)")
    }

    @Test("are reported all at once, in the order of the file")
    func allAtOnce() {
        let text = Self.good.replacing("type: integer", with: "type: int").replacing("tab: home", with: "tab: hme")
            .replacing("[login]", with: "[]")
        let found = AppManifest.problems(in: text)
        #expect(found.count >= 3)
        #expect(found.map { $0.line ?? 0 } == found.map { $0.line ?? 0 }.sorted())
        #expect(throws: ManifestProblems(found)) { try AppManifest.read(text) }
    }

    static let suspicious: [([String], String)] = [
        (["demo://a/{id}", "demo://a/{other}"], "are equally specific, so this one can never match"),
        (["demo://a/{id}", "demo://a/{other}?x=1"], ""),
        (["demo://a", "demo://a?id={id?}"], "'demo://a' can never match: 'demo://a?id={id?}' takes all its URLs"),
        (["demo://a/{low}", "demo://a/{high}"], "are equally specific and take some of the same URLs"),
        (["demo://a/{low}", "demo://a/{digits}"], ""),
        (
            ["demo://a/{never}"],
            "'demo://a/{never}' can never match: 'never' must be text that matches a{0}, and nothing is"
        ),
        (["/a"], "'/a' can never match: the app has no associated domain"),
        // Behind what is wider, and more specific all the same: any text comes before '*', whatever follows.
        (
            ["demo://a/*", "demo://a/{id}"],
            "'demo://a/*' can never match: 'demo://a/{id}' of home is more specific and takes all its URLs"
        ),
        (["demo://a/{id}/{other}", "demo://a/*/b"], "'demo://a/*/b' can never match"),
        (["demo://a/{id}", "demo://a/*?x=1"], "'demo://a/*?x=1' can never match"),
        (["demo://a/{id}/**", "demo://a/*/{digits}/**"], ""),
        (["demo://a/*/**", "demo://a/{id}/**"], "'demo://a/*/**' can"),
        // The order in the file decides nothing: the more literal one comes first.
        (["demo://a/{id}", "demo://a/new"], ""), (["demo://a/*", "demo://a/new"], ""),
        (["demo://**", "demo://a/{id}"], ""),
        (["demo://a/{id}", "demo://a/{digits}"], ""), (["demo://a/{id}?x=1", "demo://a/*"], ""),
        (["demo://a/{digits}/*", "demo://a/*/b"], ""), (["demo://a/{id}/c", "demo://a/*/b"], ""),
        (["demo://a/{id}-x", "demo://a/*"], ""), (["demo://a/{id}#top", "demo://a/*"], ""),
    ]

    @Test("include warnings for routes that never match and for equally specific ones", arguments: suspicious)
    func warnings(patterns: [String], expected: String) {
        let text = """
            name: Demo
            schemes: [demo]
            tabs: { home: home }
            destinations:
              home:
                tab: home
                parameters:
                  id: { type: string, optional: true }
                  other: { type: string, optional: true }
                  low: { pattern: "[a-m]+", optional: true }
                  high: { pattern: "[m-z]+", optional: true }
                  digits: { pattern: "[0-9]+", optional: true }
                  never: { pattern: "a{0}", optional: true }
                routes: \(patterns)
            """
        let found = AppManifest.problems(in: text)
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        if expected.isEmpty {
            #expect(found == [])
        } else {
            #expect(found.contains { $0.description.contains(expected) }, "\(found)")
        }
    }

    @Test("have the places of a JSON file")
    func json() {
        let text = """
            {
              "name": "Demo \\ud83d\\ude00",
              "tabs": { "home": "home" },
              "destinations": {
                "home": { "tab": "home", "repeat": true }
              }
            }
            """
        #expect(
            AppManifest.problems(in: text, file: "demo.json").map(\.description) == [
                "demo.json:5:30: error: destinations.home.repeat: 'repeat' is not allowed here; expected one of tab, ancestry, "
                    + "presentation, flow, repeats, parameters, preconditions, conditions, variants, routes; did you mean 'repeats'?"
            ]
        )
    }

    static let hostileTexts: [String] = [
        "", "\n", "[]", "a", "null", "{", "\u{0}", "\u{FEFF}", "? a\n: b", "{[a]: b}", "%YAML 1.3\n---\na",
        "--- a\n--- b",
        String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 5000),
        String(repeating: "- ", count: 5000),
        "a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n*c : 1\n",
    ]

    @Test(
        "of a large manifest full of mistakes are found in reasonable time, and are not more than people read",
        .timeLimit(.minutes(15))
    )
    func large() {
        var text = "name: Large\nschemes: [demo]\ntabs: { home: home }\ndestinations:\n  home: { tab: home }\n"
        for index in 0..<3000 {
            text +=
                "  d\(index): { ancestry: [hme], conditions: [c\(index)], parameters: { p: { pattern: \"x{\(index % 900)}\" } }, "
            text += "routes: [\"demo://a/{q}\", \"demo://a/{p}\"] }\n"
        }
        text += "intents:\n"
        for index in 0..<3000 { text += "  i\(index): { screens: [s\(index)], effects: [{ route: r\(index) }] }\n" }
        let found = AppManifest.problems(in: text)
        #expect(found.count >= 500)
        #expect(found.count <= 1000)
    }

    @Test("are absent among five thousand good routes, found in reasonable time", .timeLimit(.minutes(15)))
    func manyRoutes() throws {
        var text = "name: Large\nschemes: [demo]\ntabs: { home: home }\ndestinations:\n  home: { tab: home }\n"
        for index in 0..<5000 {
            text += "  d\(index):\n    ancestry: [home]\n    parameters: { p: { pattern: \"[a-z]{1,8}\" } }\n"
            text += "    routes: [\"demo://area\(index % 50)/thing\(index)/{p}\"]\n"
        }
        let engine = try RoutingEngine(manifest: AppManifest.read(text).manifest)
        let match = try engine.match(url: "demo://area1/thing4051/abc", context: RoutingContext())
        #expect(match.request.destination == Destination(id: "d4051", parameters: ["p": "abc"]))
    }

    @Test(
        "say of everything that an app written in Swift declares when it is no name",
        arguments: ["", "a b", "é", "x\u{1B}[31m", String(repeating: "n", count: 129)]
    )
    func names(name: String) throws {
        var app = try AppManifest.builtInShop()
        app.facts.append(FactDeclaration(name: name, type: .boolean))
        app.destinations.append(DestinationDeclaration(id: name, ancestry: ["home"]))
        app.destinations[0].parameters.append(ParameterDeclaration(name: name, type: .string))
        app.configurations.append(SceneConfiguration(name: name))
        app.intents.append(IntentDeclaration(name: name, effects: []))
        app.flows.append(
            FlowDeclaration(
                name: name,
                screens: [FlowScreen(id: name)],
                intents: [IntentDeclaration(name: name, effects: [])]
            )
        )
        let found = app.problems().filter { $0.message.contains("expected 1 to 128") }
        #expect(
            Set(found.map(\.key)) == [
                "facts.\(name)", "destinations.\(name)", "destinations.\(app.destinations[0].id).parameters.\(name)",
                "configurations.\(name)", "intents.\(name)", "flows.\(name)", "flows.\(name).screens.\(name)",
                "flows.\(name).intents.\(name)",
            ]
        )
        #expect(throws: ManifestProblems.self) { try RoutingEngine(manifest: app) }
    }

    @Test("name what is no name once")
    func nameOnce() {
        let text = Self.good.replacing("  cart: {", with: "  \"a cart\": { type: boolean }\n  cart: {")
        let found = AppManifest.problems(in: text)
        #expect(found.count == 1 && found[0].key == "facts", "\(found)")
    }

    @Test("are the only effect of hostile text", arguments: hostileTexts)
    func hostileText(text: String) {
        let found = AppManifest.problems(in: text)
        #expect(found.contains { $0.severity == .error })
    }
}

@Suite("The apps that ship as examples")
struct ExampleAppTests {
    @Test("have no problem, not even a warning", arguments: ExampleApp.allCases)
    func hasNoProblem(example: ExampleApp) throws {
        #expect(AppManifest.problems(in: example.text).map(\.description) == [])
        _ = try RoutingEngine(manifest: example.manifest())
    }

    @Test("are found by their names; another name gets a suggestion")
    func names() {
        #expect(ExampleApp(rawValue: "bank") == .bank && ExampleApp(rawValue: "Bank") == nil)
        #expect(
            ExampleApp.unknown("bnak")
                == "There is no example 'bnak'. Did you mean 'bank'? The examples are shop, bank, club."
        )
        #expect(ExampleApp.unknown("tennis") == "There is no example 'tennis'. The examples are shop, bank, club.")
        #expect(ExampleApp.isName("bank") && !ExampleApp.isName("./bank") && !ExampleApp.isName("bank.yaml"))
    }
}
