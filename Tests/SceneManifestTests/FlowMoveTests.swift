import Basics
import SceneManifest
import SceneRouting
import Testing

@Suite("Moves of a flow that come to nothing")
struct FlowMoveTests {
    /// A manifest of an app with one flow, whose screens are a, b and c. It begins with a.
    private static func manifest(_ intents: [String], more: String = "", screens: String = "a, b, c") -> String {
        """
        name: Demo
        schemes: [demo]
        tabs: { home: home }
        preconditions: { signedIn: { holds: signedIn, flow: auth } }
        destinations:
          home: { tab: home }
          item: { ancestry: [home], preconditions: [signedIn], routes: ["demo://item"] }
        flows:
          auth:
            completionNeedsUser: true
            screens: [\(screens)]
            intents:
              done: { parameters: { user: string }, effects: [{ complete: { user: user } }] }
        \(intents.map { "      " + $0 }.joined(separator: "\n"))
        \(more)
        """
    }

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "demo.yaml").map(\.description)
    }

    private static let forward = [
        "ab: { screens: [a], effects: [{ push: b }] }", "bc: { screens: [b], effects: [{ push: c }] }",
    ]

    @Test("are not suspected where each leads somewhere")
    func none() {
        let back = ["back: { screens: [b], effects: [back] }", "root: { screens: [c], effects: [{ popTo: a }] }"]
        #expect(Self.problems(Self.manifest(Self.forward + back)) == [])
    }

    static let dead: [(intents: [String], key: String, warning: String)] = [
        (
            ["ab: { screens: [a], effects: [{ push: b }] }", "x: { screens: [b], effects: [{ push: b }] }"],
            "x.effects[0]",
            "'b' is always on top already when it is pushed, so the event is rejected as pushedTwice; expected another screen"
        ),
        (
            [
                "ab: { screens: [a], effects: [{ push: b }] }",
                "x: { screens: [a], effects: [{ push: b }, { push: b }] }",
            ], "x.effects[1]",
            "'b' is always on top already when it is pushed, so the event is rejected as pushedTwice; expected another screen"
        ),
        (
            ["ab: { screens: [a], effects: [{ push: b }] }", "x: { screens: [a], effects: [{ popTo: b }] }"],
            "x.effects[0]",
            "'b' is never below the screen on top, so it is never gone back to; expected one of a"
        ),
        (
            ["ab: { screens: [a], effects: [{ replace: b }] }", "x: { effects: [{ popTo: a, when: signedIn }] }"],
            "x.effects[0]",
            "'a' is never below the screen on top, so it is never gone back to; expected no move back"
        ),
    ]

    @Test("are warned of with what is on top then, and what would be right", arguments: dead)
    func warns(intents: [String], key: String, warning: String) {
        let problems = Self.problems(Self.manifest(intents, screens: "a, b"))
        #expect(
            problems.count == 1
                && problems.allSatisfy {
                    $0.hasPrefix("demo.yaml:15:") && $0.hasSuffix("warning: flows.auth.intents.\(key): \(warning)")
                },
            "\(problems)"
        )
    }

    @Test("are moves back where a flow shows one screen", arguments: ["back", "popToRoot", "{ pop: 2 }"])
    func back(effect: String) {
        let problems = Self.problems(Self.manifest(["x: { effects: [\(effect)] }"], screens: "a"))
        #expect(
            problems == [
                "demo.yaml:14:22: warning: flows.auth.intents.x.effects[0]: there is never a screen of 'auth' to go back to; "
                    + "expected 'cancel' to leave the flow, or nothing"
            ]
        )
    }

    @Test("are pushes onto a stack that is full")
    func depth() {
        func problems(_ depth: Int) -> [String] {
            Self.problems(Self.manifest(Self.forward, more: "policies: { maximumStackDepth: \(depth) }"))
        }
        #expect(problems(3) == [])
        #expect(
            problems(2) == [
                "demo.yaml:15:37: warning: flows.auth.intents.bc.effects[0]: a stack has as many screens as it may, 2, when 'c' is "
                    + "pushed, so the event is rejected as stackFull; expected 'replace', or a greater 'maximumStackDepth' among the policies"
            ]
        )
        #expect(problems(1).count == 2)
    }

    static let alive = [
        // What is covered may report by itself, so c may be below, and b not on top when it reports.
        "x: { screens: [c], effects: [{ push: c }] }", "x: { screens: [b], effects: [{ popTo: c }] }",
        "x: { screens: [b], effects: [{ push: b }] }", "x: { screens: [a], effects: [{ popTo: a }] }",
        "x: { effects: [{ push: c }] }", "x: { screens: [c], effects: [{ replace: c }] }",
        "x: { screens: [c], effects: [back, { push: c }] }",
        "x: { screens: [c], effects: [{ push: a }, { popTo: c }] }",
        "x: { screens: [c], effects: [{ replace: b, when: signedIn }, { push: c }] }",
    ]

    @Test("are none that move something somewhere", arguments: alive)
    func allowed(intent: String) {
        #expect(Self.problems(Self.manifest(Self.forward + [intent])) == [])
    }

    @Test("are screens that show only each other")
    func islands() {
        let text = Self.manifest(
            ["bc: { screens: [b], effects: [{ push: c }] }", "cb: { screens: [c], effects: [{ push: b }] }"],
            screens: "a, b, c"
        )
        let problems = Self.problems(text)
        #expect(
            problems.map { String($0.drop { $0 != "w" }) }
                == ["b", "c"].enumerated().map { index, screen in
                    "warning: flows.auth.screens[\(index + 1)]: 'auth' shows '\(screen)' only from where it never gets; expected 'push: \(screen)' or "
                        + "'replace: \(screen)' in an effect that a screen which is shown can report"
                },
            "\(problems)"
        )
    }

    // MARK: - Walks

    /// A move of a generated flow.
    private enum Step: CustomStringConvertible {
        case push(String), replace(String), popTo(String), pop(Int), popToRoot

        var description: String {
            switch self {
            case .push(let screen): "{ push: \(screen) }"
            case .replace(let screen): "{ replace: \(screen) }"
            case .popTo(let screen): "{ popTo: \(screen) }"
            case .pop(let count): "{ pop: \(count) }"
            case .popToRoot: "popToRoot"
            }
        }

        /// The stack after it; `nil` if it is refused.
        func applied(to stack: [String], limit: Int) -> [String]? {
            switch self {
            case .push(let screen):
                guard stack.last != screen, stack.count < limit else { return nil }
                return stack + [screen]
            case .replace(let screen): return stack.dropLast() + [screen]
            case .popTo(let screen):
                guard let place = stack.dropLast().lastIndex(of: screen) else { return stack }
                return Array(stack[...place])
            case .pop(let count): return Array(stack.prefix(max(1, stack.count - count)))
            case .popToRoot: return Array(stack.prefix(1))
            }
        }
    }

    @Test("are none that a walk through all stacks makes", arguments: 0..<150)
    func walks(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let screens = ["a", "b", "c"]
        func pick<Element>(_ elements: [Element], _ fallback: Element) -> Element {
            elements.randomElement(using: &generator) ?? fallback
        }
        let limit = Int.random(in: 1...4, using: &generator)
        var intents: [(screens: [String], steps: [Step])] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let reporting = Bool.random(using: &generator) ? [pick(screens, "a")] : []
            let steps: [Step] = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...3: .push(pick(screens, "a"))
                case 4: .replace(pick(screens, "a"))
                case 5: .popTo(pick(screens, "a"))
                case 6: .pop(1)
                default: .popToRoot
                }
            }
            intents.append((reporting, steps))
        }
        // Every stack that there can be, and the moves that changed one.
        var stacks: Set<[String]> = [["a"]]
        var pending = [["a"]]
        var made: Set<String> = []
        while let start = pending.popLast() {
            for (index, intent) in intents.enumerated()
            where intent.screens.isEmpty || intent.screens.contains(where: start.contains) {
                var stack = start
                for (place, step) in intent.steps.enumerated() {
                    guard let next = step.applied(to: stack, limit: limit) else { break }
                    if next != stack { made.insert("flows.auth.intents.i\(index).effects[\(place)]") }
                    stack = next
                    if stacks.insert(stack).inserted { pending.append(stack) }
                }
            }
        }
        let lines = intents.enumerated().map { index, intent in
            "i\(index): { \(intent.screens.isEmpty ? "" : "screens: \(intent.screens), ")effects: [\(intent.steps.map(\.description).joined(separator: ", "))] }"
                .replacing("\"", with: "")
        }
        let text = Self.manifest(lines, more: "policies: { maximumStackDepth: \(limit) }")
        let problems = AppManifest.problems(in: text)
        #expect(
            !problems.contains { $0.severity == .error && !$0.message.contains("cannot go back by") },
            "\(problems)"
        )
        for problem in problems { #expect(!made.contains(problem.key), "\(problem) in\n\(text)") }
        let shown = Set(stacks.joined())
        for (index, screen) in screens.enumerated()
        where problems.contains(where: { $0.key == "flows.auth.screens[\(index)]" }) {
            #expect(!shown.contains(screen), "\(problems) in\n\(text)")
        }
    }
}
