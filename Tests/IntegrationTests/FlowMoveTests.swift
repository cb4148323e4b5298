import Foundation
import SceneClient
import SceneVocabulary
import StrictJSON
import TestFixtures
import Testing

/// What the flows of a manifest do, in an app whose transitions take a quarter of a second of virtual time.
@Suite("Flows of a manifest, over the socket", .timeLimit(.minutes(15)))
struct FlowMoveTests {
    /// A move in a flow that shows start › second › third, and what it shows afterwards.
    private struct Move {
        let effect: String
        let options: String
        let shown: [String]

        init(_ effect: String, _ shown: [String], options: String = "") {
            (self.effect, self.options, self.shown) = (effect, options, shown)
        }

        func declared(animated: Bool) -> String {
            "{ \(effect)\(options)\(animated ? "" : ", animated: false") }"
        }
    }

    private static let moves = [
        Move("push: fourth", ["start(id: i7)", "second", "third", "fourth"]),
        Move(
            "push: form",
            ["start(id: i7)", "second", "third", "form(n: 4)"],
            options: ", parameters: { n: { parameter: n } }"
        ),
        Move("replace: fourth", ["start(id: i7)", "second", "fourth"]),
        Move("back", ["start(id: i7)", "second"]), Move("pop: 1", ["start(id: i7)", "second"]),
        Move("pop: 2", ["start(id: i7)"]), Move("pop: 9", ["start(id: i7)"]),
        Move("popTo: second", ["start(id: i7)", "second"]), Move("popTo: start", ["start(id: i7)"]),
        Move("popToRoot", ["start(id: i7)"]),
        Move("start: other", ["start(id: i7)", "second", "third", "begin"]),
    ]

    /// An app with one flow that makes each of the moves, animated and not.
    private static func manifest() -> String {
        let intents = moves.enumerated().flatMap { number, move in
            [(true, "animated"), (false, "still")].map { isAnimated, name in
                "      \(name)\(number): { parameters: { n: { type: integer, default: 4 } }, effects: "
                    + "[\(move.declared(animated: isAnimated))] }"
            }
        }
        return """
            format: 2
            version: "1"
            name: Moves
            appIDs: [ABCDE12345.com.example.moves]
            schemes: [moves]
            facts:
              known: { type: boolean, scope: app, default: false }
              steps: { type: integer, scope: app, default: 0 }
              items: { type: strings, scope: app, default: [a, b, c] }
            preconditions:
              signedIn: { holds: signedIn, flow: visit }
            tabs: { home: home }
            destinations:
              home: { tab: home, routes: ["moves://home"] }
              item:
                ancestry: [home]
                parameters: { id: { pattern: "i[0-9]" } }
                preconditions: [signedIn]
                routes: ["moves://item/{id}"]
            flows:
              visit:
                completionNeedsUser: true
                screens:
                  - { id: start, parameters: { id: { type: string, default: none } } }
                  - second
                  - third
                  - fourth
                  - { id: form, parameters: { n: { type: integer } } }
                start: [{ when: { all: [{ fact: known, equals: true }, { fact: steps, greater: 2 }] }, screen: third }]
                intents:
                  further: { effects: [{ push: second, animated: false }, { push: third, animated: false }] }
                  counted: { effects: [{ add: steps, value: 3 }] }
                  dropped: { parameters: { item: { type: string } }, effects: [{ remove: items, value: { parameter: item } }] }
                  maybe:
                    effects:
                      - { push: second, animated: false, when: { fact: steps, greater: 2 } }
                      - { push: fourth, animated: false, when: { fact: steps, less: 3 } }
                  done: { parameters: { user: { type: string } }, effects: [{ complete: { user: user } }] }
                  gaveUp: { effects: [cancel] }
            \(intents.joined(separator: "\n"))
              other: { style: fullScreen, screens: [begin], intents: { left: { effects: [cancel] } } }
            """
    }

    private static let transition = Duration.milliseconds(250)

    private static func run(_ body: (LiveDaemon, SceneClient) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/moves.yaml"
        try manifest().write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(["--app", file, "--clock", "virtual", "--transition", "250"]) { daemon in
            try await body(daemon, try await daemon.client())
        }
    }

    /// Opens a window with a link that waits in it for the flow.
    private static func park(_ client: SceneClient) async throws {
        _ = try await client.connect(scene: "A")
        _ = try await client.openURL("moves://item/i7", .init(scene: "A", event: "link", wait: .admitted))
        try await client.advance(by: transition)
        #expect(try await client.receipt(of: "link").outcome == .gated)
    }

    @Test("make each move, which takes the time of a transition if it is animated, and none if it says that it is not")
    func moving() async throws {
        try await Self.run { daemon, client in
            for (number, move) in Self.moves.enumerated() {
                for isAnimated in [true, false] {
                    let what = Comment(rawValue: move.declared(animated: isAnimated))
                    _ = try await client.reset()
                    try await Self.park(client)
                    _ = try await client.sendIntent("further", .init(scene: "A", event: "further", wait: .admitted))
                    try await client.advance(by: .zero)
                    let before = ["home", "start(id: i7)", "second", "third"]
                    #expect(try await client.scene("A").window?.trail == before, what)
                    let name = "\(isAnimated ? "animated" : "still")\(number)"
                    _ = try await client.sendIntent(name, .init(scene: "A", event: "move", wait: .admitted))
                    try await client.advance(by: .zero)
                    if isAnimated {
                        #expect(try await client.scene("A").window?.isTransitioning == true, what)
                        try await client.advance(by: Self.transition - .milliseconds(1))
                        #expect(try await client.receipt(of: "move").outcome == .admitted, what)
                        try await client.advance(by: .milliseconds(1))
                    }
                    #expect(try await client.receipt(of: "move").outcome == .applied, what)
                    let window = try await client.scene("A").window
                    #expect(window?.trail == ["home"] + move.shown && window?.isTransitioning == false, what)
                }
            }
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }

    @Test("begin by what holds, hand on the parameter of the link, and change lists and counters")
    func facts() async throws {
        try await Self.run { _, client in
            try await Self.park(client)
            func send(_ intent: String, _ parameters: [String: String] = [:]) async throws {
                _ = try await client.sendIntent(
                    intent,
                    parameters: parameters,
                    .init(scene: "A", event: intent, wait: .admitted)
                )
                try await client.advance(by: Self.transition)
            }
            func shown() async throws -> [String]? { try await client.scene("A").window?.trail }
            #expect(try await shown() == ["home", "start(id: i7)"], "the link's own parameter")
            try await send("dropped", ["item": "b"])
            #expect(try await client.session().facts["items"] == ["a", "c"])
            try await send("counted")
            #expect(try await client.session().facts["steps"] == 3)
            try await send("maybe")
            #expect(try await shown() == ["home", "start(id: i7)", "second"], "an effect by a condition")
            try await send("gaveUp")
            #expect(try await client.receipt(of: "link").outcome == .abandoned)
            #expect(try await shown() == ["home"])
            // The flow begins elsewhere once both facts hold.
            _ = try await client.commit(set: ["known": true])
            _ = try await client.openURL("moves://item/i8", .init(scene: "A", event: "again", wait: .admitted))
            try await client.advance(by: Self.transition)
            #expect(try await shown() == ["home", "third"])
            try await send("done", ["user": "mina"])
            try await client.advance(by: Self.transition)
            #expect(try await client.receipt(of: "again").outcome == .applied)
            #expect(try await shown() == ["home", "item(id: i8)"])
        }
    }
}
