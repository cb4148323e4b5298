import Basics
import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// What `scenectl app compare --save` writes.
@Suite("Scripts of differences", .timeLimit(.minutes(15)))
struct AppCompareScriptTests {
    private static let scenectl = Command.built("scenectl")

    /// A new app without one part of its manifest, whatever that is: a member of an object or an element of a list. It is small, so that
    /// walks soon come to most of it.
    static let reduced: [String] = {
        guard let text = try? String(contentsOf: NewApp.manifest, encoding: .utf8),
            let manifest = try? JSONValue(parsing: AppManifest.json(of: text))
        else { return [] }
        return without(manifest).map { $0.text() }.filter { text in
            (try? NamedManifest("reduced.json") { _ in text }.read()) != nil
        }
    }()

    /// The value without each of its parts, at any depth.
    private static func without(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let members):
            members.flatMap { name, member -> [JSONValue] in
                var rest = members
                rest[name] = nil
                return [.object(rest)]
                    + without(member).map { changed in
                        var others = members
                        others[name] = changed
                        return .object(others)
                    }
            }
        case .array(let elements):
            elements.indices.flatMap { index -> [JSONValue] in
                var rest = elements
                rest.remove(at: index)
                return [.array(rest)]
                    + without(elements[index]).map { changed in
                        var others = elements
                        others[index] = changed
                        return .array(others)
                    }
            }
        default: []
        }
    }

    /// What only a play of the saved script says.
    private static func play(_ script: String, on app: String) async throws -> Program.Outcome {
        try await Program.run(
            scenectl,
            ["with-daemon", "--app", app, "--clock", "virtual", "--", scenectl, "play", script, "--reset"]
        )
    }

    @Test("pass on A and fail on B, whichever of the two has more; there is one for each part that says something")
    func tellApart() async throws {
        let directory = try TemporaryDirectory()
        // Spread over all of them.
        let count = 8
        try #require(Self.reduced.count >= count)
        let whole = try AppManifest.read(String(contentsOf: NewApp.manifest, encoding: .utf8)).manifest
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let text = Self.reduced[number * Self.reduced.count / count]
                let file = "\(directory.path)/reduced-\(number).json"
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                // What is written is also what holds without it.
                let isSame = try AppManifest.read(text).manifest == whole
                group.addTask {
                    async let more = Self.tells(NewApp.manifest.path, file, script: "\(file)-more.jsonl")
                    let less = try await Self.tells(file, NewApp.manifest.path, script: "\(file)-less.jsonl")
                    // A walk does what A declares, so one of the two may have no reason to come to it.
                    let isTold = try await more || less
                    #expect(isTold == !isSame, "\(text)")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Checks the script of the difference between two apps.
    /// - Returns: Whether there is one.
    private static func tells(_ a: String, _ b: String, script: String) async throws -> Bool {
        let outcome = try await Program.run(
            scenectl,
            ["app", "compare", a, b, "--seed", "1", "--steps", "400", "--save", script, "--json"]
        )
        if outcome.status == .exited(0) { return false }
        try #require(outcome.status == .exited(1), "\(outcome.output)\(outcome.errors)")
        let saved = try JSONValue(parsing: outcome.output)["saved"]
        #expect(saved?["onA"] == [] && saved?["onB"] != [], "\(outcome.output)\(outcome.errors)")
        let onA = try await play(script, on: a)
        #expect(onA.status == .exited(0), "\(onA.output)\(onA.errors)\(outcome.output)")
        let onB = try await play(script, on: b)
        #expect(onB.status == .exited(1), "\(onB.output)\(onB.errors)\(outcome.output)")
        return true
    }

    /// A change of the app that `scenectl app new` writes, and a step after the first window's that shows it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let right: String
        let wrong: String
        let step: String
        /// What only the script's expectations can say of B.
        let place: String
        /// The manifest that is changed.
        var app = (try? String(contentsOf: NewApp.manifest, encoding: .utf8)) ?? ""
    }

    private static let taken =
        #"{ call: Events.SendIntent, parameters: { name: offerTaken, parameters: { id: o1 }, scene: A } }"#

    static let changes = [
        Change(
            testDescription: "a fact that A does not declare",
            right: "facts:\n",
            wrong: "facts:\n  bonus: { type: integer, default: 7 }\n",
            step: taken,
            place: "session.facts.bonus"
        ),
        Change(
            testDescription: "a window that only B opens",
            right: "      - { add: taken, value: 1 }\n",
            wrong: "      - { add: taken, value: 1 }\n      - { openWindow: offers }\n",
            step: taken,
            place: "scenes"
        ),
        Change(
            testDescription: "a sign-in that only B makes stale",
            right: "      - { add: taken, value: 1 }\n",
            wrong: "      - { add: taken, value: 1 }\n      - markStale\n",
            step: "{ call: Session.SignIn, parameters: { user: anna } }\n- \(taken)",
            place: "session.stale"
        ),
        Change(
            testDescription: "the parameters of a refusal",
            right: #"    parameters: { id: { pattern: "o[0-9]{1,6}" } }\#n    preconditions"#,
            wrong: #"    parameters: { id: { pattern: "o[0-9]{1,7}" } }\#n    preconditions"#,
            step: #"{ call: Events.OpenURL, parameters: { url: "newapp://offer/x", scene: A } }"#,
            place: "parameters"
        ),
        Change(
            testDescription: "the text of a condition",
            right: "the cart is empty",
            wrong: "there is nothing in the cart",
            step: """
                { call: Session.SignIn, parameters: { user: anna, facts: { paymentMethod: card } } }
                - { call: Events.OpenURL, parameters: { url: "qcommerce://checkout", scene: A } }
                """,
            place: "reason",
            app: ExampleApp.shop.text
        ),
        Change(
            testDescription: "a condition that only B has",
            right: "    conditions: [cartNotEmpty]\n",
            wrong: "    conditions: [cartNotEmpty, inStock]\n    parameters: { id: { type: string, default: p1 } }\n",
            step: """
                { call: Session.SignIn, parameters: { user: anna, facts: { paymentMethod: card, cart: [p1], unavailable: [p1] } } }
                - { call: Events.OpenURL, parameters: { url: "qcommerce://checkout", scene: A } }
                """,
            place: "out of stock",
            app: ExampleApp.shop.text
        ),
    ]

    @Test("say what is not there on A, and with what A refuses", arguments: changes)
    func absence(change: Change) async throws {
        let directory = try TemporaryDirectory()
        let right = "\(directory.path)/right.yaml"
        let wrong = "\(directory.path)/wrong.yaml"
        let text = change.app
        try #require(text.contains(change.right))
        try text.write(toFile: right, atomically: true, encoding: .utf8)
        try text.replacing(change.right, with: change.wrong).write(toFile: wrong, atomically: true, encoding: .utf8)
        let steps = "\(directory.path)/steps.yaml"
        try "- { call: Scenes.Connect, parameters: { scene: A } }\n- \(change.step)\n"
            .write(toFile: steps, atomically: true, encoding: .utf8)
        let script = "\(directory.path)/difference.jsonl"
        let outcome = try await Program.run(
            Self.scenectl,
            ["app", "compare", right, wrong, "--script", steps, "--save", script]
        )
        try #require(outcome.status == .exited(1), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors == "")
        let onA = try await Self.play(script, on: right)
        #expect(onA.status == .exited(0), "\(onA.output)\(onA.errors)")
        let onB = try await Self.play(script, on: wrong)
        #expect(onB.status == .exited(1) && onB.output.contains(change.place), "\(onB.output)\(onB.errors)")
    }

    @Test("that cannot be written leave the difference to be read, and another status than its own")
    func unwritten() async throws {
        let outcome = try await Program.run(
            Self.scenectl,
            ["app", "compare", NewApp.manifest.path, "shop", "--seed", "1", "--save", "/dev/full"]
        )
        #expect(outcome.status == .exited(2))
        #expect(outcome.output.contains("they differ"))
        #expect(outcome.errors == "scenectl: --save /dev/full: No space left on device.\n")
    }
}

/// What `scenectl app new` writes.
private enum NewApp {
    static let manifest = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/AppTemplate/NewApp/Sources/NewApp/NewApp.yaml")
}
