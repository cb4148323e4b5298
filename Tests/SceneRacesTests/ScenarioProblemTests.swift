import SceneManifest
import SceneRaces
import SceneRouting
import SceneRuntime
import TestFixtures
import Testing

@Suite("Scenario problems")
struct ScenarioProblemTests {
    /// A scenario without problems, to be spoilt.
    static let good = """
        name: demo
        description: What could go wrong.
        windows: { A: {}, B: { configuration: detail } }
        session: { user: mina, facts: { cart: [p1] } }
        actors:
          link:
            - { openurl: "qcommerce://cart", scene: A, event: cart }
            - { tap: orders, scene: A }
          user:
            - { wait: [10, 20] }
            - read
            - { set: { paymentMethod: card }, basedOnRead: true, as: save }
            - sign-out
        expect:
          windows: { A: ["home › cart", "home › auth[login]"] }
          session: { user: null, facts: { cart: [] } }
          results: { cart: [applied in A, rejected inStock], save: done, link.2: ignored }

        """

    @Test("are none in a good scenario")
    func none() throws {
        let scenario = try Scenario.read(Self.good, file: "demo.yaml")
        #expect(scenario.actors.map(\.steps.count) == [2, 4])
    }

    @Test("are none in settings with a date and a version")
    func settings() throws {
        let text = Self.good.replacing(
            "actors:",
            with: "settings: { start: 2026-11-27T08:00Z, appVersion: 2.3.1 }\nactors:",
            maxReplacements: 1
        )
        let scenario = try Scenario.read(text, file: "demo.yaml")
        #expect(scenario.start == 1_795_766_400)
        #expect(scenario.settings.appVersion == "2.3.1")
    }

    @Test("name the right key, and its place, for one that is misspelt by one letter")
    func spelling() throws {
        var texts = [Self.good]
        for name in ShippedScenarios.names.prefix(12) { texts.append(try #require(ShippedScenarios.text(of: name))) }
        var seen: [String: Int] = [:]
        for text in texts {
            for key in Misspelling.Key.all(of: try AppManifest.json(of: text)) {
                let count = seen[key.name] ?? 0
                guard count < 2, Self.problem(in: key.replaced(by: "zzqxzz"), "zzqxzz", key) != nil else { continue }
                let slips = Misspelling.all(of: key.name)
                guard !slips.isEmpty else { continue }
                seen[key.name] = count + 1
                let slip = slips[(key.line + count * 7) % slips.count]
                let problem = Self.problem(in: key.replaced(by: slip), slip, key)
                let suggestion = problem?.suggestion ?? "none"
                #expect(
                    suggestion == key.name || Misspelling.areOneApart(slip, suggestion),
                    "\(slip) for \(key.name): \(problem.map { "\($0)" } ?? "no problem there")"
                )
            }
        }
        #expect(seen.count > 12, "\(seen)")
    }

    /// The problem about `word` in the place of the key.
    private static func problem(in text: String, _ word: String, _ key: Misspelling.Key) -> ManifestProblem? {
        do throws(ManifestProblems) {
            _ = try Scenario.read(text, readFile: { _ in "{}" })
            return nil
        } catch {
            return error.problems.first { problem in
                problem.line == key.line && problem.column == key.column && problem.message.contains("'\(word)'")
            }
        }
    }

    static let spoilt: [(String, String, String)] = [
        (
            "actors:", "settings: { start: tomorrow }\nactors:",
            "demo.yaml:5:20: error: settings.start: 'tomorrow' is no date; expected a date in UTC, such as 2026-11-27 or "
                + "2026-11-27T08:00:00Z"
        ),
        (
            "actors:", "settings: { appVersion: two }\nactors:",
            "demo.yaml:5:25: error: settings.appVersion: 'two' is no version of an app; expected 1 to 8 numbers between dots, "
                + "such as 2.10.1"
        ),
        (
            "scene: A, event", "scene: C, event",
            "demo.yaml:7:45: error: actors.link[0].scene: there is no window 'C'; expected one of A, B; "
                + "did you mean 'A'?"
        ),
        (
            "- { openurl:", "- { opneurl:",
            "demo.yaml:7:7: error: actors.link[0]: names no action; expected one of openurl, activity, push, widget, "
                + "shortcut, intent, tap, back, swipe, dismiss, finish, sign-in, sign-out, mark-stale, set, read, connect, "
                + "activate, disconnect, discard, reload, wait; did you mean 'openurl'?"
        ),
        (
            "tap: orders", "tap: order",
            "demo.yaml:8:14: error: actors.link[1].tap: there is no tab 'order'; expected one of home, orders, account; "
                + "did you mean 'orders'?"
        ),
        (
            "tap: orders", "swipe: up",
            "demo.yaml:8:16: error: actors.link[1].swipe: there is no swipe 'up'; expected one of back, down"
        ),
        (
            "wait: [10, 20]", "wait: [20, 10]",
            "demo.yaml:10:15: error: actors.user[0].wait: is not a range; expected milliseconds, or a minimum and a "
                + "maximum such as [10, 200]"
        ),
        (
            "    - read\n", "",
            "demo.yaml:11:7: error: actors.user[1].basedOnRead: the actor has read no revision on which to base the commit; "
                + "expected a step 'read' of user before it"
        ),
        (
            "paymentMethod: card", "paymentMehtod: card",
            "demo.yaml:12:16: error: actors.user[2].set.paymentMehtod: there is no fact 'paymentMehtod'; expected one of "
                + "cart, paymentMethod, order, review, unavailable, market, locale; did you mean 'paymentMethod'?"
        ),
        (
            "- sign-out", "- signout",
            "demo.yaml:13:7: error: actors.user[3]: 'signout' is not a step; expected sign-out, mark-stale, read, or a mapping such as "
                + "{ openurl: qcommerce://cart, scene: A }; did you mean 'sign-out'?"
        ),
        (
            "- sign-out", "- { reload: { open: [signdIn] } }",
            "demo.yaml:13:26: error: actors.user[3].reload.open[0]: there is no precondition 'signdIn'; expected one of "
                + "signedIn, paymentMethod, freshSignIn; did you mean 'signedIn'?"
        ),
        (
            "home › cart\"", "home › crat\"",
            "demo.yaml:15:18: error: expect.windows.A: there is no screen 'crat'; expected one of home, category, product, "
                + "promo, cart, checkout, orders, order, account, settings, deleteAccount, login, createAccount, emailVerification, "
                + "password, welcome, paymentForm; did you mean 'cart'?"
        ),
        (
            "save: done", "svae: done",
            "demo.yaml:17:54: error: expect.results.svae: there is no step or event 'svae'; expected one of cart, link.1, "
                + "link.2, save, user.1, user.2, user.4; did you mean 'save'?"
        ),
        (
            "save: done", "save: doen",
            "demo.yaml:17:60: error: expect.results.save: there is no outcome 'doen'; expected one of applied, unchanged, "
                + "delivered, ignored, rejected, superseded, abandoned, gated, duplicate, done, refused; "
                + "did you mean 'done'?"
        ),
        (
            "configuration: detail", "configuration: details",
            "demo.yaml:3:39: error: windows.B.configuration: there is no configuration 'details'; expected one of default, "
                + "detail; did you mean 'detail'?"
        ),
        (
            "qcommerce://cart", "qcommerce://nowhere",
            "demo.yaml:7:7: error: actors.link[0]: is refused in every order: no route takes qcommerce://nowhere; expected "
                + "an event that the app accepts, or 'results: { link.1: refused UnknownRoute }'"
        ),
        (
            "tap: orders, scene: A }", "tap: orders, scene: C }\n    - { connect: C }",
            "demo.yaml:8:7: error: actors.link[1]: the window 'C' cannot be open yet; expected a step 'connect: C' before it, "
                + "or the window in 'windows'"
        ),
        (
            "    - read\n", "    - { connect: \"bad name\" }\n    - read\n",
            "demo.yaml:11:18: error: actors.user[1].connect: \"bad name\" cannot be a window's name; expected 1 to 64 ASCII letters, "
                + "digits, '-', '_' or '.'"
        ),
        (
            "applied in A", "applied count",
            "demo.yaml:17:21: error: expect.results.cart: 'applied' has no reason, such as 'count'; expected 'applied', or "
                + "'applied in A' where a window takes it"
        ),
        (
            "rejected inStock", "rejected inStok",
            "demo.yaml:17:35: error: expect.results.cart: there is no reason 'inStok'; expected one of cartNotEmpty, inStock, "
        ),
        (
            "rejected inStock", "gated signedin",
            "demo.yaml:17:35: error: expect.results.cart: there is no precondition 'signedin'; expected one of "
        ),
        (
            "rejected inStock", "superseded by link.1",
            "demo.yaml:17:35: error: expect.results.cart: there is no event 'link.1'; expected one of cart, link.2; "
                + "did you mean 'link.2'?"
        ),
        (
            "rejected inStock", "superseded link.2",
            "demo.yaml:17:35: error: expect.results.cart: 'link.2' does not say by what; expected such as 'superseded by cart'"
        ),
        (
            "rejected inStock", "abandoned userleft",
            "demo.yaml:17:35: error: expect.results.cart: there is no reason 'userleft'; expected one of attemptsInterrupted, "
                + "flowCancelled, sceneDiscarded, shutdown, userLeft; did you mean 'userLeft'?"
        ),
        (
            "rejected inStock", "refused QueueFul",
            "demo.yaml:17:35: error: expect.results.cart: there is no error 'QueueFul'; expected one of "
        ),
        (
            "rejected inStock", "'rejected invalidFact: crat'",
            "demo.yaml:17:35: error: expect.results.cart: there is no fact 'crat'; expected one of cart, "
        ),
        (
            "save: done", "save: applied",
            "demo.yaml:17:60: error: expect.results.save: save cannot be 'applied'; expected one of done, refused"
        ),
        (
            "rejected inStock", "ignored",
            "demo.yaml:17:35: error: expect.results.cart: an event of link.1 cannot be 'ignored'; expected one of applied, "
        ),
        (
            "link.2: ignored", "link.2: ignored inTransit",
            "expect.results.link.2: there is no reason 'inTransit'; expected one of "
        ),
        (
            "home › cart\"", "home › cart)\"", " is not a window: "
        ),
        (
            "home › cart\"", "home › product(id: p1\"", " is not a window: "
        ),
        (
            "home › cart\"", "home › product(id)\"", " is not a window: "
        ),
        (
            "home › cart\"", "home › product(di: p1)\"",
            "demo.yaml:15:18: error: expect.windows.A: 'product' has no parameter 'di'; expected one of "
        ),
        (
            "home › cart\"", "home › product(id: tea)\"",
            "demo.yaml:15:18: error: expect.windows.A: no window shows 'product(id: tea)': "
        ),
        (
            "home › cart\"", "home › cart(id: p1)\"",
            "demo.yaml:15:18: error: expect.windows.A: 'cart' has no parameter 'id'; expected 'cart'"
        ),
        (
            "home › cart\"", "cart\"",
            "demo.yaml:15:18: error: expect.windows.A: no window has 'cart' at the bottom; expected one of home, orders, account"
        ),
        (
            "auth[login]", "[login]",
            "error: expect.windows.A: 'login' is presented only by its flow; expected 'auth[login]'"
        ),
        (
            "[\"home › cart\", \"home › auth[login]\"]", "[]",
            "demo.yaml:15:17: error: expect.windows.A: the list is empty, so that nothing is allowed; expected one text or more"
        ),
        (
            "[applied in A, rejected inStock]", "[]",
            "demo.yaml:17:20: error: expect.results.cart: the list is empty, so that nothing is allowed; expected one text or more"
        ),
        (
            "auth[login]", "auth[paymentForm]",
            "error: expect.windows.A: the flow 'auth' has no screen 'paymentForm'; expected one of login, "
        ),
        (
            "name: demo\n", "",
            "demo.yaml:1:1: error: name: 'name' is missing; expected a member 'name'"
        ),
    ]

    @Test("name the place, the key, what was expected and what was probably meant", arguments: spoilt)
    func places(good: String, bad: String, problem: String) throws {
        let text = Self.good.replacing(good, with: bad, maxReplacements: 1)
        #expect(text != Self.good)
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
        #expect(
            error?.problems.contains { $0.description.contains(problem) } ?? false,
            "\(error?.description ?? "")"
        )
    }

    /// A set that is a step, what is expected of it, and what is wrong with that.
    static let ofSets: [(results: String, problem: String?)] = [
        ("mail: done", nil), ("mail: duplicate", nil), ("mail: refused QueueFull", nil), ("mail/1: applied", nil),
        (
            "mail: applied",
            "mail cannot be 'applied'; expected done, duplicate, refused, or the results of its events, such as 'mail/1'"
        ),
        ("mail/1: done", "an event of mail cannot be 'done'; expected one of applied, "),
        ("mail/3: applied", "there is no step or event 'mail/3'"),
    ]

    @Test("are said of results that a set of URLs cannot have", arguments: ofSets)
    func sets(results: String, problem: String?) throws {
        let text = """
            name: demo
            description: Two links at once.
            windows: { A: {} }
            actors: { mail: [{ openurl: ["qcommerce://cart", "qcommerce://orders"], scene: A, as: mail }] }
            expect: { results: { \(results) } }

            """
        guard let problem else { return _ = try Scenario.read(text, file: "demo.yaml") }
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
        #expect(error?.problems.first?.description.contains(problem) ?? false, "\(error?.description ?? "")")
    }

    /// An intent, the answer that is expected of it, and what is wrong with that.
    static let ofAnswers: [(answers: String, problem: String?)] = [
        ("asked: { free: true }", nil), ("asked: null", nil), ("told: null", nil),
        ("asked: { fre: true }", "there is no answer 'fre'; expected one of free; did you mean 'free'?"),
        ("told: { free: true }", "the intent 'told' answers nothing; expected null"),
        ("link: { free: true }", "two.1 is no intent, and only an intent is answered; expected null"),
    ]

    @Test("are said of answers that nothing gives", arguments: ofAnswers)
    func answers(answers: String, problem: String?) throws {
        let app = """
            name: App
            schemes: [app]
            facts: { count: { type: integer } }
            tabs: { home: home }
            destinations: { home: { tab: home, routes: ["app://home"] } }
            intents:
              asked: { effects: [{ answer: { free: true } }] }
              told: { effects: [{ set: count, value: 1 }] }

            """
        let text = """
            name: demo
            description: Somebody asks.
            app: app.yaml
            windows: { A: {} }
            actors:
              one: [{ intent: asked, scene: A, event: asked }, { intent: told, scene: A, event: told }]
              two: [{ openurl: "app://home", scene: A, event: link }]
            expect: { answers: { \(answers) } }

            """
        func read() throws -> Scenario { try Scenario.read(text, file: "demo.yaml") { _ in app } }
        guard let problem else { return _ = try read() }
        let error = #expect(throws: ManifestProblems.self) { try read() }
        #expect(error?.problems.first?.description.contains(problem) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "are said of an end that says nothing, and of a fact without a value that always has one",
        arguments: [
            ("[{ results: { link: applied } }, {}]", "expect[1]: nothing is expected, so that every end is right"),
            ("[{ windows: {} }]", "expect[0]: nothing is expected"),
            ("[{ session: { facts: {} } }]", "expect[0]: nothing is expected"),
            ("{ session: { facts: { count: null } } }", "'count' always has a value; the app declares a default"),
        ]
    )
    func vacuous(expect: String, problem: String) throws {
        let app = """
            name: App
            schemes: [app]
            facts: { count: { type: integer, default: 0 } }
            tabs: { home: home }
            destinations: { home: { tab: home, routes: ["app://home"] } }
            """
        let text = """
            name: demo
            description: Somebody comes.
            app: app.yaml
            windows: { A: {} }
            actors:
              one: [{ openurl: "app://home", scene: A, event: link }]
              two: [{ set: { count: 1 } }]
            expect: \(expect)
            """
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") { _ in app } }
        #expect(
            error?.problems.map(\.description).contains { $0.contains(problem) } ?? false,
            "\(error?.description ?? "")"
        )
    }

    /// Every name in what the scenarios that ship expect, misspelt once: each that is taken would be an expectation that nothing can meet.
    @Test("are all names of expectations that are misspelt, but for users and values")
    func misspelt() throws {
        var seen: Set<Substring> = []
        var taken: [String] = []
        for name in ShippedScenarios.names {
            let text = try #require(ShippedScenarios.text(of: name))
            var index = try #require(text.firstRange(of: "\nexpect:")).upperBound
            while index < text.endIndex {
                let word = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }
                let before = text[..<index]
                index = word.isEmpty ? text.index(after: index) : word.endIndex
                if word.isEmpty || Self.isValue(after: before) || !seen.insert(word).inserted { continue }
                let spoilt = before + word + "q" + text[word.endIndex...]
                if (try? Scenario.read(String(spoilt), file: "spoilt.yaml")) != nil {
                    taken.append("\(name): \(before.suffix(20))\(word)q")
                }
            }
        }
        #expect(taken == [])
        #expect(seen.count > 100)
    }

    /// Whether a word is a user, or a value of a fact, a parameter or an answer: there every text may be right.
    private static func isValue(after before: Substring) -> Bool {
        let line = before[(before.lastIndex(of: "\n") ?? before.startIndex)...]
        if line.contains("#") { return true }
        // In the parentheses of a screen behind the colon, in the mapping of facts, or a user's name.
        if let open = line.lastIndex(of: "("), !line[open...].contains(")") { return line[open...].contains(":") }
        if line.hasSuffix("user: ") { return true }
        for key in ["facts: {", "answers: {"] {
            guard let open = line.firstRange(of: key) else { continue }
            let inside = line[open.upperBound...]
            if inside.filter({ $0 == "{" }).count >= inside.filter({ $0 == "}" }).count, !inside.hasSuffix("{ "),
                let colon = inside.lastIndex(of: ":"), !inside[colon...].contains("}")
            {
                return true
            }
        }
        return false
    }

    @Test("are none in a step that is expected to be refused, or whose window another opens")
    func expectedRefusals() throws {
        var text = Self.good.replacing("qcommerce://cart", with: "qcommerce://nowhere", maxReplacements: 1)
        text = text.replacing("cart: [applied in A, rejected inStock]", with: "cart: refused UnknownRoute")
        text = text.replacing("tap: orders, scene: A }", with: "tap: orders, scene: C }")
        text = text.replacing("- { wait: [10, 20] }", with: "- { connect: C }")
        _ = try Scenario.read(text, file: "demo.yaml")
    }

    /// A part of a scenario in the words of before, and what it is called today.
    static let older: [(today: String, before: String, warning: String)] = [
        (
            "{ openurl:", "{ open:",
            "demo.yaml:7:9: warning: actors.link[0].open: 'open' has another name today; expected 'openurl'"
        ),
        (
            "{ tap: orders, scene: A }", "{ gesture: selectTab, tab: orders, scene: A }",
            "demo.yaml:8:9: warning: actors.link[1].gesture: 'gesture: selectTab' has another name today; expected "
                + "'tap: orders, scene: A'"
        ),
        (
            "{ set: {", "{ commit: {",
            "demo.yaml:12:9: warning: actors.user[2].commit: 'commit' has another name today; expected 'set'"
        ),
        (
            "- sign-out", "- signOut",
            "demo.yaml:13:7: warning: actors.user[3]: 'signOut' has another name today; expected 'sign-out'"
        ),
        (
            "home › auth[login]", "home + auth: login",
            "demo.yaml:15:33: warning: expect.windows.A: 'home + auth: login' has an older form; expected "
                + "'home › auth[login]'"
        ),
    ]

    @Test("are none in the words of before, which are read as those of today with a warning", arguments: older)
    func readsOlder(today: String, before: String, warning: String) throws {
        let text = Self.good.replacing(today, with: before, maxReplacements: 1)
        #expect(text != Self.good)
        let scenario = try Scenario.read(text, file: "demo.yaml")
        #expect(scenario.warnings.map(\.description) == [warning])
        let current = try Scenario.read(Self.good, file: "demo.yaml")
        #expect(current.warnings.isEmpty)
        #expect(scenario.steps.map(\.text) == current.steps.map(\.text))
        #expect(
            scenario.expectations.map { $0.windows.map(\.shown) }
                == current.expectations.map { $0.windows.map(\.shown) }
        )
    }

    @Test("are told however many warnings come before them")
    func errorsBehindWarnings() throws {
        let older = String(repeating: "    - { open: \"qcommerce://cart\", scene: A }\n", count: 600)
        let text = Self.good.replacing("    - sign-out\n", with: older + "    - { tap: nowhere, scene: A }\n")
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
        #expect(error?.problems.contains { $0.message == "there is no tab 'nowhere'" } ?? false)
    }

    /// Every gesture in the words of before and of today.
    static let gestures: [(before: String, today: String)] = [
        ("{ gesture: back, scene: A, event: e }", "{ back: A, event: e }"),
        ("{ gesture: dismiss, scene: A, event: e }", "{ dismiss: A, event: e }"),
        ("{ gesture: swipeBack, scene: A, event: e }", "{ swipe: back, scene: A, event: e }"),
        ("{ gesture: swipeDown, cancelled: true, scene: A }", "{ swipe: down, cancelled: true, scene: A }"),
        ("{ gesture: selectTab, tab: account, scene: A }", "{ tap: account, scene: A }"),
    ]

    @Test("are none in gestures, which say the same in the words of before", arguments: gestures)
    func readsGestures(before: String, today: String) throws {
        let texts = [before, today].map { Self.good.replacing("{ tap: orders, scene: A }", with: $0) }
        let (one, other) = (try Scenario.read(texts[0]), try Scenario.read(texts[1]))
        #expect(one.warnings.count == 1 && other.warnings.isEmpty)
        #expect("\(one.steps[1].action) \(one.steps[1].event)" == "\(other.steps[1].action) \(other.steps[1].event)")
        #expect(one.steps[1].text == other.steps[1].text)
    }

    @Test(
        "are told of a gesture that lacks something, or has what it does not take",
        arguments: [
            ("{ gesture: back }", "'scene' is missing"), ("{ gesture: selectTab, scene: A }", "'tab' is missing"),
            ("{ gesture: back, scene: A, cancelled: true }", "'cancelled' does not belong to 'back'"),
            ("{ gesture: dismiss, scene: A, tab: orders }", "'tab' does not belong to 'dismiss'"),
            ("{ gesture: flick, scene: A }", "'flick' is not allowed here"), ("{ back: C }", "there is no window 'C'"),
            ("{ tap: orders }", "'scene' is missing"), ("{ swipe: down }", "'scene' is missing"),
            ("{ back: A, cancelled: true }", "'cancelled' is not allowed here"),
        ]
    )
    func refusesGestures(step: String, problem: String) throws {
        let text = Self.good.replacing("{ tap: orders, scene: A }", with: step)
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
        #expect(error?.problems.contains { $0.message == problem } ?? false, "\(error?.description ?? "")")
    }

    static let hostileTexts = [
        "", "[]", "a", "{", "name: a", "actors: {}", "actors: { a: [] }", "actors: { a: [{ wait: -1 }] }",
        "actors: { a: [{ reload: { without: [home] } }] }", "windows: [A]", "expect: [[]]",
        String(repeating: "[", count: 10_000),
    ]

    @Test("are all that a hostile file causes", arguments: hostileTexts)
    func hostile(text: String) {
        #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
    }
}
