import Foundation
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("A root flow is shown instead of the tabs while its condition holds", .timeLimit(.minutes(15)))
struct RootTests {
    @Test("a window opens with the root flow, and its coordinator below the root")
    func opens() async throws {
        let app = try Self.app()
        let status = try app.host.scene("A")
        #expect(status.window.tabs == [TabState(id: "root", stack: [Destination(id: "intro")])])
        #expect(status.window.selectedTab == "root")
        #expect(status.coordinatorTree == [SceneStatus.Coordinator(flow: "onboarding", parent: "root")])
        try await app.host.session.signIn(user: "anna")
        try app.host.connect(scene: "C")
        #expect(try app.shown("C") == "accounts")
    }

    @Test("a link waits for the root flow, which is already shown; signing in swaps the root and resumes the link")
    func gated() async throws {
        let app = try Self.app()
        let link = try app.admit("ledger://account/a1")
        let receipt = await app.host.receipt(of: link)
        #expect(receipt.outcome == .gated(precondition: "onboarding"))
        #expect(try app.shown() == "intro")
        #expect(app.records(of: .navigationStep).isEmpty)
        try await app.host.session.signIn(user: "anna")
        #expect(await app.host.receipt(of: link, at: .finished).outcome == .applied)
        await app.host.quiesce()
        #expect(try app.shown() == "accounts › account(id: a1)")
        #expect(try app.shown("B") == "accounts")
        #expect(try app.host.scene("A").coordinators == ["accounts", "profile"])
    }

    @Test("the fallback of what is refused comes after the change of root that the sweep has not done yet")
    func fallbackBeforeSweep() async throws {
        let app = try TestHost(windows: ["A"]) { manifest in
            manifest = try Self.manifest()
            manifest.fallback = Destination(id: "profile")
            manifest.conditions.append(
                ConditionDeclaration(name: "guests", holds: .not(.signedIn), reason: "guests only")
            )
            for index in manifest.destinations.indices where manifest.destinations[index].id == "account" {
                manifest.destinations[index].conditions.append("guests")
            }
        }
        let hold = try app.hold(.planned, scene: "A", kind: .dispatch)
        let link = try app.admit("ledger://account/a1")
        _ = await hold.caught()
        try await app.host.session.signIn(user: "anna")
        hold.release()
        guard case .rejected = await app.host.receipt(of: link).outcome else {
            Issue.record("it was not refused")
            return
        }
        await app.host.quiesce()
        #expect(app.records(of: .violation).isEmpty)
        #expect(try app.shown() == "profile")
    }

    @Test("the flow goes step by step; finishing it swaps the root and resumes what waited")
    func steps() async throws {
        let app = try Self.app()
        let link = try app.admit("ledger://transfer")
        _ = await app.host.receipt(of: link)
        #expect(try await app.tap("started").outcome == .applied)
        #expect(try app.shown() == "intro › login")
        #expect(try await app.act(.gesture(.back)).outcome == .applied)
        #expect(try app.shown() == "intro")
        try await app.tap("started")
        try await app.tap("loginCompleted")
        #expect(try app.shown() == "intro › terms")
        #expect(try await app.act(.gesture(.swipeBack())).outcome == .ignored(reason: "backHidden"))
        #expect(try await app.act(.gesture(.selectTab("profile"))).outcome == .ignored(reason: "noTabs"))
        let done = try await app.tap("termsAccepted", ["user": "anna"])
        #expect(done.outcome == .applied)
        #expect(done.window?.tabs.map(\.id) == ["accounts", "profile"])
        await app.host.quiesce()
        #expect(app.host.receipt(event: link.receipt.event)?.outcome == .gated(precondition: "pin"))
        #expect(try app.shown() == "accounts › choosePin[pinForm]")
        try await app.tap("pinChosen", ["pin": "1234"])
        #expect(await app.host.receipt(of: link, at: .finished).outcome == .applied)
        #expect(try app.shown() == "accounts › transfer[transfer]")
        #expect(try await app.tap("transferred").outcome == .applied)
        #expect(try app.shown() == "accounts")
    }

    @Test("FinishFlow ends the root flow from outside; it needs a user")
    func finished() async throws {
        let app = try Self.app()
        #expect(throws: AdmissionError.self) { try app.admit(.finishFlow("onboarding", .completed(FlowCompletion()))) }
        let done = try await app.act(.finishFlow("onboarding", .completed(FlowCompletion(user: "anna"))))
        #expect(done.outcome == .applied)
        #expect(try app.shown() == "accounts")
        await app.host.quiesce()
        #expect(try app.shown("B") == "accounts")
        let late = try await app.act(.finishFlow("onboarding", .completed(FlowCompletion(user: "bert"))))
        #expect(late.outcome == .rejected(reason: "noSuchFlow"))
        #expect(app.host.session.snapshot.user == "anna")
    }

    @Test("a root flow that is cancelled has nothing to return to: it begins again, and what waited is abandoned")
    func cancelled() async throws {
        let app = try Self.app()
        let link = try app.admit("ledger://account/a1")
        _ = await app.host.receipt(of: link)
        try await app.tap("started")
        #expect(try await app.tap("restarted").outcome == .applied)
        #expect(try app.shown() == "intro")
        #expect(await app.host.receipt(of: link, at: .finished).outcome == .abandoned(reason: "flowCancelled"))
    }

    @Test("a root flow may replace its first screen, with one of its own")
    func replacesFirst() async throws {
        let app = try TestHost {
            $0 = try Self.manifest()
        } coordinators: { flow, _ in
            flow == "onboarding" ? Replacing() : nil
        }
        #expect(try app.shown() == "login")
        #expect(try await app.tap("replace", ["screen": "terms"]).outcome == .applied)
        #expect(try app.shown() == "terms")
        #expect(try await app.tap("replace", ["screen": "pinForm"]).outcome == .rejected(reason: "rootStays"))
        #expect(try app.shown() == "terms")
        #expect(try await app.act(.gesture(.back)).outcome == .ignored(reason: "nothingToPop"))
    }

    @Test("a window that comes back after the session has changed has the root in force", arguments: [true, false])
    func restored(signsIn: Bool) async throws {
        let app = try Self.app()
        if !signsIn { try await app.host.session.signIn(user: "anna") }
        await app.host.quiesce()
        try await app.host.disconnect(scene: "A")
        if signsIn {
            try await app.host.session.signIn(user: "anna")
        } else {
            await app.host.session.signOut()
        }
        try await app.host.reconnect(scene: "A")
        #expect(try app.shown() == (signsIn ? "accounts" : "intro"))
        #expect(try app.host.scene("A").coordinators == (signsIn ? ["accounts", "profile"] : ["onboarding"]))
    }

    @Test("session expiry swaps back, and takes presentations along")
    func expiry() async throws {
        let clock = ManualClock()
        let app = try Self.app(clock: clock)
        try await app.host.session.signIn(
            user: "anna",
            facts: ["pin": .string("1234")],
            expiresAfter: .seconds(60)
        )
        try await app.open("ledger://transfer")
        #expect(try app.shown() == "accounts › transfer[transfer]")
        await clock.waitForSleepers(1)
        let end = try app.hold(.settled, scene: "A", kind: .sweep)
        await clock.advance(by: .seconds(60))
        _ = await end.caught()
        end.release()
        await app.host.quiesce()
        #expect(try app.shown() == "intro")
        #expect(try app.shown("B") == "intro")
        #expect(try app.host.scene("A").coordinators == ["onboarding"])
        let swept = app.records(of: .sceneSwept, scene: "A")
        #expect(!swept.isEmpty)
    }

    @Test("a request that proceeds before the sweep has swapped the root swaps it first", arguments: [true, false])
    func beforeTheSweep(signsIn: Bool) async throws {
        let app = try Self.app()
        if !signsIn { try await app.host.session.signIn(user: "anna") }
        let hold = try app.hold(.admitted, scene: "A", kind: .dispatch)
        let link = try app.admit("ledger://account/a1")
        _ = await hold.caught()
        if signsIn {
            try await app.host.session.signIn(user: "anna")
        } else {
            await app.host.session.signOut()
        }
        hold.release()
        let receipt = await app.host.receipt(of: link)
        #expect(receipt.outcome == (signsIn ? .applied : .gated(precondition: "onboarding")))
        #expect(receipt.window?.tabs.first?.id == (signsIn ? "accounts" : "root"))
        await app.host.quiesce()
        #expect(app.records(of: .violation).isEmpty)
    }

    @Test(
        "a manifest whose roots collide with other names is refused",
        arguments: [
            "preconditions.onboarding", "conditions.onboarding", "tabs.root", "roots[1].flow", "flows.second.screens",
        ]
    )
    func refused(key: String) throws {
        var manifest = try Self.manifest()
        switch key {
        case "preconditions.onboarding":
            manifest.preconditions.append(
                PreconditionDeclaration(name: "onboarding", holds: .signedIn, flow: "onboarding")
            )
        case "conditions.onboarding":
            manifest.conditions.append(ConditionDeclaration(name: "onboarding", holds: .signedIn, reason: "no"))
        case "tabs.root":
            manifest.tabs.append(TabDeclaration(id: "root", root: "extra"))
            manifest.destinations.append(DestinationDeclaration(id: "extra", presentation: .tab("root")))
        case "roots[1].flow":
            manifest.roots.append(RootDeclaration(flow: "onboarding", when: .always))
        default:
            manifest.flows.append(FlowDeclaration(name: "second", screens: [FlowScreen(id: "intro")]))
            manifest.roots.append(RootDeclaration(flow: "second", when: .always))
        }
        let error = #expect(throws: ManifestProblems.self) { try RoutingEngine(manifest: manifest) }
        #expect(error?.problems.map(\.key).contains(key) ?? false, "\(String(describing: error))")
    }

    @Test(
        "a root flow that starts with what may not be shown at all times is refused",
        arguments: ["screens[0]", "start"],
        [("precondition", true), ("condition", true), ("parameter", true), ("optional", false), ("nothing", false)]
    )
    func refusedStart(place: String, what: (need: String, isRefused: Bool)) throws {
        var manifest = try Self.manifest()
        var terms = DestinationDeclaration(id: "terms", ancestry: ["accounts"])
        switch what.need {
        case "precondition": terms.preconditions = ["pin"]
        case "condition":
            manifest.conditions.append(ConditionDeclaration(name: "legal", holds: .signedIn, reason: "no"))
            terms.conditions = ["legal"]
        case "parameter", "optional":
            terms.parameters = [ParameterDeclaration(name: "id", type: .string, isRequired: what.need == "parameter")]
        default: break
        }
        manifest.destinations.append(terms)
        let screen = FlowScreen(id: "terms")
        let index = try #require(manifest.flows.firstIndex { $0.name == "onboarding" })
        if place == "start" {
            manifest.flows[index].screens.append(screen)
            manifest.flows[index].start = [FlowStart(when: .always, screen: "terms")]
        } else {
            manifest.flows[index].screens.insert(screen, at: 0)
        }
        var keys: [String] = []
        do { _ = try RoutingEngine(manifest: manifest) } catch { keys = error.problems.map(\.key) }
        // One that may not be shown is left out where it is not the first.
        #expect(keys.contains("flows.onboarding.screens[0]") == (what.isRefused && place == "screens[0]"), "\(keys)")
    }

    @Test("the root's precondition is checked before all others and listed among what destinations need")
    func implicitPrecondition() throws {
        let engine = try RoutingEngine(manifest: try Self.manifest())
        #expect(engine.needs(of: "transfer") == ["onboarding", "pin"])
        #expect(engine.needs(of: "accounts") == ["onboarding"])
        #expect(engine.needs(of: "intro") == [])
        #expect(engine.truths(context: RoutingContext()).map(\.name).first == "onboarding")
        let request = RouteRequest(destination: Destination(id: "transfer"), source: .external)
        #expect(
            try engine.resolve(request, context: RoutingContext())
                == .gated(precondition: "onboarding", resume: request)
        )
        let signedIn = RoutingContext(user: "anna")
        #expect(try engine.resolve(request, context: signedIn) == .gated(precondition: "pin", resume: request))
    }

    private final class Replacing: FlowCoordinator {
        func start(context: FlowContext) -> [Destination] { [Destination(id: "login")] }

        func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
            intent.parameters["screen"].map { [.replace(Destination(id: $0))] }
        }
    }

    static func manifest() throws -> AppManifest {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/login-first.yaml")
        return try AppManifest.read(String(contentsOf: file, encoding: .utf8), file: file.path).manifest
    }

    static func app(clock: any RuntimeClock = SystemClock()) throws -> TestHost {
        try TestHost(clock: clock) { $0 = try manifest() }
    }
}
