import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// Flows that start others and get their results (<doc:/SceneRuntime/Windows>).
@Suite("Flows that start flows", .timeLimit(.minutes(15)))
struct StartedFlowTests {
    private static let app = """
        name: Nesting
        schemes: [nesting]
        facts: { log: { type: string, scope: app }, given: { type: string, scope: app } }
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: login }
          checked: { holds: { present: log }, flow: code }
        destinations:
          home: { tab: home }
          own: { ancestry: [home], preconditions: [signedIn], routes: ["nesting://own"] }
          safe: { ancestry: [home], preconditions: [checked], routes: ["nesting://safe"] }
        flows:
          login:
            screens: [name, welcome]
            intents:
              named:
                parameters: { user: string }
                effects: [{ start: code, parameters: { user: { parameter: user } } }]
              again: { effects: [{ start: login2 }] }
            after:
              code:
                completed: [{ complete: { user: user } }]
                cancelled: [{ push: welcome }]
          code:
            screens: [{ id: digits, parameters: { user: { type: string, optional: true }, n: { type: integer, maximum: 9, optional: true } } }]
            result: { user: string }
            intents:
              typed: { parameters: { user: string }, effects: [{ complete: { result: { user: { parameter: user } } } }] }
              helped: { effects: [{ start: help }] }
              counted: { parameters: { n: integer }, effects: [{ start: help, parameters: { n: { parameter: n } } }] }
            after: { help: { completed: [{ set: log, value: { parameter: text } }], cancelled: [cancel] } }
          help:
            screens: [{ id: answer, parameters: { n: { type: integer, maximum: 9, optional: true } } }]
            result: { text: { type: string, default: none } }
            intents:
              read: { parameters: { text: string }, effects: [{ complete: { result: { text: { parameter: text } } } }] }
          login2: { screens: [other] }
        """

    private static func host(coordinators: FlowCoordinatorFactory? = nil) throws -> TestHost {
        let manifest = try AppManifest.read(app).manifest
        return try TestHost(edit: { $0 = manifest }, coordinators: coordinators)
    }

    @Test("hand their results up, and each closes back to what was there")
    func threeDeep() async throws {
        let test = try Self.host()
        #expect(try await test.open("nesting://own").outcome == .gated(precondition: "signedIn"))
        #expect(try await test.tap("named", ["user": "mina"]).outcome == .applied)
        #expect(try test.window().modals.last?.stack == [Destination(id: "digits", parameters: ["user": "mina"])])
        #expect(try await test.tap("helped").outcome == .applied)
        #expect(try test.window().modals.map(\.flow) == ["login", "code", "help"])
        let parents = test.records(of: .coordinatorAttached).suffix(2).map { $0.json["parent"]?.stringValue }
        #expect(parents == ["login", "code"])
        #expect(try await test.tap("read", ["text": "look"]).outcome == .applied)
        #expect(test.host.session.snapshot.facts["log"] == .string("look"))
        #expect(try test.window().modals.map(\.flow) == ["login", "code"])
        #expect(try await test.tap("typed", ["user": "mina"]).outcome == .applied)
        await test.host.quiesce()
        #expect(test.host.session.snapshot.user == "mina")
        #expect(try test.window().modals == [])
        #expect(try test.window().stack(of: "home")?.last?.id == "own")
    }

    @Test("are told that another was swiped away, at each level")
    func swiped() async throws {
        let test = try Self.host()
        try await test.open("nesting://own")
        try await test.tap("named", ["user": "mina"])
        try await test.tap("helped")
        // It cancels the flow that started it, whose starter goes on.
        #expect(try await test.act(.gesture(.swipeDown())).outcome == .applied)
        #expect(try test.window().modals.map(\.flow) == ["login"])
        #expect(try test.window().modals.last?.stack.map(\.id) == ["name", "welcome"])
    }

    @Test("end with what they started, which nobody is told of")
    func parentEnds() async throws {
        let test = try Self.host()
        try await test.open("nesting://own")
        try await test.tap("named", ["user": "mina"])
        #expect(try await test.act(.finishFlow("login", .cancelled)).outcome == .applied)
        #expect(try test.window().modals == [])
    }

    @Test("refuse a parameter that the first screen does not allow")
    func notAllowed() async throws {
        let test = try Self.host()
        try await test.open("nesting://own")
        try await test.tap("named", ["user": "mina"])
        #expect(try await test.tap("counted", ["n": "10"]).outcome == .rejected(reason: "intentFailed"))
        #expect(try await test.tap("counted", ["n": "9"]).outcome == .applied)
    }

    @Test("stay when nothing waits at their gate any more, for the flow that started them")
    func atGate() async throws {
        let test = try Self.host()
        try await test.open("nesting://own")
        try await test.tap("named", ["user": "mina"])
        #expect(try await test.open("nesting://safe").outcome != .rejected(reason: "stackFull"))
        await test.host.quiesce()
        #expect(try test.window().modals.map(\.flow).contains("code"))
    }

    private final class Asking: FlowCoordinator {
        func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
            switch intent.name {
            case "ask": [.start(flow: intent.parameters["flow"] ?? "help", parameters: ["n": "3"], animated: false)]
            case "wrong": [.start(flow: "help", parameters: ["n": "10"])]
            default: nil
            }
        }

        func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) -> [FlowCommand] {
            guard case .completed(let completion) = result, context.hasStarted else { return [] }
            return [.session(.set(fact: "given", .string(completion.values["text"] ?? "nothing")))]
        }
    }

    @Test("are started from Swift, and hand it their values")
    func inSwift() async throws {
        let test = try Self.host { flow, _ in flow == "login" ? Asking() : nil }
        try await test.open("nesting://own")
        #expect(try await test.tap("wrong").outcome == .rejected(reason: "intentFailed"))
        #expect(try await test.tap("ask", ["flow": "nobody"]).outcome == .rejected(reason: "noSuchFlow"))
        #expect(try await test.tap("ask", ["flow": "login"]).outcome == .rejected(reason: "flowShown"))
        #expect(try await test.tap("ask").outcome == .applied)
        #expect(try test.window().modals.last?.stack == [Destination(id: "answer", parameters: ["n": "3"])])
        // The intent bubbles up from what is in front, and only that can present.
        #expect(try await test.tap("ask", ["flow": "code"]).outcome == .rejected(reason: "alreadyPresenting"))
        let result = FlowResult.completed(FlowCompletion(values: ["text": "yes"]))
        #expect(try await test.act(.finishFlow("help", result)).outcome == .applied)
        #expect(test.host.session.snapshot.facts["given"] == .string("yes"))
        #expect(try test.window().modals.map(\.flow) == ["login"])
    }
}
