import Foundation
import SceneManifest
import SceneRouting
import Testing

@Suite("Flows that cannot end, and what nothing uses")
struct FlowEndingTests {
    /// A manifest without warnings, to be spoilt.
    private static let good = """
        name: Demo
        schemes: [demo]
        facts: { agreed: { type: boolean }, code: { type: string } }
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
          agreed: { holds: { fact: agreed, equals: true }, flow: terms }
        conditions:
          coded: { holds: { present: code }, reason: no code }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          item: { ancestry: [home], preconditions: [signedIn, agreed], conditions: [coded], routes: ["demo://item"] }
          info: { ancestry: [home], presentation: sheet, flow: info, routes: ["demo://info"] }
        flows:
          auth:
            completionNeedsUser: true
            screens: [login, password]
            intents:
              next: { screens: [login], effects: [{ push: password }] }
              entered: { screens: [password], parameters: { user: string }, effects: [{ complete: { user: user } }] }
          terms:
            screens: [text, codes]
            intents:
              read: { screens: [text], effects: [{ push: codes }] }
              accepted: { screens: [codes], effects: [{ set: agreed, value: true }] }
              asked: { effects: [{ start: coding }] }
            after:
              coding: { completed: [{ set: code, value: { parameter: code } }] }
          coding:
            result: { code: string }
            screens: [field]
            intents:
              typed: { parameters: { code: string }, effects: [{ complete: { result: { code: { parameter: code } } } }] }
          info:
            screens: [info]
            intents:
              closed: { effects: [cancel] }
        """

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml").map(\.description)
    }

    @Test("are not warned of where there are none, nor in the apps that ship")
    func none() {
        #expect(Self.problems(Self.good) == [])
        for example in ExampleApp.allCases { #expect(Self.problems(example.text) == []) }
    }

    @Test(
        "are in no app of the tests",
        arguments: ["login-first", "offers", "secrets", "travel", "vault", "windows"]
    )
    func noneInTests(app: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/\(app).yaml")
        #expect(Self.problems(try String(contentsOf: file, encoding: .utf8)) == [])
    }

    typealias Change = (from: String, to: String)

    private static func auth(_ led: String = "") -> String {
        "warning: preconditions.signedIn.flow: nothing that 'auth' does\(led) makes 'signedIn' hold, so what waits for it waits until it "
            + "is given up; expected an effect of 'auth' by which it may hold, on who is signed in, unless the app's own code does so"
    }
    private static let info =
        "warning: flows.info: no screen that 'info' shows has an intent that completes or cancels it; expected 'complete' "
        + "or 'cancel' in an effect, unless the app's own code ends it"

    static let spoilt: [(changes: [Change], place: String, warning: String)] = [
        ([("[{ complete: { user: user } }]", "[cancel]")], "6:32", auth()),
        ([("[{ complete: { user: user } }]", "[{ route: info }]")], "6:32", auth(", or that it leads to,")),
        ([("{ complete: { user: user } }", "{ complete: { user: user }, when: { not: always } }")], "6:32", auth()),
        (
            [
                (
                    "{ complete: { user: user } }",
                    "{ complete: { user: user }, when: { all: [signedIn, { not: signedIn }] } }"
                )
            ],
            "6:32", auth()
        ),
        (
            [
                (
                    "{ complete: { user: user } }",
                    "{ complete: { user: user }, when: { all: [{ fact: code, equals: a }, { all: [{ fact: code, equals: b }] }] } }"
                )
            ], "6:32", auth()
        ),
        (
            [("{ complete: { user: user } }", "{ complete: { user: user }, when: { fact: code, oneOf: [] } }")], "6:32",
            auth()
        ),
        // The screen whose intent completes it is shown by none that is reached.
        (
            [
                ("[{ push: password }]", "[back]"),
                ("entered: {", "more: { screens: [password], effects: [{ push: password }] }\n      entered: {"),
            ], "6:32", auth()
        ),
        (
            [("complete: { user: user }", "complete")], "16:5",
            "warning: flows.auth.completionNeedsUser: no 'complete' of 'auth' says who has signed in, so each is refused; "
                + "expected 'complete: { user: PARAMETER }' in an effect"
        ),
        ([("closed: { effects: [cancel] }", "closed: { effects: [{ route: home }] }")], "34:3", info),
        (
            [("[{ complete: { result: { code: { parameter: code } } } }]", "[cancel]")], "28:17",
            "warning: flows.terms.after.coding.completed: no screen that 'coding' shows has an intent that completes it; "
                + "expected 'complete' in an effect of 'coding', unless the app's own code completes it"
        ),
        (
            [(", conditions: [coded]", "")], "9:3",
            "warning: conditions.coded: no destination needs 'coded'; expected 'conditions: [coded]' in a destination"
        ),
        (
            [("code: { type: string } }", "code: { type: string }, lost: { type: date } }")], "3:61",
            "warning: facts.lost: nothing in the manifest looks at 'lost' or changes it; expected a predicate, a value or an "
                + "effect with it, unless the app's own code uses it"
        ),
    ]

    @Test("are warned of with what and where, and what would be right", arguments: spoilt)
    func warns(changes: [Change], place: String, warning: String) {
        var text = Self.good
        for (from, to) in changes {
            #expect(text.contains(from))
            text = text.replacing(from, with: to)
        }
        let problems = Self.problems(text)
        #expect(problems.contains("demo.yaml:\(place): \(warning)"), "\(problems)")
    }

    static let harmless: [Change] = [
        // A flow without intents is the app's own code, and facts may be for it.
        (
            "info:\n    screens: [info]\n    intents:\n      closed: { effects: [cancel] }",
            "info: { screens: [info] }"
        ),
        ("closed: { effects: [cancel] }", "closed: { effects: [closeWindow] }"),
        // A gate opens by what changes the session, also in a flow that is started.
        ("[{ set: agreed, value: true }]", "[{ set: agreed, value: true, when: { not: { present: code } } }]"),
        ("[{ set: agreed, value: true }]", "[{ set: agreed, value: true }, { reset: agreed }]"),
        (
            "[{ complete: { user: user } }]",
            "[{ complete: { user: user }, when: { any: [{ not: always }, { present: code }] } }]"
        ),
        ("{ complete: { user: user } }", "{ complete: { user: user }, when: { period: { from: 2030-01-01 } } }"),
        ("closed: { effects: [cancel] }", "closed: { effects: [complete] }"),
        ("facts: { agreed", "markets: [de]\nfacts: { market: { type: string, scope: app }, agreed"),
    ]

    @Test("may be what they are", arguments: harmless)
    func allowed(change: Change) {
        let text = Self.good.replacing(change.from, with: change.to)
        #expect(text != Self.good)
        #expect(Self.problems(text) == [])
    }

    @Test(
        "are not suspected while what may use them has an error",
        arguments: [
            "{ period: { from: { fact: lost, minus: 24hh } } }", "{ fact: lost, less: never }",
            "{ fact: lost, within: 5 }", "{ any: [{ present: lost }, 5] }",
        ]
    )
    func besideErrors(holds: String) {
        let text = Self.good.replacing(
            "code: { type: string } }",
            with: "code: { type: string }, lost: { type: date } }"
        )
        .replacing("holds: { present: code }", with: "holds: \(holds)")
        let problems = Self.problems(text)
        #expect(!problems.isEmpty && problems.allSatisfy { $0.contains(": error: ") }, "\(problems)")
    }

    @Test("facts may be for the app's own code, if it has any flow")
    func codeFacts() {
        let text = Self.good.replacing(
            "code: { type: string } }",
            with: "code: { type: string }, shown: { type: date } }"
        )
        .replacing(
            "info:\n    screens: [info]\n    intents:\n      closed: { effects: [cancel] }",
            with: "info: { screens: [info] }"
        )
        #expect(text != Self.good && Self.problems(text) == [])
    }
}
