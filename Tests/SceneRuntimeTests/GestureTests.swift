import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("Gestures have the effect that they have in UIKit", .timeLimit(.minutes(15)))
struct GestureTests {
    @Test("back and a swipe go one screen back, and the root stays")
    func back() async throws {
        let shop = try TestHost()
        try await shop.tap("productSelected", ["id": "p1"])
        try await shop.tap("productSelected", ["id": "p2"])
        #expect(try await shop.act(.gesture(.back)).outcome == .applied)
        #expect(try shop.shown() == "home › product(id: p1)")
        #expect(try await shop.act(.gesture(.swipeBack())).outcome == .applied)
        #expect(try shop.shown() == "home")
        #expect(try await shop.act(.gesture(.back)).outcome == .ignored(reason: "nothingToPop"))
        let causes = shop.records(of: .navigationStep).suffix(2).map(\.body)
        for case .navigationStep(_, let cause, _) in causes { #expect(cause == .gesture) }
    }

    @Test("a tab is selected; a second tap pops to its root, a third is ignored")
    func tabs() async throws {
        let shop = try TestHost()
        try await shop.tap("productSelected", ["id": "p1"])
        #expect(try await shop.act(.gesture(.selectTab("orders"))).outcome == .applied)
        #expect(try shop.shown() == "orders")
        #expect(try await shop.act(.gesture(.selectTab("home"))).outcome == .applied)
        #expect(try shop.shown() == "home › product(id: p1)")
        #expect(try await shop.act(.gesture(.selectTab("home"))).outcome == .applied)
        #expect(try shop.shown() == "home")
        #expect(try await shop.act(.gesture(.selectTab("home"))).outcome == .ignored(reason: "atRoot"))
        #expect(throws: AdmissionError.self) { try shop.admit(.gesture(.selectTab("nowhere"))) }
    }

    @Test("a presentation covers the tabs; a sheet is swiped down, a full screen is not")
    func presentations() async throws {
        let shop = try TestHost()
        #expect(try await shop.act(.gesture(.dismiss)).outcome == .ignored(reason: "nothingPresented"))
        #expect(try await shop.act(.gesture(.swipeDown())).outcome == .ignored(reason: "nothingPresented"))
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        #expect(try await shop.act(.gesture(.selectTab("orders"))).outcome == .ignored(reason: "tabsCovered"))
        #expect(try await shop.act(.gesture(.swipeDown())).outcome == .applied)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "flowCancelled"))
        #expect(try shop.shown() == "home")
        try await shop.host.session.signIn(
            user: "anna",
            facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        )
        try await shop.open("checkout")
        #expect(try await shop.act(.gesture(.swipeDown())).outcome == .ignored(reason: "notSwipeable"))
        #expect(try await shop.act(.gesture(.dismiss)).outcome == .applied)
        #expect(try shop.shown() == "home › cart")
    }

    @Test("a screen may hide the way back, from the button and from the swipe")
    func hiddenBack() async throws {
        let shop = try TestHost()
        try await shop.open("cart")
        try await shop.tap("signUpRequested")
        try await shop.tap("emailCaptured", ["email": "a@b.example"])
        #expect(try await shop.act(.gesture(.back)).outcome == .applied)
        try await shop.tap("emailCaptured", ["email": "a@b.example"])
        try await shop.tap("emailVerified", ["email": "a@b.example"])
        #expect(try shop.shown() == "home › auth[login › createAccount › password]")
        for gesture in [Gesture.back, .swipeBack(), .swipeBack(cancelled: true)] {
            #expect(try await shop.act(.gesture(gesture)).outcome == .ignored(reason: "backHidden"))
        }
        #expect(try shop.shown() == "home › auth[login › createAccount › password]")
    }

    @Test("a gesture during a transition gets a ticket and is ignored at once; what waits is not disturbed")
    func inTransition() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.transition, scene: "A")
        let product = try shop.admit("product/p1")
        _ = await hold.caught()
        #expect(try shop.host.scene("A").isTransitioning)
        let back = try await shop.act(.gesture(.back))
        #expect(back.outcome == .ignored(reason: "inTransition"))
        #expect(back.ticket == 2)
        #expect(!shop.records(of: .dispatchBegan).contains { $0.subject.ticket == 2 })
        hold.release()
        #expect(await shop.host.receipt(of: product).outcome == .applied)
        #expect(try shop.shown() == "home › product(id: p1)")
        #expect(try shop.host.scene("A").settled == 2)
    }

    @Test("a gesture outside a transition waits and is judged by what the window shows at its turn")
    func queued() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.resolved, scene: "A")
        let product = try shop.admit("product/p1")
        _ = await hold.caught()
        let back = try shop.admit(.gesture(.back))
        let again = try shop.admit(.gesture(.back))
        hold.release()
        #expect(await shop.host.receipt(of: product).outcome == .applied)
        #expect(await shop.host.receipt(of: back).outcome == .applied)
        #expect(await shop.host.receipt(of: again).outcome == .ignored(reason: "nothingToPop"))
        #expect(try shop.shown() == "home")
    }

    @Test("a gesture that is ignored at once brings back no window that is about to be released")
    func beforeRelease() async throws {
        let shop = try TestHost(windows: ["A"])
        let hold = try shop.hold(.transition, scene: "A")
        try shop.admit("product/p1")
        _ = await hold.caught()
        try shop.host.disconnect(scene: "A") { _ in }
        let back = try await shop.act(.gesture(.back))
        #expect(back.outcome == .ignored(reason: "inTransition"))
        guard case .eventAdmitted(let arrival) = shop.records(of: .eventAdmitted).last?.body else {
            Issue.record("nothing was admitted")
            return
        }
        #expect(arrival.delivery == .warm && arrival.options == nil)
        #expect(throws: SceneError.self) { try shop.host.disconnect(scene: "A") { _ in } }
        hold.release()
        await shop.host.quiesce()
        #expect(shop.records(of: .sceneDisconnected).count == 1)
        #expect(try !shop.host.scene("A").isConnected)
    }

    @Test("a cancelled swipe takes the time of a transition and changes nothing, not even coordinators")
    func cancelledSwipe() async throws {
        let clock = ManualClock()
        let shop = try TestHost(settings: HostSettings(transitionDuration: .milliseconds(350)), clock: clock)
        let cart = try shop.admit("cart")
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(350))
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        let swipe = try shop.admit(.gesture(.swipeDown(cancelled: true)))
        await clock.waitForSleepers(1)
        #expect(try shop.host.scene("A").isTransitioning)
        #expect(try await shop.act(.gesture(.dismiss)).outcome == .ignored(reason: "inTransition"))
        await clock.advance(by: .milliseconds(350))
        #expect(await shop.host.receipt(of: swipe).outcome == .ignored(reason: "swipeCancelled"))
        #expect(try shop.shown() == "home › auth[login]")
        #expect(shop.records(of: .coordinatorDetached).isEmpty)
        #expect(try shop.host.scene("A").parked.count == 1)
    }

    @Test("a screen that a gesture would uncover is removed first if the session no longer allows it (S2)")
    func uncoversOnlyTheAllowed() async throws {
        let shop = try TestHost()
        try await shop.open("product/p1")
        try await shop.tap("productSelected", ["id": "p2"])
        #expect(try shop.shown() == "home › product(id: p1) › product(id: p2)")
        let hold = try shop.hold(.resolved, scene: "A", kind: .dispatch)
        let back = try shop.admit(.gesture(.back))
        _ = await hold.caught()
        try await shop.host.session.commit(set: ["unavailable": .strings(["p1"])])
        hold.release()
        #expect(await shop.host.receipt(of: back).outcome == .applied)
        let windows = shop.records(of: .navigationStep).filter { $0.subject.event == back.receipt.event }
        for record in windows {
            guard case .navigationStep(_, _, let window) = record.body else { continue }
            #expect(window.state.topmost != Destination(id: "product", parameters: ["id": "p1"]))
        }
        await shop.host.quiesce()
        #expect(!(try shop.shown().contains("p1")))
    }
}
