import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("Flows start, move, end and hand over", .timeLimit(.minutes(15)))
struct FlowTests {
    private let anna = FlowResult.completed(FlowCompletion(user: "anna"))

    @Test("the sign-up flow goes step by step, with back, replace and hidden back, and resumes what waited")
    func signUp() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        try await shop.tap("signUpRequested")
        #expect(try shop.shown() == "home › auth[login › createAccount]")
        try await shop.tap("signUpCancelled")
        #expect(try shop.shown() == "home › auth[login]")
        try await shop.tap("signUpRequested")
        try await shop.tap("emailCaptured", ["email": "a@b.example"])
        #expect(try shop.shown() == "home › auth[login › createAccount › emailVerification]")
        try await shop.tap("verificationCancelled")
        #expect(try shop.shown() == "home › auth[login › createAccount]")
        try await shop.tap("emailCaptured", ["email": "a@b.example"])
        try await shop.tap("emailVerified", ["email": "a@b.example"])
        #expect(try shop.shown() == "home › auth[login › createAccount › password]")
        try await shop.tap("passwordCaptured")
        #expect(try shop.shown() == "home › auth[login › createAccount › welcome]")
        #expect(try await shop.act(.gesture(.back)).outcome == .ignored(reason: "backHidden"))
        #expect(try await shop.tap("signUpCompleted", ["user": "anna"]).outcome == .applied)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(try shop.shown() == "home › cart")
        #expect(shop.host.session.snapshot.user == "anna")
        #expect(shop.host.session.snapshot.revision == 1)
    }

    @Test("a cancelled flow leaves the screen, and what waited for it is abandoned", arguments: [true, false])
    func cancelled(byIntent: Bool) async throws {
        let shop = try TestHost()
        try await shop.tap("productSelected", ["id": "p1"])
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        let receipt =
            byIntent ? try await shop.tap("cancelled") : try await shop.act(.finishFlow("auth", .cancelled))
        #expect(receipt.outcome == .applied)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "flowCancelled"))
        #expect(try shop.shown() == "home › product(id: p1)")
        #expect(shop.host.session.snapshot.revision == 0)
        #expect(try shop.host.scene("A").coordinators == ["home", "orders", "account"])
    }

    @Test("S4: a completed flow commits before anything is resumed, in one commit with its facts")
    func commitsFirst() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        let completion = FlowCompletion(user: "anna", facts: ["paymentMethod": .string("card")])
        let receipt = try await shop.act(.finishFlow("auth", .completed(completion)))
        #expect(receipt.outcome == .applied)
        let resumed = await shop.host.receipt(of: cart, at: .finished)
        #expect(resumed.outcome == .applied)
        #expect(resumed.revision == 1)
        #expect(shop.host.session.snapshot.revision == 1)
        #expect(shop.host.session.snapshot.facts["paymentMethod"] == .string("card"))
        let began = shop.records(of: .dispatchBegan).filter { $0.subject.attempt == 2 }
        #expect(began.count == 1)
    }

    @Test("if a gate is closed at its own flow's revision, what waited ends as gateUnsatisfied")
    func gateUnsatisfied() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        let done = try await shop.act(.finishFlow("addPayment", .completed(FlowCompletion())))
        #expect(done.outcome == .applied)
        #expect(
            await shop.host.receipt(of: checkout, at: .finished).outcome == .rejected(reason: "gateUnsatisfied")
        )
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
    }

    @Test("a gate that a later commit closed again parks the intent again")
    func closedAgain() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        _ = await shop.host.receipt(of: checkout)
        let hold = try shop.hold(.settled, scene: "A", kind: .dispatch)
        let done = try shop.admit(
            .finishFlow("addPayment", .completed(FlowCompletion(facts: ["paymentMethod": .string("card")])))
        )
        _ = await hold.caught()
        try await shop.host.session.commit(remove: ["paymentMethod"])
        hold.release()
        #expect(await shop.host.receipt(of: done).outcome == .applied)
        await shop.host.quiesce()
        #expect(shop.host.receipt(event: checkout.receipt.event)?.outcome == .gated(precondition: "paymentMethod"))
        #expect(try shop.shown() == "home › addPayment[paymentForm]")
        try await shop.host.session.commit(set: ["paymentMethod": .string("card")])
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .applied)
    }

    @Test("gates can be chained: the sign-in leads to the payment method, and that to the checkout")
    func chained() async throws {
        let shop = try TestHost()
        let checkout = try shop.admit("checkout")
        _ = await shop.host.receipt(of: checkout)
        let facts: [String: FactValue] = ["cart": .strings(["p1"])]
        try await shop.act(.finishFlow("auth", .completed(FlowCompletion(user: "anna", facts: facts))))
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › addPayment[paymentForm]")
        #expect(try await shop.tap("paymentAdded", ["method": "card"]).outcome == .applied)
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .applied)
        #expect(try shop.shown() == "home › cart › checkout[checkout]")
    }

    @Test("a late report from a flow that another window has made pointless is noSuchFlow and commits nothing")
    func late() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        let hold = try shop.hold(.resolved, scene: "A", kind: .dispatch)
        let report = try shop.admit(.finishFlow("auth", .completed(FlowCompletion(user: "bert"))))
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "anna")
        hold.release()
        #expect(await shop.host.receipt(of: report).outcome == .rejected(reason: "noSuchFlow"))
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(shop.host.session.snapshot.user == "anna")
        #expect(shop.host.session.snapshot.revision == 1)
        // Swept by now.
        #expect(try await shop.act(.finishFlow("auth", anna)).outcome == .rejected(reason: "noSuchFlow"))
        #expect(try await shop.act(.finishFlow("auth", .cancelled)).outcome == .rejected(reason: "noSuchFlow"))
        #expect(shop.host.session.snapshot.revision == 1)
    }

    @Test("a flow of one user reports nothing for the next")
    func userLeaves() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        _ = await shop.host.receipt(of: checkout)
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let facts: [String: FactValue] = ["paymentMethod": .string("anna's card")]
        let late = try shop.admit(.finishFlow("addPayment", .completed(FlowCompletion(facts: facts))))
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "bert")
        hold.release()
        #expect(await shop.host.receipt(of: late).outcome == .abandoned(reason: "userLeft"))
        #expect(shop.host.session.snapshot.facts["paymentMethod"] == nil)
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .abandoned(reason: "userLeft"))
    }

    @Test("one sign-in by a flow serves all windows, whichever reports first", arguments: ["A", "B"])
    func servesAll(first: String) async throws {
        let shop = try TestHost()
        let links = [try shop.admit("cart", in: "A"), try shop.admit("order/o1", in: "B")]
        for link in links { _ = await shop.host.receipt(of: link) }
        let other = first == "A" ? "B" : "A"
        #expect(try await shop.act(.finishFlow("auth", anna), in: first).outcome == .applied)
        let late = try await shop.act(.finishFlow("auth", .completed(FlowCompletion(user: "bert"))), in: other)
        #expect(late.outcome == .rejected(reason: "noSuchFlow"))
        for link in links { #expect(await shop.host.receipt(of: link, at: .finished).outcome == .applied) }
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home › cart")
        #expect(try shop.shown("B") == "orders › order(id: o1)")
        #expect(shop.host.session.snapshot.user == "anna")
        #expect(shop.host.session.snapshot.revision == 1)
    }

    @Test("a checkout that completes empties the cart and hands over to its order", arguments: [true, false])
    func checkout(byIntent: Bool) async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(
            user: "anna",
            facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        )
        try await shop.open("checkout")
        #expect(try shop.shown() == "home › cart › checkout[checkout]")
        let receipt =
            byIntent
            ? try await shop.tap("orderPlaced", ["order": "o12"])
            : try await shop.act(.finishFlow("checkout", .completed(FlowCompletion(facts: ["order": .string("o12")]))))
        #expect(receipt.outcome == .applied)
        #expect(try shop.shown() == "orders › order(id: o12)")
        #expect(shop.host.session.snapshot.facts["cart"] == .strings([]))
        #expect(shop.host.session.snapshot.revision == 2)
        await shop.host.quiesce()
        #expect(try shop.window().stack(of: "home")?.map(\.id) == ["home", "cart"])
    }

    @Test(
        "a result that no flow can report is refused at the door",
        arguments: [
            (SceneAction.finishFlow("auth", .completed(FlowCompletion())), "user"),
            (.finishFlow("auth", .completed(FlowCompletion(user: ""))), "user"),
            (.finishFlow("nowhere", .cancelled), "flow"),
            (
                .finishFlow("auth", .completed(FlowCompletion(user: "anna", facts: ["nothing": .boolean(true)]))),
                "nothing"
            ),
            (.finishFlow("auth", .completed(FlowCompletion(user: "anna", facts: ["cart": .boolean(true)]))), "cart"),
        ]
    )
    func refused(action: SceneAction, named: String) async throws {
        let shop = try TestHost()
        try await shop.open("cart")
        let before = shop.records.count
        let error = #expect(throws: AdmissionError.self) { try shop.admit(action) }
        switch error {
        case .route(.validationFailed(named, _)), .invalidFact(named, _): break
        default: Issue.record("\(String(describing: error))")
        }
        #expect(shop.records.count == before)
    }
}
