import Interleaving
import SceneRaces
import SceneRouting
import Testing

/// The date and the app's version with which a scenario begins.
@Suite("Settings of a scenario", .timeLimit(.minutes(15)))
struct ScenarioSettingsTests {
    /// A link to a product that is only there until noon, and only from version 2.1 on.
    private static func scenario(_ settings: String, _ outcome: String) throws -> Scenario {
        let text = """
            name: sale
            description: Something is there for a time.
            windows: { A: {} }
            settings: { \(settings) }
            actors:
              link:
                - { open: "qcommerce://product/p1", scene: A, event: link }
              other:
                - { wait: [0, 1000] }
                - signIn: mina
            expect:
              results: { link: \(outcome) }

            """
        var scenario = try Scenario.read(text, file: "sale.yaml")
        let noon = try #require(Instant.seconds("2026-11-27T12:00Z"))
        let sale = FactPredicate.all([.period(from: nil, until: .date(noon)), .appVersion(.greaterOrEqual, "2.1")])
        scenario.app.conditions.append(ConditionDeclaration(name: "onSale", holds: sale, reason: "The sale is over."))
        let product = try #require(scenario.app.destinations.firstIndex { $0.id == "product" })
        scenario.app.destinations[product].conditions.append("onSale")
        return scenario
    }

    @Test(
        "decide what depends on them, in every order",
        arguments: [
            ("start: 2026-11-27T11:59Z, appVersion: 2.1", "applied"),
            ("start: 2026-11-27T12:00Z, appVersion: 2.1", "rejected"),
            ("start: 2026-11-26, appVersion: 2.0.9", "rejected"), ("start: 2026-11-26", "rejected"),
        ]
    )
    func decide(settings: String, outcome: String) async throws {
        let race = try Race(Self.scenario(settings, outcome))
        let report = try await race.search(.init(iterations: 100, seed: 3))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
        let other = try Race(Self.scenario(settings, outcome == "applied" ? "rejected" : "applied"))
        let found = try await other.search(.init(iterations: 100, seed: 3)).found
        #expect(found != nil, "the result is looked at")
    }

    @Test("are flags of the daemon in a script")
    func script() async throws {
        let scenario = try Self.scenario("start: 2026-11-27T08:00Z, appVersion: 2.1", "rejected")
        let report = try await Race(scenario).search(.init(iterations: 100, seed: 3, shrinks: true))
        let text = try RaceScript(try #require(report.found), of: scenario).text
        #expect(text.contains("scened --clock virtual --start 2026-11-27T08:00:00Z --app-version 2.1"), "\(text)")
    }

    @Test("with a date cannot be exported where transitions take time")
    func transitions() async throws {
        let scenario = try Self.scenario("start: 2026-11-26, transitionMilliseconds: 100", "applied")
        let report = try await Race(scenario).search(.init(iterations: 100, seed: 3, shrinks: true))
        let error = #expect(throws: RaceScriptError.self) {
            try RaceScript(try #require(report.found), of: scenario)
        }
        #expect("\(error as Any)".contains("leave out 'start' or 'transitionMilliseconds'"))
    }
}
