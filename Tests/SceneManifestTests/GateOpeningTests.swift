import Foundation
import SceneManifest
import SceneRouting
import Testing

/// Gates and roots that their own flow cannot open.
@Suite("Gates that stay closed")
struct GateOpeningTests {
    /// A manifest of an app with one gate, whose flow does `effects`.
    private static func manifest(
        _ holds: String,
        _ effects: String,
        need: String = "gate",
        more: String = "",
        flows: String = ""
    ) -> String {
        """
        name: Demo
        schemes: [demo]
        facts:
          agreed: { type: boolean }
          blocked: { type: boolean, default: false }
          code: { type: string }
          level: { type: integer, scope: app }
          shops: { type: strings }
          since: { type: date }
          tries: { type: integer, scope: app, default: 3 }
        tabs: { home: home }
        preconditions: { gate: { holds: \(holds), flow: terms } }
        conditions:
          all: { holds: { any: [{ present: agreed }, { fact: blocked, equals: true }, { present: code }, { present: level }, { present: shops }, { present: since }, { fact: tries, less: 99 }] }, reason: for this }
        destinations:
          home: { tab: home }
          item: { ancestry: [home], preconditions: [\(need)], conditions: [all], routes: ["demo://item"] }
          info: { ancestry: [home], routes: ["demo://info"] }
        flows:
          terms:
            screens: [text]
            intents:
              done: { parameters: { user: string, text: string, date: date }, effects: [\(effects)] }
        \(flows)
        \(more)
        """
    }

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml").map(\.description)
    }

    private static let equals = "{ fact: agreed, equals: true }"

    static let closed: [(holds: String, effects: String, expected: String)] = [
        (equals, "{ set: code, value: a }, complete", "an effect of 'terms' by which it may hold, on 'agreed'"),
        (equals, "{ complete: { user: user } }", "an effect of 'terms' by which it may hold, on 'agreed'"),
        (equals, "{ set: agreed, value: false }, complete", "an effect of 'terms' by which it may hold, on 'agreed'"),
        (equals, "{ reset: agreed }, complete", "an effect of 'terms' by which it may hold, on 'agreed'"),
        (
            equals, "{ set: agreed, value: true, when: { not: always } }, complete",
            "an effect of 'terms' by which it may hold, on 'agreed'"
        ),
        ("{ not: \(equals) }", "{ set: agreed, value: true }, complete", "on 'agreed'"),
        ("signedIn", "{ set: code, value: a }, complete", "on who is signed in"),
        ("signedIn", "complete", "on who is signed in"), ("signedIn", "signOut, complete", "on who is signed in"),
        ("freshSignIn", "markStale, complete", "on who is signed in"),
        ("{ not: signedIn }", "{ complete: { user: user } }", "on who is signed in"),
        ("{ any: [signedIn, { present: code }] }", "complete", "on 'code' or who is signed in"),
        ("{ all: [signedIn, { present: code }] }", "{ reset: code }, complete", "on 'code' or who is signed in"),
        ("{ present: shops }", "{ remove: shops, value: a }, complete", "on 'shops'"),
        ("{ not: { present: shops } }", "{ append: shops, value: a }, complete", "on 'shops'"),
        ("{ fact: shops, contains: a }", "{ append: shops, value: b }, complete", "on 'shops'"),
        ("{ not: { fact: shops, contains: a } }", "{ append: shops, value: a }, complete", "on 'shops'"),
        ("{ fact: level, greater: 3 }", "{ set: level, value: 3 }, complete", "on 'level'"),
        ("{ fact: code, oneOf: [a, b] }", "{ set: code, value: c }, complete", "on 'code'"),
        ("{ present: code }", "{ set: code, value: '' }, complete", "on 'code'"),
        ("{ fact: tries, less: 3 }", "{ reset: tries }, complete", "on 'tries'"),
        ("{ fact: tries, greater: 2 }", "{ complete: { user: user } }", "on 'tries'"),
    ]

    /// What changes every fact where no flow leads: a fact that nothing in the manifest changes comes from outside.
    private static let elsewhereChanged =
        "intents: { cleared: { screens: [item], effects: [{ reset: agreed }, { reset: blocked }, { reset: code }, { reset: level }, "
        + "{ reset: shops }, { reset: tries }] } }"

    @Test("are warned of where the flow does something else", arguments: closed)
    func warns(holds: String, effects: String, expected: String) {
        let problems = Self.problems(Self.manifest(holds, effects, more: Self.elsewhereChanged))
        #expect(
            problems.count == 1
                && problems[0].hasPrefix(
                    "demo.yaml:12:\(35 + holds.utf8.count): warning: preconditions.gate.flow: nothing that 'terms' does makes 'gate' hold, so what "
                        + "waits for it ends rejected as gateUnsatisfied once the flow completes; expected "
                ) && problems[0].contains(expected),
            "\(problems)"
        )
    }

    static let open: [(holds: String, effects: String)] = [
        (equals, "{ set: agreed, value: true }, complete"),
        (equals, "{ set: agreed, value: { fact: blocked } }, complete"),
        (equals, "{ set: agreed, value: true, when: { present: code } }, complete"),
        (equals, "{ set: agreed, value: true }"), ("{ fact: agreed, equals: false }", "{ set: agreed, value: false }"),
        ("{ not: \(equals) }", "{ reset: agreed }, complete"),
        ("{ not: \(equals) }", "{ complete: { user: user } }"), ("{ not: \(equals) }", "signOut, complete"),
        ("{ fact: blocked, equals: false }", "{ complete: { user: user } }"),
        ("signedIn", "{ complete: { user: user } }"), ("freshSignIn", "{ complete: { user: user } }"),
        ("{ not: signedIn }", "signOut, complete"),
        ("{ all: [signedIn, { present: code }] }", "{ set: code, value: { parameter: text } }, complete"),
        ("{ any: [{ not: { present: code } }, signedIn] }", "{ reset: code }, complete"),
        ("{ present: shops }", "{ append: shops, value: a }, complete"),
        ("{ fact: shops, contains: a }", "{ append: shops, value: { parameter: text } }, complete"),
        ("{ not: { fact: shops, contains: a } }", "{ remove: shops, value: a }, complete"),
        ("{ fact: level, greater: 3 }", "{ add: level, value: 1 }, complete"),
        ("{ fact: tries, greater: 2 }", "{ reset: tries }, complete"),
        ("{ period: { from: { fact: since } } }", "{ set: since, value: { parameter: date } }, complete"),
        // Time passes, and the app gets a newer version.
        ("{ period: { from: 2030-01-01 } }", "complete"),
        ("{ appVersion: { greaterOrEqual: '2' } }", "complete"),
        // What is done elsewhere is somebody else's.
        (equals, "{ route: info }"),
        // Says itself that it never holds, or always does.
        ("{ not: always }", "complete"), ("always", "complete"), ("{ present: tries }", "complete"),
    ]

    @Test("are not suspected where the flow may do what they need", arguments: open)
    func allowed(holds: String, effects: String) {
        let problems = Self.problems(Self.manifest(holds, effects)).filter { $0.contains("makes 'gate' hold") }
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test("may be opened by a flow that theirs starts, by an intent of the app, and by the app's own code")
    func others() {
        let start = "{ start: asking }, complete"
        func asking(_ effect: String) -> String {
            "  asking: { screens: [question], intents: { said: { effects: [\(effect), complete] } } }"
        }
        let warned = { (text: String) in Self.problems(text).contains { $0.contains("'gate' hold") } }
        #expect(!warned(Self.manifest(Self.equals, start, flows: asking("{ set: agreed, value: true }"))))
        #expect(warned(Self.manifest(Self.equals, start, flows: asking("{ set: agreed, value: false }"))))
        #expect(!warned(Self.manifest(Self.equals, start, flows: "  asking: { screens: [question] }")))
        func said(_ screens: String, _ value: Bool = true) -> String {
            Self.manifest(
                Self.equals,
                "complete",
                more: "intents: { said: { \(screens)effects: [{ set: agreed, value: \(value) }] } }"
            )
        }
        #expect(!warned(said("")))
        #expect(!warned(said("screens: [text], ")))
        #expect(warned(said("screens: [home], ")))
        #expect(warned(said("", false)))
        let code = Self.manifest(Self.equals, "complete").replacing(/\n    intents:\n.*/, with: "")
        #expect(!warned(code))
    }

    /// What the flow of the gate leads to, and whether the gate may open there.
    static let elsewhere: [(effects: String, more: String, opens: Bool)] = [
        ("{ route: info }, complete", "", false),
        ("{ openWindow: info }, complete", "", false),
        (
            "{ route: info }, complete",
            "intents: { said: { screens: [info], effects: [{ set: agreed, value: true }] } }", true
        ),
        (
            "{ openWindow: info }, complete",
            "intents: { said: { screens: [info], effects: [{ set: agreed, value: true }] } }", true
        ),
        (
            "{ route: info }, complete",
            "intents: { said: { screens: [info], effects: [{ set: agreed, value: false }] } }", false
        ),
        // Whoever is there can go to any tab, and from there on.
        (
            "{ route: info }, complete",
            "intents: { said: { screens: [home], effects: [{ set: agreed, value: true }] } }", true
        ),
        (
            "{ route: info }, complete",
            "intents: { went: { screens: [home], effects: [{ route: deep }] }, said: { screens: [deep], effects: [{ set: agreed, value: true }] } }",
            true
        ),
        (
            "{ route: info }, complete",
            "intents: { said: { screens: [deep], effects: [{ set: agreed, value: true }] } }", false
        ),
        (
            "{ route: deep }, complete",
            "intents: { said: { screens: [item], effects: [{ set: agreed, value: true }] } }", false
        ),
        ("{ route: formed }, complete", "", true), ("{ route: coded }, complete", "", true),
        ("{ start: leading }, complete", "", false),
    ]

    @Test("may be opened where their flow leads, and from there on", arguments: elsewhere)
    func leadsElsewhere(effects: String, more: String, opens: Bool) {
        let text = Self.manifest(
            Self.equals,
            effects,
            more: more,
            flows: """
                  form: { screens: [formed], intents: { said: { effects: [{ set: agreed, value: true }, complete] } } }
                  code: { screens: [coded] }
                  leading: { screens: [sign], intents: { gone: { effects: [{ route: info }, { set: code, value: a }, complete] } } }
                """
        )
        .replacing(
            "  info:",
            with: """
                  deep: { ancestry: [home] }
                  formed: { ancestry: [home], presentation: sheet, flow: form }
                  coded: { ancestry: [home], presentation: sheet, flow: code }
                  info:
                """
        )
        let problems = Self.problems(text).filter { $0.contains("hold, so") }
        #expect(problems.isEmpty == opens, "\(problems)")
        #expect(
            problems.allSatisfy { $0.contains("nothing that 'terms' does, or that it leads to, makes 'gate' hold") },
            "\(problems)"
        )
    }

    /// A gate that looks at a parameter `seat` of what waits, of this type, the effects of its flow, and whether it may open by them.
    static let byParameter: [(holds: String, type: String, effects: String, opens: Bool)] = [
        (
            "{ fact: shops, contains: { parameter: seat } }", "{ oneOf: [a1, a2] }", "{ append: shops, value: b7 }",
            false
        ),
        ("{ fact: shops, contains: { parameter: seat } }", "{ oneOf: [a1, a2] }", "{ append: shops, value: a2 }", true),
        (
            "{ fact: shops, contains: { parameter: seat } }", "{ pattern: 'a[0-9]' }", "{ append: shops, value: b7 }",
            false
        ),
        ("{ fact: shops, contains: { parameter: seat } }", "string", "{ append: shops, value: b7 }", true),
        (
            "{ fact: shops, contains: { parameter: seat } }", "{ oneOf: [a1] }",
            "{ append: shops, value: { parameter: text } }", true
        ),
        ("{ fact: shops, contains: { parameter: seat } }", "{ oneOf: [a1] }", "{ set: shops, value: [b7] }", false),
        ("{ fact: shops, contains: { parameter: seat } }", "{ oneOf: [a1] }", "{ set: shops, value: [b7, a1] }", true),
        ("{ fact: code, equals: { parameter: seat } }", "{ oneOf: [a1, a2] }", "{ set: code, value: b7 }", false),
        ("{ fact: code, equals: { parameter: seat } }", "{ oneOf: [a1, a2] }", "{ set: code, value: a1 }", true),
        ("{ fact: code, notEquals: { parameter: seat } }", "{ oneOf: [a1, a2] }", "{ set: code, value: b7 }", true),
        ("{ not: { fact: code, equals: { parameter: seat } } }", "{ oneOf: [a1] }", "{ set: code, value: b7 }", true),
        (
            "{ not: { fact: code, notEquals: { parameter: seat } } }", "{ oneOf: [a1] }", "{ set: code, value: b7 }",
            false
        ),
    ]

    @Test("are warned of where what waits never has the value that the flow gives", arguments: byParameter)
    func waitsFor(holds: String, type: String, effects: String, opens: Bool) {
        let text = Self.manifest(holds, "\(effects), complete")
            .replacing(
                "conditions: [all], routes: [\"demo://item\"]",
                with: "conditions: [all], parameters: { seat: \(type) }, routes: [\"demo://item/{seat}\"]"
            )
        let problems = Self.problems(text)
        #expect(!problems.contains { $0.contains("error:") }, "\(problems)")
        #expect(problems.contains { $0.contains("makes 'gate' hold") } != opens, "\(problems)")
    }

    @Test("a flow that never completes signs nobody in")
    func neverCompletes() {
        func problems(_ effects: String) -> [String] {
            Self.problems(
                Self.manifest("signedIn", effects).replacing(
                    "    screens: [text]",
                    with: "    completionNeedsUser: true\n    screens: [text]"
                )
                    + "\nroots: [{ when: { not: signedIn }, flow: terms }]\n"
            )
            .filter { $0.contains("nothing that") }
        }
        #expect(
            problems("{ set: code, value: a }, cancel").map { String($0.drop { $0 != "w" }) } == [
                "warning: preconditions.gate.flow: nothing that 'terms' does makes 'gate' hold, so what waits for it waits until it is "
                    + "given up; expected an effect of 'terms' by which it may hold, on who is signed in, unless "
                    + "the app's own code does so",
                "warning: roots[0].flow: nothing that 'terms' does ends it as the root, so 'terms' stays the root; expected an effect of 'terms' "
                    + "by which it may hold, on who is signed in, unless the app's own code does so",
            ]
        )
        #expect(problems("{ set: code, value: a }, { complete: { user: user } }") == [])
    }

    @Test("a root's flow has to be left, too")
    func roots() {
        func root(_ when: String, _ effects: String) -> [String] {
            Self.problems(
                Self.manifest(Self.equals, "{ set: agreed, value: true }")
                    + "\n  start: { screens: [hello], intents: { went: { effects: [\(effects)] } } }\n"
                    + "roots: [{ when: \(when), flow: start }]\n"
            )
        }
        #expect(root("{ not: signedIn }", "{ set: level, value: 2 }").count == 1)
        #expect(
            root("{ not: signedIn }", "complete") == [
                "demo.yaml:27:36: warning: roots[0].flow: nothing that 'start' does ends it as the root, so 'start' stays the root; "
                    + "expected an effect of 'start' by which it may hold, on who is signed in, unless the app's own code does so"
            ]
        )
        #expect(root("{ not: { present: level } }", "{ set: level, value: 2 }") == [])
        #expect(root("always", "complete").filter { $0.contains("stays the root") } == [])
        #expect(
            root("{ not: signedIn }", "cancel").contains {
                $0.contains("nothing that 'start' does ends it as the root, so 'start' stays the root")
            }
        )
    }

    /// An app whose root signs in, and one of whose destinations needs a fresh sign-in, for which its flow does something else.
    private static let underRoot = """
        name: Demo
        schemes: [demo]
        facts: { bye: { type: boolean, scope: app, default: false } }
        roots: [{ flow: login, when: { not: signedIn } }, { flow: leaving, when: { fact: bye, equals: true } }]
        tabs: { home: home }
        preconditions: { fresh: { holds: freshSignIn, flow: pay } }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          play: { ancestry: [home], preconditions: [fresh], routes: ["demo://play"] }
          over: { ancestry: current, presentation: sheet, routes: ["demo://over"] }
        flows:
          login:
            completionNeedsUser: true
            screens: [name]
            intents: { named: { parameters: { user: string }, effects: [{ complete: { user: user } }] } }
          leaving: { screens: [farewell], intents: { left: { effects: [{ set: bye, value: false }, signOut, complete] } } }
          pay:
            screens: [till]
            intents: { paid: { parameters: { user: string }, effects: [complete] } }

        """

    /// What the app's intents do, what else is changed, and whether the gate may open by it.
    static let aroundRoots: [(intents: String, from: String, to: String, opens: Bool)] = [
        ("{ tapped: { effects: [{ route: home }] } }", "", "", false),
        ("{ tapped: { effects: [{ openWindow: home }] } }", "", "", false),
        ("{ tapped: { effects: [{ route: play }] } }", "", "", false),
        ("{ tapped: { effects: [{ route: over }] } }", "", "", false),
        // Who signs out, or says farewell, comes to the root that signs in.
        ("{ tapped: { effects: [{ route: home }, signOut] } }", "", "", true),
        ("{ tapped: { effects: [{ route: home }, { set: bye, value: true }] } }", "", "", true),
        ("{ tapped: { effects: [{ route: home }, { set: bye, value: false }] } }", "", "", false),
        (
            "{ tapped: { effects: [{ route: home }] }, left: { screens: [home], effects: [signOut] } }", "", "", true
        ),
        ("{ tapped: { effects: [{ route: home }] } }", "effects: [complete]", "effects: [signOut, complete]", true),
        // Time passes.
        (
            "{ tapped: { effects: [{ route: home }] } }", "{ not: signedIn }",
            "{ any: [{ not: signedIn }, { period: { from: 2030-01-01 } }] }", true
        ),
        // What comes over the root needs a fresh sign-in, too.
        (
            "{ tapped: { effects: [{ route: home }] } }", "presentation: sheet,",
            "presentation: sheet, preconditions: [fresh],", true
        ),
    ]

    @Test("open by a root's flow only where that root may be shown", arguments: aroundRoots)
    func opensByRoot(intents: String, from: String, to: String, opens: Bool) {
        var text = Self.underRoot + "intents: \(intents)\n"
        if !from.isEmpty {
            #expect(text.contains(from))
            text = text.replacing(from, with: to)
        }
        let problems = Self.problems(text)
        #expect(!problems.contains { $0.contains("error:") }, "\(problems)")
        #expect(problems.contains { $0.contains("makes 'fresh' hold, so") } != opens, "\(problems)")
    }

    private static let rootUnder =
        "warning: roots[0].flow: what 'login' does could end it as the root only by a 'when' that never holds while it is the root, so 'login' "
        + "stays the root; expected a 'when' that may hold together with that of the root"
    private static let gateUnder =
        "warning: preconditions.fresh.flow: what 'pay' does could make 'fresh' hold only by a 'when' that never holds before, so what waits for "
        + "it waits until it is given up; expected a 'when' that may hold while 'fresh' does not"

    /// The effects of the root's flow and of the gate's, and what is warned of.
    static let conditional: [(root: String, gate: String, warning: String?)] = [
        ("{ complete: { user: user }, when: signedIn }", "{ complete: { user: user } }", rootUnder),
        (
            "{ complete: { user: user }, when: signedIn }, { set: bye, value: true }", "{ complete: { user: user } }",
            rootUnder
        ),
        (
            "{ complete: { user: user }, when: { all: [{ fact: bye, equals: true }, signedIn] } }",
            "{ complete: { user: user } }", rootUnder
        ),
        ("{ complete: { user: user } }", "{ set: bye, value: true, when: { fact: bye, equals: true } }", gateUnder),
        (
            "{ complete: { user: user } }", "{ set: bye, value: true, when: { fact: bye, equals: true } }, complete",
            gateUnder.replacing(
                "waits until it is given up",
                with: "ends rejected as gateUnsatisfied once the flow completes"
            )
        ),
        ("{ complete: { user: user } }", "{ complete: { user: user }, when: signedIn }", nil),
        ("{ complete: { user: user }, when: { not: signedIn } }", "{ complete: { user: user } }", nil),
        (
            "{ complete: { user: user }, when: { any: [signedIn, { fact: bye, equals: true }] } }",
            "{ complete: { user: user } }", nil
        ),
        (
            "{ complete: { user: user }, when: { fact: bye, equals: true } }",
            "{ complete: { user: user }, when: { fact: bye, equals: true } }", nil
        ),
        (
            "{ complete: { user: user }, when: signedIn }, { complete: { user: user }, when: { not: signedIn } }",
            "{ complete: { user: user } }", nil
        ),
    ]

    @Test("are warned of where what would open them needs them to be open", arguments: conditional)
    func needsItself(root: String, gate: String, warning: String?) {
        let text = Self.underRoot.replacing("effects: [{ complete: { user: user } }]", with: "effects: [\(root)]")
            .replacing("effects: [complete]", with: "effects: [\(gate)]")
            .replacing("freshSignIn", with: gate.contains("set:") ? "{ fact: bye, equals: true }" : "freshSignIn")
        let problems = Self.problems(text).filter { $0.contains("could") }.map { String($0.drop { $0 != "w" }) }
        #expect(problems == [warning].compactMap(\.self), "\(Self.problems(text))")
    }

    @Test("may be opened in a list of effects that makes its own condition hold")
    func conditionalAfter() {
        let text = Self.underRoot.replacing("{ not: signedIn }", with: "{ fact: bye, equals: false }")
            .replacing(
                "effects: [{ complete: { user: user } }]",
                with:
                    "effects: [{ set: bye, value: true }, { complete: { user: user }, when: { fact: bye, equals: true } }]"
            )
        #expect(Self.problems(text).filter { $0.contains("could") } == [])
    }

    /// A gate, or a root, whose flow `ask` does little itself.
    struct Need: CustomTestStringConvertible, Sendable {
        let line: String
        let testDescription: String

        static func gate(_ holds: String) -> Need {
            Need(
                line: "preconditions: { gate: { holds: \(holds), flow: ask }, GATES }",
                testDescription: "gate \(holds)"
            )
        }

        static func root(_ when: String, after other: String = "") -> Need {
            Need(
                line: "preconditions: { gate: { holds: { fact: b, equals: true }, flow: agree }, GATES }\n"
                    + "roots: [\(other){ flow: ask, when: \(when) }]",
                testDescription: "root \(other)\(when)"
            )
        }
    }

    /// What `ask` does, the intents of the app, what else is replaced, and whether the need may be met.
    struct Around: Sendable {
        let need: Need
        let effects: String
        var intents = ""
        var changes: [FlowEndingTests.Change] = []
        let opens: Bool
    }

    private static let isSet: Need = .gate("{ fact: a, equals: true }")
    private static let isSetAtRoot: Need = .root("{ fact: a, equals: false }")
    private static let signedIn: Need = .gate("signedIn")
    private static let signedInAtRoot: Need = .root("{ not: signedIn }")
    private static let linked: FlowEndingTests.Change = (
        "sheet, flow: sign }", "sheet, flow: sign, routes: [\"demo://sign\"] }"
    )

    static let around: [Around] = [
        // Nothing comes of it.
        Around(need: isSet, effects: "cancel", opens: false),
        Around(need: isSet, effects: "{ answer: { n: 1 } }", opens: false),
        Around(need: isSet, effects: "{ route: page }", opens: false),
        Around(need: isSetAtRoot, effects: "{ answer: { n: 1 } }", opens: false),
        Around(need: signedIn, effects: "cancel", opens: false),
        Around(need: signedInAtRoot, effects: "{ answer: { n: 1 } }", opens: false),
        Around(need: signedInAtRoot, effects: "{ route: over }", opens: false),
        // A sheet with a flow of its own, over a root or a gate's flow.
        Around(need: signedInAtRoot, effects: "{ route: sign }", opens: true),
        Around(need: signedIn, effects: "{ route: sign }", opens: true),
        Around(
            need: signedInAtRoot,
            effects: "{ route: sign }",
            changes: [("[{ complete: { user: user } }]", "[cancel]")],
            opens: false
        ),
        // Such a sheet comes by a link or a push, too, whatever the flow does.
        Around(need: signedInAtRoot, effects: "{ answer: { n: 1 } }", changes: [linked], opens: true),
        Around(need: signedIn, effects: "cancel", changes: [linked], opens: true),
        Around(
            need: signedIn,
            effects: "cancel",
            changes: [("\nflows:", "\nadapters: [{ name: mail, kinds: [push], destination: sign }]\nflows:")],
            opens: true
        ),
        Around(
            need: signedIn,
            effects: "cancel",
            changes: [linked, ("[{ complete: { user: user } }]", "[cancel]")],
            opens: false
        ),
        // An intent of the app, of the flow's screen or of any, also by an action of a notification.
        Around(
            need: isSet,
            effects: "cancel",
            intents: "said: { screens: [first], effects: [{ set: a, value: true }] }",
            opens: true
        ),
        Around(
            need: isSet,
            effects: "cancel",
            intents: "said: { screens: [item], effects: [{ set: a, value: true }] }",
            opens: false
        ),
        Around(need: isSet, effects: "cancel", intents: "said: { effects: [{ set: a, value: true }] }", opens: true),
        Around(need: isSet, effects: "cancel", intents: "said: { effects: [{ set: a, value: false }] }", opens: false),
        Around(
            need: isSetAtRoot,
            effects: "{ answer: { n: 1 } }",
            intents: "said: { effects: [{ set: a, value: true }] }",
            opens: true
        ),
        Around(
            need: isSet,
            effects: "cancel",
            intents: "said: { effects: [{ set: a, value: true }] }",
            changes: [
                ("\nflows:", "\nnotificationCategories: { asked: { actions: { ok: { intent: said } } } }\nflows:")
            ],
            opens: true
        ),
        // Another gate's flow, a window, a sheet, a flow that is started.
        Around(need: isSet, effects: "{ route: asked }", opens: true),
        Around(
            need: isSet,
            effects: "{ openWindow: page }",
            intents: "said: { screens: [page], effects: [{ set: a, value: true }] }",
            opens: true
        ),
        Around(
            need: isSetAtRoot,
            effects: "{ route: over }",
            intents: "said: { screens: [over], effects: [{ set: a, value: true }] }",
            opens: true
        ),
        Around(
            need: isSetAtRoot,
            effects: "{ route: page }",
            intents: "said: { screens: [page], effects: [{ set: a, value: true }] }",
            opens: false
        ),
        Around(need: signedIn, effects: "{ start: sign }", opens: true),
        // What nothing in the manifest changes comes from outside.
        Around(need: .gate("{ fact: m, equals: true }"), effects: "cancel", opens: true),
        Around(need: .gate("{ fact: m, equals: true }"), effects: "complete", opens: true),
        Around(need: .root("{ fact: m, equals: true }"), effects: "{ answer: { n: 1 } }", opens: true),
        Around(
            need: .root("{ fact: m, equals: true }"),
            effects: "{ answer: { n: 1 } }",
            intents: "said: { screens: [item], effects: [{ set: m, value: true }] }",
            opens: false
        ),
        // Time passes, and the app gets a newer version.
        Around(need: .gate("{ period: { from: 2030-01-01 } }"), effects: "cancel", opens: true),
        Around(need: .root("{ period: { until: 2030-01-01 } }"), effects: "{ answer: { n: 1 } }", opens: true),
        Around(need: .root("{ appVersion: { less: '2' } }"), effects: "{ answer: { n: 1 } }", opens: true),
        // One root leads to another.
        Around(
            need: .root("{ not: signedIn }", after: "{ flow: sign, when: { fact: a, equals: true } }, "),
            effects: "{ set: a, value: true }",
            opens: true
        ),
        Around(
            need: .root("{ not: signedIn }", after: "{ flow: sign, when: { fact: a, equals: true } }, "),
            effects: "{ set: a, value: false }",
            opens: false
        ),
    ]

    @Test(
        "are silent where something may come of it by an event, a value or the time, and only there",
        arguments: around
    )
    func mayCome(around: Around) {
        var text = """
            name: Demo
            schemes: [demo]
            facts: { a: { type: boolean, default: false }, b: { type: boolean, default: false }, m: { type: boolean, scope: app, default: false } }
            tabs: { home: home }
            \(around.need.line.replacing("GATES", with: "other: { holds: { fact: b, equals: true }, flow: agree }"))
            destinations:
              home: { tab: home, routes: ["demo://home"] }
              item: { ancestry: [home], preconditions: [gate], routes: ["demo://item"] }
              page: { ancestry: [home] }
              over: { ancestry: current, presentation: sheet }
              sign: { ancestry: current, presentation: sheet, flow: sign }
              asked: { ancestry: current, presentation: sheet, preconditions: [other] }
            configurations: { default: {} }
            flows:
              ask: { screens: [first], intents: { done: { effects: [\(around.effects)] } } }
              sign: { completionNeedsUser: true, screens: [sign], intents: { signed: { parameters: { user: string }, effects: [{ complete: { user: user } }] }, left: { effects: [cancel] } } }
              agree: { screens: [text], intents: { agreed: { effects: [{ set: a, value: true }, { set: b, value: true }, complete] } } }
            intents: { cleared: { screens: [item], effects: [{ reset: a }] }, \(around.intents) }
            """
        for (from, to) in around.changes {
            #expect(text.contains(from))
            text = text.replacing(from, with: to)
        }
        let problems = Self.problems(text)
        #expect(!problems.contains { $0.contains("error:") }, "\(problems)")
        let warned = problems.filter {
            $0.contains("'ask'") && ($0.contains("so what waits for") || $0.contains("stays the root"))
        }
        #expect(warned.count == (around.opens ? 0 : 1), "\(problems)")
    }

    @Test("are looked for in a time that grows with the file")
    func time() {
        func manifest(_ count: Int) -> String {
            let gates = (0..<count).map { "  g\($0): { holds: { fact: agreed, equals: true }, flow: f\($0) }" }
            let flows = (0..<count).map {
                "  f\($0): { screens: [text], intents: { done: { effects: [{ start: f\(($0 + 1) % count) }, complete] } } }"
            }
            let intents = (0..<count).map { "  i\($0): { screens: [text], effects: [{ set: code, value: a }] }" }
            return """
                name: Demo
                schemes: [demo]
                facts: { agreed: { type: boolean }, code: { type: string } }
                tabs: { home: home }
                preconditions:
                \(gates.joined(separator: "\n"))
                destinations:
                  home: { tab: home }
                flows:
                \(flows.joined(separator: "\n"))
                intents:
                  cleared: { screens: [home], effects: [{ reset: agreed }] }
                \(intents.joined(separator: "\n"))
                """
        }
        let clock = ContinuousClock()
        let small = clock.measure { _ = Self.problems(manifest(500)) }
        let large = clock.measure { _ = Self.problems(manifest(2_000)) }
        #expect(large < small * 12 + .seconds(1), "\(small), \(large)")
    }
}
