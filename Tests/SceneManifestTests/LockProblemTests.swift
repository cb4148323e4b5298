import SceneManifest
import SceneRouting
import Testing

/// What is wrong with the lock of a manifest.
@Suite("Problems of a lock")
struct LockProblemTests {
    private static let good = """
        name: Demo
        schemes: [demo]
        facts: { times: { type: integer } }
        preconditions: { known: { holds: signedIn, flow: login } }
        tabs: { home: home }
        lock: { flow: unlock, when: signedIn }
        destinations:
          home: { tab: home }
          item: { ancestry: [home], preconditions: [known], routes: ["demo://item"] }
        flows:
          login: { screens: [name] }
          unlock: { screens: [code], intents: { entered: { effects: [complete] } } }

        """

    private static func problems(_ good: String, _ bad: String) -> [String] {
        AppManifest.problems(in: Self.good.replacing(good, with: bad), file: "demo.yaml").map(\.description)
    }

    @Test("are absent in a good one, with a condition and without one, and for a flow whose end is somebody else's")
    func none() {
        for good in [
            "lock: { flow: unlock, when: signedIn }", "lock: { flow: unlock }",
            "lock: { flow: unlock, when: { all: [signedIn, { fact: times, greater: 2 }] } }",
        ] {
            #expect(Self.problems("lock: { flow: unlock, when: signedIn }", good) == [])
        }
        // A screen in Swift, or a client, may report the end.
        #expect(Self.problems(", intents: { entered: { effects: [complete] } }", "") == [])
    }

    static let mistakes: [(String, String, String)] = [
        (
            "flow: unlock,", "flow: unlok,",
            "lock.flow: there is no flow 'unlok'; expected one of login, unlock; did you mean 'unlock'?"
        ),
        ("lock: { flow: unlock, when: signedIn }", "lock: unlock", "lock: is text; expected a mapping"),
        ("flow: unlock, when", "when", "lock: 'flow' is missing; expected a member 'flow'"),
        (
            "flow: unlock,", "flow: unlock, after: 30,",
            "lock.after: 'after' is not allowed here; expected one of flow, when"
        ),
        ("when: signedIn }", "when: 3 }", "lock.when: "),
        (
            "when: signedIn }", "when: { present: time } }",
            "lock.when.present: there is no fact 'time'; expected one of times; did you mean 'times'?"
        ),
        (
            "when: signedIn }", "when: freshSignIn }",
            "lock.when: only a precondition can ask for freshSignIn"
        ),
        (
            "when: signedIn }", "when: { fact: times, equals: { parameter: id } } }",
            "lock.when: only a destination's condition or precondition and an intent's effect can look at parameters"
        ),
        (
            "when: signedIn }", "when: { period: { from: 2026-01-01T00:00:00Z } } }",
            "lock.when: it looks at the time, which passes without a commit that could unlock a window"
        ),
        (
            "known: { holds: signedIn, flow: login }", "unlock: { holds: signedIn, flow: login }",
            "preconditions.unlock: the lock's flow has the name 'unlock', too; expected another name"
        ),
        (
            "flow: login }", "flow: unlock }",
            "preconditions.known.flow: a precondition cannot be satisfied by the flow of the lock; expected another flow"
        ),
        (
            "tabs: {", "conditions: { unlock: { holds: signedIn, reason: no } }\ntabs: {",
            "conditions.unlock: the lock's flow has the name 'unlock', too; expected another name"
        ),
        (
            "tabs: {", "roots: [{ flow: unlock, when: { not: signedIn } }]\ntabs: {",
            "roots[0].flow: a root cannot be the flow of the lock"
        ),
        (
            "ancestry: [home], pre", "ancestry: [home], flow: unlock, pre",
            "destinations.item.flow: a destination cannot belong to the flow of the lock"
        ),
        (
            "screens: [name] }", "screens: [name], intents: { again: { effects: [{ start: unlock }] } } }",
            "flows.login: 'start: unlock' cannot present the flow of the lock"
        ),
        (
            "screens: [code]", "screens: [code, item]",
            "flows.unlock.screens[1]: 'item' is a destination, and the lock stands before every destination; "
                + "expected a screen that only the flow of the lock has"
        ),
        (
            "effects: [complete]", "effects: [cancel]",
            "flows.unlock: no intent of the lock's flow completes it, so nothing can unlock a window; expected 'complete' among its effects"
        ),
    ]

    @Test("have their place and say what would be right", arguments: mistakes)
    func wrong(good: String, bad: String, problem: String) throws {
        let found = Self.problems(good, bad)
        #expect(found.contains { $0.contains("error: \(problem)") }, "\(found)")
        let errors = found.filter { $0.contains(": error: ") }
        #expect(
            errors.allSatisfy {
                $0.hasPrefix("demo.yaml:") && $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } != nil
            },
            "\(errors)"
        )
    }
}
