import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import Testing

/// What a scenario says of the answers of intents.
@Suite("Expected answers", .timeLimit(.minutes(15)))
struct AnswerExpectationTests {
    private static func scenario(answers: String) -> String {
        """
        name: answer
        description: What a screen asks is answered from one moment of the session.
        app: club
        windows: { A: {} }
        session: { user: mina, facts: { member: true, keys: ["7"] } }
        actors:
          finger:
            - { intent: keysWanted, scene: A, event: ask, as: asking }
          account:
            - sign-out
            - sign-in: theo
        expect:
        \(answers)
        """
    }

    @Test("hold in every order in which they are given")
    func hold() async throws {
        let text = Self.scenario(
            answers: """
                  - { results: { ask: delivered }, answers: { asking: { member: true, keys: ["7"] } } }
                  - { results: { ask: abandoned userLeft }, answers: { ask: null } }
                  - { results: { ask: delivered }, answers: { ask: {} } }
                """
        )
        let report = try await Race(Scenario.read(text, file: "answer.yaml")).search(.init(iterations: 200, seed: 3))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
        #expect(report.coverage.classes > 1)
    }

    @Test(
        "that do not come are said with those that came",
        arguments: [
            (#"asking: { keys: ["7"] }"#, #"{"keys":["7"]}"#), ("ask: { member: false }", #"{"member":false}"#),
            ("ask: {}", "{}"), ("ask: null", "none"),
        ]
    )
    func differ(answers: String, expected: String) async throws {
        let scenario = try Scenario.read(Self.scenario(answers: "  answers: { \(answers) }"), file: "answer.yaml")
        let report = try await Race(scenario).search(.init(iterations: 200, seed: 3, shrinks: true))
        let found = try #require(report.found)
        let name = answers.prefix { $0 != ":" }
        let finding = try #require(
            found.findings.first { $0.hasPrefix("the answer of \(name) is ") },
            "\(found.findings)"
        )
        #expect(finding.hasSuffix(", expected \(expected)"))
    }

    @Test(
        "are refused with what is wrong",
        arguments: [
            ("  answers: { asked: {} }", "expect.answers.asked: "),
            ("  answers: { account.1: {} }", "account.1 is no intent, and only an intent is answered; expected null"),
            ("  answers: { ask: 5 }", "expect.answers.ask: is a number"),
            ("  answers: { ask: { keys: { a: b } } }", "expect.answers.ask.keys: is a mapping"),
        ]
    )
    func refused(answers: String, says: String) throws {
        let problems = try #require(throws: ManifestProblems.self) {
            try Scenario.read(Self.scenario(answers: answers), file: "answer.yaml")
        }
        #expect(problems.description.contains(says), "\(problems)")
    }
}
