import SceneManifest
import SceneRouting
import SceneVocabulary
import Testing

@Suite("What the windows of an app can show")
struct PossibleWindowsTests {
    private static let app = """
        name: Ferry
        schemes: [ferry]
        tabs: { home: home, trips: trips }
        destinations:
          home: { tab: home, routes: ["ferry://home"] }
          trips: { tab: trips, routes: ["ferry://trips"] }
          trip:
            ancestry: [trips]
            parameters: { day: date, deck: { type: integer, optional: true } }
            routes: ["ferry://trip/{day}"]
          ticket:
            ancestry: [trips]
            parameters: { code: { type: string, secret: true } }
            routes: ["ferry://ticket/{code}"]
        flows:
          pay: { screens: [card, { id: code, parameters: { tries: integer } }], intents: { paid: { effects: [complete] } } }
        preconditions: { paid: { holds: { present: paid }, flow: pay } }
        facts: { paid: { type: boolean } }
        """

    /// A window that somebody expects, and why none can be so.
    private static let expectations: [(text: String, problem: String?)] = [
        ("home", nil), ("home › trip(day: 2026-11-28T00:00:00Z)", nil),
        ("home › trip(day: 2026-11-28T00:00:00Z, deck: 2)", nil),
        ("home › pay[card › code(tries: 3)]", nil), ("*home: home | trips: trips", nil), ("disconnected", nil),
        ("gone", nil),
        ("home › trp", "there is no screen 'trp'; did you mean 'trip'?"),
        ("home › trip", "no window shows 'trip': "),
        (
            "home › trip(day: 2026-11-28)",
            "no window shows 'trip(day: 2026-11-28)' so; expected 'trip(day: 2026-11-28T00:00:00Z)'."
        ),
        ("home › trip(day: tomorrow)", "no window shows 'trip(day: tomorrow)': "),
        ("home › trip(dya: 2026-11-28)", "'trip' has no parameter 'dya'; did you mean 'day'?"),
        ("home › trip(day: 2026-11-28T00:00:00Z, deck: 02)", "no window shows"),
        (
            "home › ticket(code: s3cr3t)",
            "the parameter 'code' of 'ticket' is secret; expected the placeholder that a window shows."
        ),
        ("trip(day: 2026-11-28T00:00:00Z)", "no window has 'trip' at the bottom"),
        ("home › [card]", "'card' is presented only by its flow; expected 'pay[card]'."),
        ("home › pya[card]", "there is no flow 'pya'; did you mean 'pay'?"),
        ("home › pay[home]", "the flow 'pay' has no screen 'home'; expected one of card, code."),
        ("home › pay[code(triess: 3)]", "'code' has no parameter 'triess'; did you mean 'tries'?"),
        ("*hmoe: home | trips: trips", "there is no tab 'hmoe'; did you mean 'home'?"),
    ]

    @Test(
        "is judged by names, parameters and their form, and what is wrong is said with what would be right",
        arguments: expectations
    )
    func windows(text: String, problem: String?) throws {
        let windows = PossibleWindows([try AppManifest.read(Self.app).manifest])
        let found = windows.problem(with: try WrittenWindow(parsing: text))
        if let problem {
            #expect(found?.description.hasPrefix(problem) ?? false, "\(found?.description ?? "nothing")")
        } else {
            #expect(found == nil, "\(found?.description ?? "")")
        }
    }

    @Test("has the placeholder of a secret, and where secrets are said their values")
    func secrets() throws {
        let app = try AppManifest.read(Self.app).manifest
        let placeholder = SecretPlaceholder.prefix + String(repeating: "7", count: 24)
        let shown = try WrittenWindow(parsing: "home › ticket(code: \"\(placeholder)\")")
        let said = try WrittenWindow(parsing: "home › ticket(code: s3cr3t)")
        #expect(PossibleWindows([app]).problem(with: shown) == nil)
        #expect(PossibleWindows([app]).problem(with: said) != nil)
        #expect(PossibleWindows([app], saysSecrets: true).problem(with: said) == nil)
    }
}
