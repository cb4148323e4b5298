import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import TestFixtures
import Testing

/// Connect, activate, disconnect, discard: a scene's life beside its events.
@Suite(.timeLimit(.minutes(15))) struct LifecycleTests {
    /// Every state, the way to it from a new window, and where one may go from it.
    static let states: [(state: Activation, way: [Activation], successors: Set<Activation>)] = [
        (.foregroundActive, [], [.foregroundInactive]),
        (.foregroundInactive, [.foregroundInactive], [.foregroundActive, .background]),
        (.background, [.foregroundInactive, .background], [.foregroundInactive]),
    ]

    @Test("only UIKit's steps are allowed, and a refusal names both states", arguments: states)
    func automaton(state: Activation, way: [Activation], successors: Set<Activation>) async throws {
        for target in Activation.allCases {
            let test = try TestHost(windows: ["A"])
            for step in way { try await test.host.setActivation(step, of: "A") }
            if successors.contains(target) {
                #expect(try await test.host.setActivation(target, of: "A").activation == target)
            } else {
                await #expect(
                    throws: SceneError.illegalActivation(scene: "A", from: state.rawValue, to: target.rawValue)
                ) { try await test.host.setActivation(target, of: "A") }
                #expect(try test.host.scene("A").activation == state)
            }
        }
    }

    @Test("a scene's ID has 1 to 64 letters, digits, hyphens, underscores and dots")
    func sceneIDs() async throws {
        let shop = try TestHost(windows: [])
        let longest = String(repeating: "x", count: 64)
        for id in ["a", "Z", "0", "9", "-", "_", ".", "main-2.left_B", longest] { try shop.host.connect(scene: id) }
        for id in ["", longest + "x", "a b", "a/b", "ä", "a\u{0}", "a@", "[", "`", "{", ":", ","] {
            #expect(throws: SceneError.invalidSceneID(id)) { try shop.host.connect(scene: id) }
        }
        #expect(shop.host.scenes.count == 9)
    }

    @Test("the record of a window says whether it was shown before, and whether a client gave it")
    func recordedOrigin() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.open("product/p1")
        try await test.host.disconnect(scene: "A")
        try await test.host.reconnect(scene: "A")
        try test.host.connect(scene: "B", restoring: try test.window())
        await test.host.quiesce()
        let origins = test.records(of: .sceneConnected).map { record in
            [record.json["restored"], record.json["given"]]
        }
        #expect(origins == [[false, nil], [true, nil], [true, true]])
    }

    @Test("a disconnected window is released, keeps its tickets and comes back as it was")
    func comesBack() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.open("product/p1")
        let released = try await test.host.disconnect(scene: "A")
        #expect(!released.isConnected)
        #expect(released.activation == .unattached)
        #expect(released.coordinators.isEmpty)
        #expect(released.admitted == 1)
        await #expect(throws: SceneError.illegalActivation(scene: "A", from: "disconnected", to: "disconnected")) {
            try await test.host.disconnect(scene: "A")
        }
        await #expect(throws: SceneError.illegalActivation(scene: "A", from: "disconnected", to: "background")) {
            try await test.host.setActivation(.background, of: "A")
        }
        let back = try await test.host.reconnect(scene: "A")
        #expect(back.isConnected)
        #expect(back.activation == .foregroundActive)
        #expect(back.window.selectedStack.map(\.description) == ["home", "product(id: p1)"])
        #expect(back.coordinators == ["home", "orders", "account"])
        #expect(throws: SceneError.sceneExists("A")) { try test.host.connect(scene: "A") }
        #expect(try await test.open("orders").ticket == 2)
    }

    @Test("disconnecting waits its turn: what came before is dispatched first")
    func waitsItsTurn() async throws {
        let test = try TestHost(windows: ["A"])
        let hold = try test.hold(.planned, scene: "A")
        let first = try test.admit("product/p1")
        let second = try test.admit("orders")
        _ = await hold.caught()
        let released = Task { try await test.host.disconnect(scene: "A") }
        try await until("it waits its turn") { test.host.activity.count(of: "A") >= 3 }
        // This event is sent while the window is being released, and brings it back.
        let cold = try test.admit("promo/SUMMER")
        hold.release()
        #expect(try await !released.value.isConnected)
        #expect(await test.host.receipt(of: first).outcome == .applied)
        #expect(await test.host.receipt(of: second).outcome == .applied)
        #expect(await test.host.receipt(of: cold).outcome == .applied)
        #expect(try test.host.scene("A").isConnected)
        let kinds = test.records(of: .dispatchEnded).map(\.index)
        let disconnected = try #require(test.records(of: .sceneDisconnected).first?.index)
        let restored = try #require(test.records(of: .sceneConnected).last)
        #expect(kinds[1] < disconnected && disconnected < restored.index && restored.index < kinds[2])
        #expect(restored.subject.event == cold.receipt.event)
    }

    @Test("what may no longer be shown is removed before a restored window is shown")
    func checkedBeforeShown() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        try await test.open("cart")
        try await test.host.disconnect(scene: "A")
        await test.host.session.signOut()
        try await test.host.reconnect(scene: "A")
        #expect(try test.shown() == "home")
        let restored = try #require(test.records(of: .sceneConnected).last)
        guard case .sceneConnected(_, true, false, let window) = restored.body else {
            Issue.record("\(restored)")
            return
        }
        #expect(window.state.selectedStack.map(\.id) == ["home"])
        let swept = try #require(test.records(of: .sceneSwept).last)
        guard case .sceneSwept(let removed) = swept.body else { return }
        #expect(removed.map(\.destination.id) == ["cart"])
        #expect(removed.map(\.reason) == ["signedIn"])
    }

    @Test("a parked intent and its flow survive disconnection, and it is resumed when the window is back")
    func parkedSurvives() async throws {
        let test = try TestHost()
        let gated = try await test.open("cart", id: "gated")
        #expect(gated.outcome == .gated(precondition: "signedIn"))
        try await test.host.disconnect(scene: "A")
        #expect(try test.host.scene("A").parked.map(\.event) == ["gated"])
        // Nobody has signed in, so the flow comes back with the window.
        try await test.host.reconnect(scene: "A")
        #expect(try test.shown() == "home › auth[login]")
        try await test.host.disconnect(scene: "A")
        try await test.host.session.signIn(user: "anna")
        await test.host.quiesce()
        #expect(test.host.receipt(event: "gated")?.outcome == .gated(precondition: "signedIn"), "nobody sees it yet")
        try await test.host.reconnect(scene: "A")
        #expect(test.host.receipt(event: "gated")?.outcome == .applied)
        #expect(try test.shown() == "home › cart")
    }

    @Test("when a user leaves, what that user parked in a disconnected window is abandoned at once")
    func noInheritance() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        #expect(try await test.open("checkout", id: "hers").outcome == .gated(precondition: "paymentMethod"))
        try await test.host.disconnect(scene: "A")
        await test.host.session.signOut()
        await test.host.quiesce()
        #expect(test.host.receipt(event: "hers")?.outcome == .abandoned(reason: "userLeft"))
        try await test.host.reconnect(scene: "A")
        #expect(try test.shown() == "home")
    }

    @Test("a tap brings its window back, cold and in front; what is silent leaves it released")
    func coldDelivery() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.open("product/p1")
        try await test.host.disconnect(scene: "A")
        #expect(try await test.open("orders").outcome == .applied)
        #expect(try test.host.scene("A").activation == .foregroundActive)
        try await test.host.disconnect(scene: "A")
        let shown = try test.host.admit(
            Submission(try .push(payload: ["aps": ["alert": "x"]], interaction: "present"), scene: "A")
        )
        #expect(await test.host.receipt(of: shown).outcome == .delivered)
        #expect(try !test.host.scene("A").isConnected)
        let deliveries = test.records(of: .eventAdmitted).compactMap { record -> EventDelivery? in
            guard case .eventAdmitted(let arrival) = record.body else { return nil }
            return arrival.delivery
        }
        #expect(deliveries == [.warm, .cold])
    }

    @Test("discarding is immediate: what waits, runs or is parked is abandoned, and nothing more is shown")
    func discard() async throws {
        let test = try TestHost()
        #expect(try await test.open("cart", id: "parked").outcome == .gated(precondition: "signedIn"))
        let hold = try test.hold(.planned, scene: "A")
        let running = try test.admit("product/p1", id: "running")
        let waiting = try test.admit("orders", id: "waiting")
        _ = await hold.caught()
        // The hold stays, but must not keep what is gone.
        let last = try await test.host.discard(scene: "A")
        #expect(!last.isConnected)
        for event in [running, waiting] {
            #expect(await test.host.receipt(of: event).outcome == .abandoned(reason: "sceneDiscarded"))
        }
        #expect(test.host.receipt(event: "parked")?.outcome == .abandoned(reason: "sceneDiscarded"))
        #expect(throws: SceneError.unknownScene("A")) { try test.host.scene("A") }
        #expect(throws: AdmissionError.unknownScene("A")) { try test.admit("orders") }
        await #expect(throws: SceneError.unknownScene("A")) { try await test.host.discard(scene: "A") }
        #expect(test.records(of: .navigationStep, scene: "A").count == 1, "the sign-in sheet, and nothing since")
        #expect(test.records.last?.kind.family == "coordinator")
        await test.host.quiesce()
        // A new window may have the name; it is another scene with its own tickets.
        hold.release()
        try test.host.connect(scene: "A")
        #expect(try await test.open("orders").ticket == 1)
    }

    @Test("discarding ends a transition in progress")
    func discardInTransition() async throws {
        let clock = ManualClock()
        let test = try TestHost(
            windows: ["A"],
            settings: HostSettings(transitionDuration: .seconds(1)),
            clock: clock
        )
        let event = try test.admit("product/p1")
        await clock.waitForSleepers(1)
        try await test.host.discard(scene: "A")
        #expect(await test.host.receipt(of: event).outcome == .applied, "it had been shown")
        #expect(clock.sleeping == 0)
    }

    @Test("a disconnected window counts against the limit and can be chosen for an event")
    func stillThere() async throws {
        let test = try TestHost(windows: ["A"]) { $0.policies.maximumScenes = 1 }
        try await test.host.disconnect(scene: "A")
        #expect(throws: SceneError.tooManyScenes(limit: 1)) { try test.host.connect(scene: "B") }
        #expect(try await test.open("orders", in: nil).scene == "A")
    }

    @Test("after a reload a window comes back as far as the new manifest knows what it showed")
    func olderManifest() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.open("promo/SUMMER")
        try await test.host.disconnect(scene: "A")
        var manifest = test.host.manifest
        manifest.destinations.removeAll { $0.id == "promo" }
        manifest.routes.removeAll { "\($0.destination)".contains("promo") }
        manifest.adapters.removeAll { "\($0)".contains("promo") }
        try await test.host.reload(manifest)
        try await test.host.reconnect(scene: "A")
        #expect(try test.shown() == "home")
        guard case .sceneSwept(let removed) = test.records(of: .sceneSwept).last?.body else {
            Issue.record("nothing is said of what is gone")
            return
        }
        #expect(removed.map(\.reason) == ["destinationGone"])
    }

    @Test("stopping answers those who wait for a change")
    func stopping() async throws {
        let test = try TestHost(windows: ["A"], settings: HostSettings(drainTimeout: .zero))
        let hold = try test.hold(.admitted, scene: "A")
        _ = try test.admit("orders")
        _ = await hold.caught()
        let released = Task { try await test.host.disconnect(scene: "A") }
        try await until("it waits its turn") { test.host.activity.count(of: "A") >= 2 }
        await test.host.drain()
        await #expect(throws: SceneError.draining) { try await released.value }
        #expect(throws: SceneError.draining) { try test.host.connect(scene: "A") }
    }

    @Test("a window of an earlier run is restored as far as the app and the session now allow")
    func restart() async throws {
        let earlier = try TestHost(windows: ["A"])
        try await earlier.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        try await earlier.open("product/p1")
        try await earlier.open("order/o7")
        try await earlier.open("cart")
        let saved = try WindowState(json: try earlier.window().json)
        await earlier.host.drain()

        // Somebody signed in sees it as it was.
        let same = try TestHost(windows: [])
        try await same.host.session.signIn(user: "anna")
        try same.host.connect(scene: "A", restoring: saved)
        await same.host.quiesce()
        #expect(try same.window() == saved)
        #expect(try same.host.scene("A").activation == .foregroundActive)

        // While nobody is signed in, what needs a user is not shown; and an app without promos knows none.
        var odd = saved
        odd.tabs[0].stack = [Destination(id: "home"), Destination(id: "promo", parameters: ["code": "SUMMER"])]
        let other = try TestHost(windows: []) { manifest in
            manifest.destinations.removeAll { $0.id == "promo" }
            manifest.routes.removeAll { "\($0.destination)".contains("promo") }
            manifest.adapters.removeAll { "\($0)".contains("promo") }
        }
        try other.host.connect(scene: "A", restoring: odd)
        // An event that comes in the meantime waits for it.
        #expect(try await other.open("product/p2").outcome == .applied)
        #expect(try other.window().tabs.map { $0.stack.map(\.id) } == [["home", "product"], ["orders"], ["account"]])
        guard case .sceneSwept(let removed) = other.records(of: .sceneSwept).first?.body else {
            Issue.record("nothing is said of what is gone")
            return
        }
        #expect(removed.map(\.destination.id) == ["promo", "order"])
        let connected = try #require(other.records(of: .sceneConnected).first)
        guard case .sceneConnected(_, true, true, let window) = connected.body else {
            Issue.record("\(connected)")
            return
        }
        #expect(window.state.tabs.map { $0.stack.count } == [1, 1, 1], "before anything showed")
        await other.host.drain()

        // A disconnected scene may be given another window than the one it had.
        try await same.host.disconnect(scene: "A")
        try same.host.connect(scene: "A", restoring: odd)
        await same.host.quiesce()
        #expect(try same.shown() == "home › promo(code: SUMMER)")
        await same.host.drain()
    }
}
