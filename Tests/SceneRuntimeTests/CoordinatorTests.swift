import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Basics
import Testing

@Suite("Coordinators written in Swift", .timeLimit(.minutes(15)))
struct CoordinatorTests {
    @Test("a flow starts with the screens that its coordinator chooses, as far as they can be shown")
    func start() async throws {
        let shop = try Self.shop { $0.start = [Destination(id: "login"), Destination(id: "createAccount")] }
        #expect(try await shop.open("cart").outcome == .gated(precondition: "signedIn"))
        #expect(try shop.shown() == "home › auth[login › createAccount]")
        let other = try Self.shop { $0.start = [Destination(id: "login"), Destination(id: "nowhere")] }
        try await other.open("cart")
        #expect(try other.shown() == "home › auth[login]")
        let none = try Self.shop { $0.start = [Destination(id: "cart")] }
        try await none.open("cart")
        #expect(try none.shown() == "home › auth[login]")
    }

    @Test("push, pop, pop to the root and replace move within the flow, animated or not")
    func moves() async throws {
        let clock = ManualClock()
        let shop = try Self.shop(clock: clock) { script in
            script.answers = [
                "two": [
                    .push(Destination(id: "createAccount"), animated: false),
                    .push(Destination(id: "emailVerification"), animated: false),
                ], "third": [.push(Destination(id: "password"), animated: false)],
                "back2": [.pop(2, animated: false)], "root": [.popToRoot(animated: false)],
                "other": [.replace(Destination(id: "welcome"), animated: false)], "far": [.pop(9, animated: false)],
                "slow": [.push(Destination(id: "createAccount"))],
            ]
        }
        let cart = try shop.admit("cart")
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        _ = await shop.host.receipt(of: cart)
        try await shop.tap("two")
        #expect(try shop.shown() == "home › auth[login › createAccount › emailVerification]")
        try await shop.tap("third")
        try await shop.tap("back2")
        #expect(try shop.shown() == "home › auth[login › createAccount]")
        try await shop.tap("other")
        #expect(try shop.shown() == "home › auth[login › welcome]")
        try await shop.tap("root")
        #expect(try shop.shown() == "home › auth[login]")
        for nothing in ["root", "far"] { #expect(try await shop.tap(nothing).outcome == .delivered) }
        try await shop.tap("two")
        #expect(try await shop.tap("far").outcome == .applied)
        #expect(try shop.shown() == "home › auth[login]")
        let slow = try shop.admit(.intent(Intent(name: "slow")))
        await clock.waitForSleepers(1)
        #expect(try shop.host.scene("A").isTransitioning)
        await clock.advance(by: .seconds(1))
        #expect(await shop.host.receipt(of: slow).outcome == .applied)
    }

    @Test(
        "a coordinator cannot push what the policy forbids, nor ask for what no window does",
        arguments: [
            (Destination(id: "cart"), "signedIn"), (Destination(id: "product", parameters: ["id": "p9"]), "inStock"),
            (Destination(id: "nowhere"), "destinationGone"), (Destination(id: "login"), "pushedTwice"),
        ]
    )
    func forbidden(screen: Destination, reason: String) async throws {
        let shop = try Self.shop { $0.answers = ["go": [.push(screen)]] }
        try await shop.host.session.commit(set: ["unavailable": .strings(["p9"])])
        try await shop.open("cart")
        #expect(try await shop.tap("go").outcome == .rejected(reason: reason))
        #expect(try shop.shown() == "home › auth[login]")
        #expect(shop.records(of: .violation).isEmpty)
    }

    @Test("session changes come first, in one commit, wherever the answer has them")
    func changesFirst() async throws {
        let shop = try Self.shop { script in
            script.answers = [
                "all": [
                    .push(Destination(id: "createAccount")), .session(.set(fact: "market", .string("de"))),
                    .session(.append(fact: "cart", "p1")), .session(.append(fact: "cart", "p2")),
                    .session(.append(fact: "cart", "p1")),
                ], "wrong": [.session(.set(fact: "nothing", .boolean(true))), .push(Destination(id: "createAccount"))],
            ]
        }
        try await shop.open("cart")
        #expect(try await shop.tap("wrong").outcome == .rejected(reason: "invalidFact: nothing"))
        #expect(try shop.shown() == "home › auth[login]")
        #expect(try await shop.tap("all").outcome == .applied)
        #expect(shop.host.session.snapshot.revision == 1)
        #expect(shop.host.session.snapshot.facts["cart"] == .strings(["p1", "p2"]))
        #expect(shop.records(of: .sessionCommitted).count == 1)
    }

    @Test(
        "S8: what a coordinator wants besides a change of user is done for who is signed in then",
        arguments: [SessionChange.signOut, .signIn(user: "bert")],
        [
            FlowCommand.push(Destination(id: "category", parameters: ["slug": "tea"])),
            .route(Destination(id: "category", parameters: ["slug": "tea"])),
        ]
    )
    func goesOn(change: SessionChange, command: FlowCommand) async throws {
        let script = Script(answers: ["go": [.session(change), command]])
        let shop = try TestHost(coordinators: { flow, _ in flow == "home" ? Scripted(script) : nil })
        try await shop.host.session.signIn(user: "anna")
        #expect(try await shop.tap("go").outcome == .applied)
        #expect(try shop.shown() == "home › category(slug: tea)")
        #expect(shop.host.session.snapshot.epoch == 1)
    }

    @Test("an intent that a coordinator cannot handle is rejected, and the record says why")
    func throwing() async throws {
        let shop = try Self.shop { $0.failing = ["broken"] }
        try await shop.open("cart")
        #expect(try await shop.tap("broken").outcome == .rejected(reason: "intentFailed"))
        let bubbled = try #require(shop.records(of: .intentBubbled).last)
        #expect(
            bubbled.body
                == .intentBubbled(
                    name: "broken",
                    chain: ["screen login", "sheet of auth", "auth"],
                    handler: nil,
                    error: "Broken(name: \"broken\")"
                )
        )
        #expect(try await shop.tap("cartTapped").outcome == .gated(precondition: "signedIn"), "asked further up")
    }

    @Test("a flow's result is handed to its parent once it is committed and off the screen", arguments: [true, false])
    func childFinished(byGesture: Bool) async throws {
        let told = Told()
        let shop = try TestHost(coordinators: { flow, _ in flow == "home" ? Parent(told: told) : nil })
        try await shop.open("cart")
        let result: FlowResult
        if byGesture {
            try await shop.act(.gesture(.swipeDown()))
            result = .cancelled
        } else {
            result = .completed(FlowCompletion(user: "anna"))
            try await shop.act(.finishFlow("auth", result))
        }
        #expect(told.results == [Told.Result(flow: "auth", result: result, user: byGesture ? nil : "anna")])
        await shop.host.quiesce()
        #expect(try shop.shown().hasPrefix(byGesture ? "home › category(slug: tea)" : "home"))
    }

    @Test("the same flow is reusable under several parents, one coordinator at a time")
    func parents() async throws {
        let shop = try TestHost()
        try await shop.open("cart")
        #expect(try shop.host.scene("A").coordinatorTree.last == .init(flow: "auth", parent: "home"))
        try await shop.act(.gesture(.dismiss))
        try await shop.act(.gesture(.selectTab("account")))
        try await shop.tap("cartTapped")
        #expect(try shop.host.scene("A").coordinatorTree.last == .init(flow: "auth", parent: "account"))
        try await shop.act(.gesture(.dismiss))
        let status = try shop.host.scene("A")
        #expect(status.coordinatorsAttached - status.coordinatorsDetached == 3)
        #expect(status.coordinatorsDetached == 2)
    }

    @Test("a coordinator is released with its flow: by gesture, result, sweep, link and with the scene")
    func teardown() async throws {
        let alive = Alive()
        let shop = try TestHost(coordinators: { flow, _ in flow == "auth" ? Counted(alive) : nil })
        for end in 0..<4 {
            try await shop.open("cart")
            #expect(alive.count == 1)
            switch end {
            case 0: try await shop.act(.gesture(.swipeDown()))
            case 1: try await shop.act(.finishFlow("auth", .cancelled))
            case 2: try await shop.open("product/p1")
            default:
                try await shop.host.session.signIn(user: "anna")
                await shop.host.quiesce()
            }
            #expect(alive.count == 0, "\(end)")
        }
        #expect(alive.made == 4)
        await shop.host.session.signOut()
        try await shop.open("cart")
        try await shop.host.discard(scene: "A")
        #expect(alive.count == 0)
    }

    @Test("a coordinator is recorded as attached before its flow is shown, and as detached after it is gone")
    func recordedInOrder() async throws {
        let shop = try TestHost(windows: ["A"])
        let before = shop.host.records.newestIndex
        try await shop.open("cart")
        try await shop.act(.gesture(.dismiss))
        let kinds: Set<RecordKind> = [.coordinatorAttached, .navigationStep, .coordinatorDetached, .gateParked]
        let records = shop.host.records.read(after: before).records.map(\.kind).filter(kinds.contains)
        #expect(records == [.coordinatorAttached, .navigationStep, .gateParked, .navigationStep, .coordinatorDetached])
    }

    @Test("a tab's coordinator may report a result: what it says is committed, for nobody too")
    func tabReports() async throws {
        let result = FlowResult.completed(FlowCompletion(facts: ["market": .string("de")]))
        let shop = try TestHost(coordinators: { flow, _ in
            flow == "home" ? Scripted(Script(answers: ["done": [.finish(result)]])) : nil
        })
        let receipt = try await shop.tap("done")
        #expect(receipt.outcome == .delivered)
        #expect(shop.host.session.snapshot.facts["market"] == .string("de"))
        #expect(try shop.shown() == "home")
    }

    @Test("S8: a result by which another user signs in does not keep its coordinator from going on")
    func goesOnAfterResult() async throws {
        let category = Destination(id: "category", parameters: ["slug": "tea"])
        let result = FlowResult.completed(FlowCompletion(user: "bert"))
        let script = Script(answers: ["done": [.finish(result), .route(category)]])
        let shop = try TestHost(coordinators: { flow, _ in flow == "home" ? Scripted(script) : nil })
        try await shop.host.session.signIn(user: "anna")
        #expect(try await shop.tap("done").outcome == .applied)
        #expect(shop.host.session.snapshot.user == "bert")
        #expect(try shop.shown() == "home › category(slug: tea)")
    }

    @Test("what a flow reports comes after what its coordinator changes besides, and the first that is wrong is named")
    func reportsLast() async throws {
        let wrong = FlowCompletion(facts: ["zero": .boolean(true), "nothing": .boolean(true)])
        let script = Script(answers: [
            "done": [
                .session(.set(fact: "market", .string("at"))),
                .finish(.completed(FlowCompletion(facts: ["market": .string("de")]))),
            ], "wrong": [.finish(.completed(wrong))],
        ])
        let shop = try TestHost(coordinators: { flow, _ in flow == "home" ? Scripted(script) : nil })
        try await shop.tap("done")
        #expect(shop.host.session.snapshot.facts["market"] == .string("de"))
        #expect(shop.records(of: .sessionCommitted).count == 1)
        #expect(try await shop.tap("wrong").outcome == .rejected(reason: "invalidFact: nothing"))
    }

    @Test("where a coordinator wants to go is gone to in order, as long as each is reached")
    func routes() async throws {
        let tea = Destination(id: "category", parameters: ["slug": "tea"])
        let summer = Destination(id: "promo", parameters: ["code": "SUMMER"])
        let script = Script(answers: [
            "both": [.route(tea), .route(summer)], "again": [.route(summer), .route(tea)],
            "stops": [.route(Destination(id: "cart")), .route(summer)],
            "wrong": [.route(Destination(id: "nowhere")), .route(summer)],
        ])
        let shop = try TestHost(coordinators: { flow, _ in flow == "home" ? Scripted(script) : nil })
        #expect(try await shop.tap("both").outcome == .applied)
        #expect(try shop.shown().hasSuffix("› promo(code: SUMMER)"))
        #expect(try await shop.tap("again").outcome == .applied)
        #expect(try shop.shown().hasSuffix("› category(slug: tea)"))
        let before = try shop.shown()
        #expect(try await shop.tap("wrong").outcome == .rejected(reason: "validationFailed: destination"))
        #expect(try shop.shown() == before)
        #expect(try await shop.tap("stops").outcome == .gated(precondition: "signedIn"))
        #expect(try shop.shown() == before + " › auth[login]")
    }

    @Test(
        "what a coordinator wants done when its flow ends is done, in one commit, however it ends",
        arguments: [
            .gesture(.swipeDown()), .gesture(.dismiss), .finishFlow("auth", .cancelled),
            .finishFlow("auth", .completed(FlowCompletion(user: "anna"))),
        ] as [SceneAction]
    )
    func epilogue(end: SceneAction) async throws {
        let shop = try TestHost(windows: ["A"], coordinators: { flow, _ in flow == "auth" ? Parting() : nil })
        try await shop.open("cart")
        #expect(try await shop.act(end).outcome == .applied)
        #expect(shop.host.session.snapshot.facts["market"] == .string("de"))
        #expect(shop.records(of: .sessionCommitted).count == 1)
        await shop.host.quiesce()
        #expect(shop.records(of: .navigationStep).contains { $0.body.pushes("category") })
    }

    @Test("tabs keep their flows; a pushed flow ends with its screens, by gesture or result, and its parent is told")
    func pushedFlow() async throws {
        let (alive, told) = (Alive(), Told())
        let shop = try TestHost { manifest in
            manifest.flows.append(FlowDeclaration(name: "editor", screens: [FlowScreen(id: "settings")]))
            for index in manifest.destinations.indices where manifest.destinations[index].id == "settings" {
                manifest.destinations[index].flow = "editor"
            }
        } coordinators: { flow, _ in
            switch flow {
            case "editor": Counted(alive)
            case "account": Parent(told: told)
            default: nil
            }
        }
        try await shop.host.session.signIn(user: "anna")
        try await shop.open("account/settings/profile")
        #expect(try shop.host.scene("A").coordinatorTree.last == .init(flow: "editor", parent: "account"))
        try await shop.act(.gesture(.selectTab("home")))
        #expect(alive.count == 1)
        try await shop.act(.gesture(.selectTab("account")))
        #expect(try shop.shown() == "account › settings(section: profile)")
        #expect(try await shop.act(.finishFlow("editor", .completed(FlowCompletion()))).outcome == .applied)
        #expect(try shop.shown() == "account")
        #expect(alive.count == 0)
        try await shop.open("account/settings/profile")
        // A second tap on the tab pops to its root.
        #expect(try await shop.act(.gesture(.selectTab("account"))).outcome == .applied)
        #expect(alive.count == 0)
        #expect(told.results.map(\.result) == [.completed(FlowCompletion()), .cancelled])
        #expect(try shop.shown() == "account › category(slug: tea)", "what its parent made of it")
    }

    private static func shop(
        clock: any RuntimeClock = SystemClock(),
        _ edit: (inout Script) -> Void
    ) throws -> TestHost {
        var script = Script()
        edit(&script)
        let settled = script
        let duration: Duration = clock is ManualClock ? .seconds(1) : .zero
        return try TestHost(
            settings: HostSettings(transitionDuration: duration),
            clock: clock,
            coordinators: { flow, _ in flow == "auth" ? Scripted(settled) : nil }
        )
    }
}

/// A coordinator's answers.
private struct Script: Sendable {
    var start: [Destination] = []
    var answers: [String: [FlowCommand]] = [:]
    var failing: Set<String> = []
}

private struct Broken: Error {
    let name: String
}

private final class Scripted: FlowCoordinator {
    private let script: Script

    init(_ script: Script) {
        self.script = script
    }

    func start(context: FlowContext) -> [Destination] { script.start }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        if script.failing.contains(intent.name) { throw Broken(name: intent.name) }
        return script.answers[intent.name]
    }
}

private final class Parting: FlowCoordinator {
    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        [
            .session(.set(fact: "market", .string("de"))),
            .route(Destination(id: "category", parameters: ["slug": "tea"])),
        ]
    }
}

extension Record.Body {
    fileprivate func pushes(_ destination: String) -> Bool {
        guard case .navigationStep(.push(_, let pushed), _, _) = self else { return false }
        return pushed.id == destination
    }
}

/// What a parent was told, readable by the test.
private final class Told: Sendable {
    struct Result: Equatable {
        let flow: String
        let result: FlowResult
        let user: String?
    }

    private let state = Guarded<[Result]>([])

    var results: [Result] { state.withLock { $0 } }

    func add(_ result: Result) {
        state.withLock { $0.append(result) }
    }
}

private final class Parent: FlowCoordinator {
    private let told: Told

    init(told: Told) {
        self.told = told
    }

    func childFinished(_ flow: String, _ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        told.add(Told.Result(flow: flow, result: result, user: context.session.user))
        return result == .cancelled ? [.push(Destination(id: "category", parameters: ["slug": "tea"]))] : []
    }
}

private final class Alive: Sendable {
    private let state = Guarded((count: 0, made: 0))

    var count: Int { state.withLock { $0.count } }
    var made: Int { state.withLock { $0.made } }

    func begin() {
        state.withLock { $0 = ($0.count + 1, $0.made + 1) }
    }

    func end() {
        state.withLock { $0.count -= 1 }
    }
}

private final class Counted: FlowCoordinator {
    private let alive: Alive

    init(_ alive: Alive) {
        self.alive = alive
        alive.begin()
    }

    deinit {
        alive.end()
    }
}
