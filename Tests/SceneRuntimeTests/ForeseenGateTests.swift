import Basics
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Random apps whose gates flows open, or do not, walked from the gate on.
@Suite("What a manifest's gate is said to stay", .timeLimit(.minutes(15)))
struct ForeseenGateTests {
    private static let said = "makes 'agreed' hold"

    private static func text(_ random: inout SplitMix) -> (text: String, intents: [String]) {
        var intents: [String] = []
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? texts[0] }
        /// An effect; few of them open the gate.
        func effect(inFlow: Bool) -> String {
            switch Int.random(in: 0..<(inFlow ? 9 : 6), using: &random) {
            case 0:
                pick(["{ set: agreed, value: true }", "{ set: agreed, value: false }", "{ set: other, value: true }"])
            case 1: "{ set: other, value: true }"
            case 2, 3: "{ route: \(pick(["info", "deep", "aside", "over", "home"])) }"
            case 4: "{ reset: agreed }"
            case 5:
                pick([
                    "{ route: info, when: { fact: other, equals: true } }", "{ set: agreed, value: { fact: other } }",
                    "signOut",
                ])
            case 6: "{ push: more }"
            case 7: "{ start: asking }"
            default: "complete"
            }
        }
        func declared(_ names: [String], screens: [String], inFlow: Bool) -> String {
            names.map { name in
                intents.append(name)
                let screen = Bool.random(using: &random) ? "screens: [\(pick(screens))], " : ""
                return "\(name): { \(screen)effects: [\(effect(inFlow: inFlow))] }"
            }
            .joined(separator: ", ")
        }
        let own = declared(["t1", "t2", "t3"], screens: ["text", "more"], inFlow: true)
        let asked = declared(["q1", "q2"], screens: ["question"], inFlow: true).replacing(
            "{ push: more }",
            with: "cancel"
        )
        .replacing("{ start: asking }", with: "complete")
        let app = declared(
            ["a1", "a2", "a3"],
            screens: ["home", "info", "deep", "aside", "over", "text"],
            inFlow: false
        )
        let text = """
            name: Demo
            schemes: [demo]
            facts: { agreed: { type: boolean }, other: { type: boolean } }
            tabs: { home: home, side: side }
            preconditions: { agreed: { holds: { fact: agreed, equals: true }, flow: terms } }
            destinations:
              home: { tab: home, routes: ["demo://home"] }
              side: { tab: side }
              item: { ancestry: [home], preconditions: [agreed], routes: ["demo://item"] }
              info: { ancestry: [home] }
              deep: { ancestry: [home, info] }
              aside: { ancestry: [side] }
              over: { ancestry: current, presentation: sheet }
            flows:
              terms: { screens: [text, more], intents: { \(own) } }
              asking: { screens: [question], intents: { \(asked) } }
            intents: { \(app) }
            """
        return (text, intents)
    }

    @Test("is closed, whatever is done from there on", arguments: 0..<80)
    func walk(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let (text, intents) = Self.text(&random)
        let read = try AppManifest.read(text)
        guard read.warnings.contains(where: { $0.message.contains(Self.said) }) else { return }
        for _ in 0..<4 {
            let app = try TestHost(windows: ["A"]) { $0 = read.manifest }
            try await app.host.session.signIn(user: "ada")
            try await app.open("demo://item")
            var hasLeft = false
            for _ in 0..<40 {
                let before = try app.window()
                let isShown = before.modals.contains { $0.flow == "terms" }
                // What is done after the flow has been closed by hand, or has ended, is not what it leads to.
                guard isShown || hasLeft else { break }
                let intent = intents.randomElement(using: &random) ?? "t1"
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where !isShown:
                    try await app.act(.gesture(.selectTab(Bool.random(using: &random) ? "home" : "side")))
                case 1 where !isShown: try await app.act(.gesture(.swipeBack()))
                default: try await app.tap(intent)
                }
                let isThere = try app.window().modals.contains { $0.flow == "terms" }
                if isShown, !isThere {
                    let routes = text.firstMatch(of: try Regex("\(intent): \\{[^}]*route:"))
                    hasLeft = routes != nil
                }
                let agreed = app.host.session.snapshot.facts["agreed"]
                #expect(agreed != .boolean(true), "\(intent) in\n\(text)")
            }
        }
    }

    @Test("is closed, of some, and not of all")
    func some() throws {
        let said = try (UInt64(0)..<80).filter { seed in
            var random = SplitMix(seed: seed)
            return try AppManifest.read(Self.text(&random).text).warnings.contains { $0.message.contains(Self.said) }
        }
        #expect((5..<75).contains(said.count), "\(said.count)")
    }
}
