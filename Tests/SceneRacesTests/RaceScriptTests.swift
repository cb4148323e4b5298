import Interleaving
import SceneRaces
import SceneRouting
import Testing

/// The text of scripts; the integration tests run them with a daemon.
@Suite("Races as scripts")
struct RaceScriptTests {
    private static func found(_ text: String, seed: UInt64 = 7) async throws -> (FoundRace, Scenario) {
        let scenario = try Scenario.read(text, file: "mine.yaml")
        let report = try await Race(scenario).search(Race.Options(iterations: 2_000, seed: seed, shrinks: true))
        return (try #require(report.found), scenario)
    }

    private static func scenario(_ actors: String, _ results: String, settings: String = "{}") -> String {
        """
        name: mine
        description: What somebody believes.
        windows: { A: {}, B: {} }
        settings: \(settings)
        session: { user: "o'hara", facts: { paymentMethod: card } }
        actors:
        \(actors)
        expect:
          results: { \(results) }

        """
    }

    @Test("begin like the scenario, name the daemon that they need, and quote words for the shell")
    func beginning() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { openurl: \"qcommerce://product/p1\", scene: A, event: link }\n  other:\n    - sign-out",
                "link: rejected",
                settings: "{ transitionMilliseconds: 50, mailboxCapacity: 7 }"
            )
        )
        let text = try RaceScript(found, of: scenario).text
        for line in [
            "#   scened --transition 50 --mailbox 7", "do_step reset", "do_step connect A", "do_step connect B",
            #"do_step session sign-in 'o'\''hara' --facts '{"paymentMethod":"card"}'"#, "do_step session sign-out",
            "came link applied",
        ] {
            #expect(text.contains(line + "\n"), "\(line) is not in \(text)")
        }
    }

    @Test("give a flow's end all that the scenario gives it")
    func ends() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { finish: auth, user: mina, facts: { paymentMethod: \"1\" }, values: { by: \"a b\" }, scene: A, event: end }\n"
                    + "  other:\n    - { intent: cartTapped, from: tab home, scene: A, event: self, until: admitted }",
                "end: applied"
            )
        )
        let text = try RaceScript(found, of: scenario).text
        let end = #"finish auth --completed --user mina --fact 'paymentMethod="1"' --value 'by=a b'"#
        #expect(text.contains(end), "\(text)")
        #expect(text.contains("intent cartTapped --from 'tab home'"), "\(text)")
    }

    @Test("connect a window where the scenario connects it")
    func connects() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { connect: C, configuration: detail, background: true }\n    - connect: D\n"
                    + "  other:\n    - { openurl: \"qcommerce://product/p1\", scene: A, event: link }",
                "link: rejected"
            )
        )
        let lines = try RaceScript(found, of: scenario).text.split(separator: "\n")
        #expect(lines.contains("do_step connect C --configuration detail --background"), "\(lines)")
        #expect(lines.contains("# one.1: connect C in the background") && lines.contains("do_step connect D"))
    }

    @Test("bring a window into a state the way the scenario does, by whatever lies between")
    func activates() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { activate: A, to: background }\n    - { activate: B, to: foregroundInactive }\n"
                    + "  other:\n    - { openurl: \"qcommerce://product/p1\", scene: A, event: link }",
                "link: rejected"
            )
        )
        let lines = try RaceScript(found, of: scenario).text.split(separator: "\n")
        #expect(lines.contains("do_step activate A background"), "\(lines)")
        #expect(lines.contains("do_step activate B foregroundInactive"), "\(lines)")
    }

    @Test("are refused, with the step, if a script cannot take a step")
    func reload() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { openurl: \"qcommerce://product/p1\", scene: A, event: link }\n"
                    + "  other:\n    - { reload: { without: [promo] } }",
                "link: rejected"
            )
        )
        let error = #expect(throws: RaceScriptError.self) { try RaceScript(found, of: scenario) }
        #expect("\(error as Any)".contains("other.1 reloads the app"))
    }

    @Test("are refused if only the clock decides")
    func expiry() async throws {
        let (found, scenario) = try await Self.found(
            Self.scenario(
                "  one:\n    - { sign-in: mina, expiresInMilliseconds: 20 }\n    - { wait: 50 }\n"
                    + "  other:\n    - { openurl: \"qcommerce://product/p1\", scene: A, event: link }",
                "link: rejected"
            )
        )
        let error = #expect(throws: RaceScriptError.self) { try RaceScript(found, of: scenario) }
        #expect("\(error as Any)".contains("clock"))
    }
}
