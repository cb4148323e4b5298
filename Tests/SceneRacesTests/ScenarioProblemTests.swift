import SceneRaces
import SceneRouting
import SceneRuntime
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
            "name: demo\n", "",
            "demo.yaml:1:1: error: name: 'name' is missing; expected a member 'name'"
        ),
    ]

    @Test("name the place, the key, what was expected and what was probably meant", arguments: spoilt)
    func places(good: String, bad: String, problem: String) throws {
        let text = Self.good.replacing(good, with: bad, maxReplacements: 1)
        #expect(text != Self.good)
        let error = #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
        #expect(error?.problems.map(\.description).contains(problem) ?? false, "\(error?.description ?? "")")
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
