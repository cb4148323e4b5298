import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("The session's rules S1 to S7", .timeLimit(.minutes(15)))
struct SessionRuleTests {
    @Test("S1: a dispatch resolves against the session as it is when it begins, not when it was admitted")
    func freshContext() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.admitted, scene: "A")
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "anna")
        hold.release()
        let receipt = await shop.host.receipt(of: cart)
        #expect(receipt.outcome == .applied)
        #expect(receipt.revision == 1)
    }

    @Test(
        "S2: a sign-out between resolving and showing makes it resolve again",
        arguments: [HoldPoint.resolved, .planned]
    )
    func validWhenItShows(point: HoldPoint) async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        let hold = try shop.hold(point, scene: "A", kind: .dispatch)
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        await shop.host.session.signOut()
        hold.release()
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(try shop.shown() == "home › auth[login]")
        #expect(!shop.records.contains { shows($0, "cart") })
    }

    @Test("S2: a session that keeps changing ends the dispatch as contended after eight rounds")
    func contended() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let cart = try shop.admit("cart")
        var rounds = 0
        var users = ["bert", "carl"]
        var current = hold
        while rounds < 8 {
            _ = await current.caught()
            rounds += 1
            users.swapAt(0, 1)
            try await shop.host.session.signIn(user: users[0])
            let next = try shop.hold(.planned, scene: "A", kind: .dispatch)
            current.release()
            current = next
        }
        #expect(await shop.host.receipt(of: cart).outcome == .rejected(reason: "contended"))
        current.release()
        #expect(try shop.shown() == "home")
    }

    @Test("S3: after a commit every window drops what it may no longer show, back to the deepest allowed prefix")
    func sweep() async throws {
        let shop = try TestHost(windows: ["A", "B", "C"])
        try await shop.host.session.signIn(user: "anna")
        _ = try await shop.open("cart", in: "A")
        _ = try await shop.open("order/o1", in: "B")
        _ = try await shop.open("product/p1", in: "C")
        await shop.host.session.signOut()
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home")
        #expect(try shop.shown("B") == "orders")
        #expect(try shop.shown("C") == "home › product(id: p1)")
        let swept = shop.records(of: .sceneSwept)
        #expect(swept.compactMap(\.subject.scene).sorted() == ["A", "B"])
    }

    @Test("S3: a screen that is shown twice is named as removed if one of the two goes")
    func shownTwice() async throws {
        let shop = try TestHost(windows: ["B"])
        try await shop.host.session.signIn(user: "anna")
        let cart = Destination(id: "cart")
        let product = Destination(id: "product", parameters: ["id": "p1"])
        var saved = try shop.window("B")
        for index in saved.tabs.indices where saved.tabs[index].id == "home" {
            saved.tabs[index].stack += [product, cart, product]
        }
        try shop.host.connect(scene: "A", restoring: saved)
        await shop.host.quiesce()
        await shop.host.session.signOut()
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › product(id: p1)")
        guard case .sceneSwept(let removed) = shop.records(of: .sceneSwept, scene: "A").first?.body else {
            Issue.record("nothing was swept")
            return
        }
        #expect(removed.map(\.destination) == [cart, product])
    }

    @Test("S3: a commit is swept even when events are waiting")
    func sweepBehindEvents() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        _ = try await shop.open("order/o1")
        let hold = try shop.hold(.admitted, scene: "A", kind: .dispatch)
        let first = try shop.admit("product/p1")
        _ = await hold.caught()
        let second = try shop.admit("product/p2")
        await shop.host.session.signOut()
        hold.release()
        for admission in [first, second] { #expect(await shop.host.receipt(of: admission).outcome == .applied) }
        await shop.host.quiesce()
        #expect(try shop.window().stack(of: "orders")?.map(\.id) == ["orders"])
    }

    @Test("S3: a product that goes out of stock leaves every window that shows it")
    func sweepByCondition() async throws {
        let shop = try TestHost()
        _ = try await shop.open("product/p1", in: "A")
        _ = try await shop.open("product/p2", in: "B")
        try await shop.host.session.commit(set: ["unavailable": .strings(["p1"])])
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home")
        #expect(try shop.shown("B") == "home › product(id: p2)")
    }

    @Test("S5: one sign-in resumes what is parked in every window, once, and takes the sheets away")
    func oneSignInServesAll() async throws {
        let shop = try TestHost(windows: ["A", "B", "C"])
        let cart = try shop.admit("cart", in: "A")
        let order = try shop.admit("order/o1", in: "C")
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(await shop.host.receipt(of: order).outcome == .gated(precondition: "signedIn"))
        try await shop.host.session.signIn(user: "anna", origin: CommitOrigin(scene: "B"))
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(await shop.host.receipt(of: order, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home › cart")
        #expect(try shop.shown("C") == "orders › order(id: o1)")
        for scene in ["A", "C"] {
            let resumed = shop.records(of: .dispatchBegan, scene: scene).filter { $0.subject.attempt == 2 }
            #expect(resumed.count == 1)
            #expect(resumed.first?.subject.ticket == 1)
        }
        #expect(try shop.host.scene("A").parked.isEmpty)
    }

    @Test("S5: a resume goes before the events that were waiting when its commit came")
    func resumeGoesFirst() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        try await shop.host.session.signIn(user: "anna")
        _ = await hold.caught()
        let product = try shop.admit("product/p1")
        hold.release()
        #expect(await shop.host.receipt(of: product).outcome == .applied)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        let begun = shop.records(of: .dispatchBegan, scene: "A").map(\.subject)
        #expect(begun.map(\.ticket) == [1, 1, 2])
        #expect(try shop.shown() == "home › product(id: p1)")
    }

    @Test("S4: a resume sees the revision that allowed it, or a later one")
    func resumeSeesCommit() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        try await shop.host.session.signIn(user: "anna")
        let receipt = await shop.host.receipt(of: cart, at: .finished)
        #expect(receipt.revision >= 1)
    }

    @Test("S6: nothing resolved for one user becomes visible for the next, though the verdict is the same")
    func epochFence() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "bert")
        hold.release()
        let receipt = await shop.host.receipt(of: cart)
        #expect(receipt.outcome == .applied)
        #expect(receipt.revision == 2)
        let steps = shop.records(of: .navigationStep, scene: "A")
        #expect(steps.allSatisfy { $0.subject.epoch == 1 })
    }

    @Test(
        "S7: what a user parked is abandoned when another signs in; what was parked signed out passes to whoever signs in"
    )
    func noInheritance() async throws {
        let shop = try TestHost()
        let early = try shop.admit("cart")
        _ = await shop.host.receipt(of: early)
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        #expect(await shop.host.receipt(of: early, at: .finished).outcome == .applied)

        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        try await shop.host.session.signIn(user: "bert")
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .abandoned(reason: "userLeft"))
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
    }

    @Test("S7: a user who leaves and comes back before the sweep counts as having left")
    func leavesAndReturns() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        await shop.host.session.signOut()
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        hold.release()
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .abandoned(reason: "userLeft"))
    }

    @Test("S7: nobody inherits what a sweep took to be resumed while its user left")
    func leavesBeforeResume() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        let hold = try shop.hold(.admitted, scene: "A", kind: .resume)
        try await shop.host.session.commit(set: ["paymentMethod": .string("card")])
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "bert", facts: ["cart": .strings(["p2"])])
        hold.release()
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .abandoned(reason: "userLeft"))
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
        #expect(try shop.host.scene("A").parked.isEmpty)
    }

    @Test("chained gates: signing in leads to the payment method, and that to the checkout")
    func chainedGates() async throws {
        let shop = try TestHost()
        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "signedIn"))
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › addPayment[\(try firstScreen(of: "addPayment", shop))]")
        try await shop.host.session.commit(set: ["paymentMethod": .string("card")])
        let receipt = await shop.host.receipt(of: checkout, at: .finished)
        #expect(receipt.outcome == .applied)
        #expect(try shop.shown() == "home › cart › checkout[checkout]")
    }

    @Test("a newer link supersedes what is parked; the sheet stays for the same gate and goes if there is none")
    func supersede() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        let order = try shop.admit("order/o1")
        #expect(await shop.host.receipt(of: order).outcome == .gated(precondition: "signedIn"))
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .superseded(by: "auto-2"))
        #expect(shop.records(of: .navigationStep).count { $0.body.kind == .navigationStep } == 1)
        _ = try await shop.open("product/p1")
        #expect(await shop.host.receipt(of: order, at: .finished).outcome == .superseded(by: "auto-3"))
        #expect(try shop.shown() == "home › product(id: p1)")
    }

    @Test("who waits for what is parked hears of its end with the step that ends it, while its transition goes on")
    func toldAtOnce() async throws {
        for (step, outcome) in [
            (
                Submission(try .url("https://shop.example/product/p1"), scene: "A", eventID: "it"),
                Outcome.superseded(by: "it")
            ),
            (Submission(.gesture(.swipeDown()), scene: "A", eventID: "it"), .abandoned(reason: "flowCancelled")),
        ] {
            let shop = try TestHost(windows: ["A"])
            #expect(try await shop.open("cart", id: "parked").outcome == .gated(precondition: "signedIn"))
            let hold = try shop.hold(.transition, scene: "A", event: "it")
            let admission = try shop.host.admit(step)
            _ = await hold.caught()
            #expect(shop.host.receipt(event: "parked")?.outcome == outcome)
            hold.release()
            #expect(await shop.host.receipt(of: admission).outcome == .applied)
        }
    }

    @Test("an event that ends as rejected or delivered supersedes nothing")
    func supersedesNothing() async throws {
        let shop = try TestHost()
        try await shop.host.session.commit(set: ["unavailable": .strings(["p9"])])
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        #expect(try await shop.open("product/p9").outcome == .rejected(reason: "inStock"))
        #expect(try shop.host.scene("A").parked.map(\.event) == ["auto-1"])
        try await shop.host.session.signIn(user: "anna")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
    }

    @Test("policy reject: a newer link is refused while one is parked")
    func policyReject() async throws {
        let shop = try TestHost { $0.policies.whileGated = .reject }
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        #expect(try await shop.open("product/p1").outcome == .rejected(reason: "gateBusy"))
        try await shop.host.session.signIn(user: "anna")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
    }

    @Test("policy queue: a newer link waits behind the parked one and both go on in order")
    func policyQueue() async throws {
        let shop = try TestHost { $0.policies.whileGated = .queue }
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        let product = try shop.admit("product/p1")
        #expect(await shop.host.receipt(of: product).outcome == .gated(precondition: "signedIn"))
        try await shop.host.session.signIn(user: "anna")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(await shop.host.receipt(of: product, at: .finished).outcome == .applied)
        #expect(try shop.shown() == "home › product(id: p1)")
    }

    private func firstScreen(of flow: String, _ shop: TestHost) throws -> String {
        try #require(shop.host.manifest.flows.first { $0.name == flow }?.screens.first?.id)
    }

    private func shows(_ record: Record, _ id: String) -> Bool {
        guard case .navigationStep(_, _, let window) = record.body else { return false }
        return window.state.destinations.contains { $0.id == id }
    }

    @Test("parked intents are bounded too: with nothing to supersede them, a window refuses more at its limit")
    func parkedIsBounded() async throws {
        let test = try TestHost(windows: ["A"], settings: HostSettings(mailboxCapacity: 5)) {
            $0.policies.whileGated = .queue
        }
        for _ in 0..<5 { #expect(try await test.open("cart").outcome == .gated(precondition: "signedIn")) }
        #expect(throws: AdmissionError.queueFull(scene: "A", limit: 5)) { try test.admit("cart") }
        let others = try test.admit("cart", from: "bob")
        #expect(
            await test.host.receipt(of: others).outcome == .gated(precondition: "signedIn"),
            "nobody fills it for others"
        )
        try await test.host.session.signIn(user: "anna")
        await test.host.quiesce()
        #expect(try await test.open("cart").outcome == .unchanged, "and takes more when they have gone on")
    }
}
