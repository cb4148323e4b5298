import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import SceneVocabulary
import Testing

/// What a scenario says of the activation of windows, and windows that it connects in the background.
@Suite("Expected activation", .timeLimit(.minutes(15)))
struct ActivationExpectationTests {
    /// A window that comes back in the background, one that somebody taps, and one that is closed for good.
    private static func scenario(expecting activation: String, results: String = "{}") -> String {
        """
        name: activation
        description: Only what somebody does brings a window to the front.
        windows: { A: {}, B: {}, C: {} }
        setup:
          - disconnect: A
          - { activate: B, to: foregroundInactive }
          - { activate: B, to: background }
        actors:
          system:
            - { connect: A, background: true }
            - disconnect: C
          finger:
            - { openurl: "qcommerce://product/p1", scene: B, event: link }
        expect:
          activation: \(activation)
          results: \(results)
        """
    }

    private static func report(_ text: String) async throws -> RaceReport {
        try await Race(Scenario.read(text, file: "activation.yaml")).search(.init(iterations: 100, seed: 3))
    }

    @Test("holds where it is so, in a window that is connected in the background, tapped, or disconnected")
    func holds() async throws {
        let report = try await Self.report(
            Self.scenario(
                expecting: "{ A: background, B: foregroundActive, C: unattached }",
                results: "{ link: applied in B, system.1: done }"
            )
        )
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
        #expect(report.coverage.classes > 1)
    }

    private static let states: [Activation] = [.foregroundActive, .foregroundInactive, .background]

    @Test("is reached from any other by one step", arguments: states, states)
    func activates(from: Activation, to: Activation) async throws {
        let text = """
            name: activates
            description: A step goes the way of the platform.
            windows: { A: {}, B: {} }
            setup: [\(from == .foregroundActive ? "" : "{ activate: A, to: \(from.rawValue) }")]
            actors:
              system:
                - { activate: A, to: \(to.rawValue), as: step }
              other:
                - { tap: orders, scene: B, event: tap }
            expect:
              activation: { A: \(to.rawValue) }
              results: { step: \(from == to ? "refused IllegalActivation" : "done") }
            """
        let report = try await Self.report(text)
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("is reached also if a tap brings the window to the front on the way there")
    func tapped() async throws {
        let text = """
            name: tapped
            description: Somebody leaves, and taps a link on the way out.
            windows: { A: {} }
            actors:
              one:
                - { activate: A, to: background, as: away }
              other:
                - { openurl: "qcommerce://product/p1", scene: A, event: link }
            expect: { results: { link: applied in A, away: done } }
            """
        let report = try await Self.report(text)
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("that is between the others is one that others see, whoever comes between")
    func between() async throws {
        let text = """
            name: between
            description: Two people have one window.
            windows: { A: {} }
            actors:
              one:
                - { activate: A, to: background, as: away }
              other:
                - { activate: A, to: foregroundInactive, as: half }
            expect:
              - { results: { half: done, away: done } }
              - { results: { half: refused IllegalActivation, away: done } }
            """
        let report = try await Self.report(text)
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("is one of several, if several are right")
    func alternatives() async throws {
        let report = try await Self.report(Self.scenario(expecting: "{ A: [foregroundActive, background] }"))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test(
        "that a window does not have is said with the one that it has",
        arguments: [
            ("{ A: foregroundActive }", "the activation of window A is background, expected foregroundActive"),
            (
                "{ B: [background, unattached] }",
                "the activation of window B is foregroundActive, expected background or unattached"
            ),
            ("{ C: background }", "the activation of window C is unattached, expected background"),
            (
                "{ scene-9: background }",
                "the activation of window scene-9 is none, because it is gone, expected background"
            ),
        ]
    )
    func differs(activation: String, says: String) async throws {
        let found = try #require(try await Self.report(Self.scenario(expecting: activation)).found)
        #expect(found.findings == [says])
    }

    @Test(
        "is refused with its place and what would be right",
        arguments: [
            (
                "{ A: backgroud }", "activation.yaml:15:20",
                "expect.activation.A: 'backgroud' is not allowed here; expected one of "
                    + "unattached, foregroundActive, foregroundInactive, background; did you mean 'background'?"
            ),
            (
                "{ D: background }", "activation.yaml:15:17",
                "expect.activation.D: there is no window 'D'; expected one of A, B, C; did you mean 'A'?"
            ),
            ("{ A: [] }", "activation.yaml:15:20", "expect.activation.A: the list is empty"),
            ("{ A: { now: background } }", "activation.yaml:15:20", "expect.activation.A: is a mapping"),
        ]
    )
    func refused(activation: String, place: String, says: String) throws {
        let problems = try #require(throws: ManifestProblems.self) {
            try Scenario.read(Self.scenario(expecting: activation), file: "activation.yaml")
        }
        #expect(problems.problems.count == 1)
        #expect(problems.description.contains(place) && problems.description.contains(says), "\(problems)")
    }

    @Test("is not that of a window whose 'background' is no truth value")
    func background() throws {
        let text = Self.scenario(expecting: "{ A: background }").replacing("background: true", with: "background: A")
        let problems = try #require(throws: ManifestProblems.self) { try Scenario.read(text, file: "activation.yaml") }
        #expect(problems.description.contains("actors.system[0].background: "), "\(problems)")
    }
}
