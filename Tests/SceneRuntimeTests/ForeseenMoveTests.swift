import Basics
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Random flows, walked by taps, by what covered screens report, and by swipes back.
@Suite("What a manifest's moves are said to come to", .timeLimit(.minutes(15)))
struct ForeseenMoveTests {
    private static let screens = ["a", "b", "c"]

    /// A manifest with a flow that a gate shows, and its intents, each with one effect.
    private static func text(_ random: inout SplitMix) -> (text: String, intents: [String]) {
        func screen() -> String { screens.randomElement(using: &random) ?? "a" }
        let lines = (0..<Int.random(in: 1...5, using: &random)).map { index in
            let effect =
                switch Int.random(in: 0..<7, using: &random) {
                case 0...2: "{ push: \(screen()) }"
                case 3: "{ replace: \(screen()) }"
                case 4: "{ popTo: \(screen()) }"
                case 5: "back"
                default: "popToRoot"
                }
            let screens = Bool.random(using: &random) ? "screens: [\(screen())], " : ""
            return "      i\(index): { \(screens)effects: [\(effect)] }"
        }
        let text = """
            name: Demo
            schemes: [demo]
            tabs: { home: home }
            policies: { maximumStackDepth: \(Int.random(in: 1...4, using: &random)) }
            preconditions: { signedIn: { holds: signedIn, flow: auth } }
            destinations:
              home: { tab: home, routes: ["demo://home"] }
              item: { ancestry: [home], preconditions: [signedIn], routes: ["demo://item"] }
            flows:
              auth:
                completionNeedsUser: true
                screens: [a, b, c]
                intents:
                  done: { parameters: { user: string }, effects: [{ complete: { user: user } }] }
            \(lines.joined(separator: "\n"))
            """
        return (text, lines.indices.map { "i\($0)" })
    }

    @Test("is what they come to in a window", arguments: 0..<60)
    func walk(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let (text, intents) = Self.text(&random)
        let read = try AppManifest.read(text)
        let dead = Set(read.warnings.map(\.key))
        let app = try TestHost(windows: ["A"]) { $0 = read.manifest }
        try await app.open("demo://item")
        var seen: Set<String> = []
        for _ in 0..<60 {
            let before = try app.window()
            let stack = before.modals.last?.stack.map(\.id) ?? []
            try #require(!stack.isEmpty, "the flow is still there")
            seen.formUnion(stack)
            if Int.random(in: 0..<6, using: &random) == 0 {
                if stack.count > 1 { try await app.act(.gesture(.swipeBack())) }
                continue
            }
            let intent = intents.randomElement(using: &random) ?? "i0"
            let reporting = Bool.random(using: &random) ? stack.randomElement(using: &random) : nil
            try await app.act(.intent(Intent(name: intent), from: reporting))
            if try app.window() != before {
                #expect(!dead.contains("flows.auth.intents.\(intent).effects[0]"), "\(intent) of \(stack) in\n\(text)")
            }
        }
        for (index, screen) in Self.screens.enumerated() where dead.contains("flows.auth.screens[\(index)]") {
            #expect(!seen.contains(screen), "\(screen) in\n\(text)")
        }
    }

    @Test("is nothing for some of them")
    func some() throws {
        var counts: [String: Int] = [:]
        for seed in UInt64(0)..<60 {
            var random = SplitMix(seed: seed)
            for warning in try AppManifest.read(Self.text(&random).text).warnings {
                let kinds = ["pushedTwice", "stackFull", "never below", "to go back to", "only from where"]
                for kind in kinds where warning.message.contains(kind) { counts[kind, default: 0] += 1 }
            }
        }
        #expect(counts.count >= 4, "\(counts)")
    }
}
