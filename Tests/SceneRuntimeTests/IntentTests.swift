import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("Intents go up from the topmost screen until somebody takes them", .timeLimit(.minutes(15)))
struct IntentTests {
    @Test(
        "the app's intents lead where the manifest says",
        arguments: [
            ("productSelected", ["id": "p1"], "home › product(id: p1)"),
            ("categorySelected", ["slug": "fruit"], "home › category(slug: fruit)"), ("accountTapped", [:], "account"),
        ]
    )
    func routes(intent: String, parameters: [String: String], shown: String) async throws {
        let shop = try TestHost()
        #expect(try await shop.tap(intent, parameters).outcome == .applied)
        #expect(try shop.shown() == shown)
        let bubbled = try #require(shop.records(of: .intentBubbled).first)
        #expect(
            bubbled.body
                == .intentBubbled(
                    name: intent,
                    chain: ["screen home", "tab home", "home", "root"],
                    handler: "root",
                    error: nil
                )
        )
    }

    @Test("product on product is pushed again, and going to what is shown changes nothing")
    func repeats() async throws {
        let shop = try TestHost()
        try await shop.tap("productSelected", ["id": "p1"])
        try await shop.tap("productSelected", ["id": "p2"])
        #expect(try shop.shown() == "home › product(id: p1) › product(id: p2)")
        #expect(try await shop.tap("productSelected", ["id": "p2"]).outcome == .unchanged)
    }

    @Test("an intent goes up through nested presentations, and the record lists the chain")
    func nested() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(
            user: "anna",
            facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        )
        try await shop.open("checkout")
        await shop.host.session.signOut()
        await shop.host.quiesce()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        try await shop.open("checkout")
        #expect(try shop.shown() == "home › addPayment[paymentForm]")
        #expect(try await shop.tap("nobodyKnows").outcome == .rejected(reason: "unhandledIntent"))
        let bubbled = try #require(shop.records(of: .intentBubbled).last)
        #expect(
            bubbled.body
                == .intentBubbled(
                    name: "nobodyKnows",
                    chain: ["screen paymentForm", "sheet of addPayment", "addPayment", "home", "root"],
                    handler: nil,
                    error: nil
                )
        )
    }

    @Test("an intent that is declared for another screen is not taken there")
    func otherScreen() async throws {
        let shop = try TestHost()
        try await shop.open("cart")
        #expect(try await shop.tap("signUpCompleted", ["user": "anna"]).outcome == .rejected(reason: "unhandledIntent"))
        #expect(try shop.shown() == "home › auth[login]")
    }

    @Test("the top screen is the one at the intent's turn")
    func atItsTurn() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.admitted, scene: "A", kind: .dispatch)
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        let signUp = try shop.admit(.intent(Intent(name: "signUpRequested")))
        hold.release()
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(await shop.host.receipt(of: signUp).outcome == .applied)
        #expect(try shop.shown() == "home › auth[login › createAccount]")
    }

    @Test(
        "parameters that no declaration takes are refused at the door",
        arguments: [
            ("productSelected", [:], "id"), ("productSelected", ["id": "x1"], "id"),
            ("productSelected", ["id": "p1", "colour": "red"], "colour"), ("cartTapped", ["id": "p1"], "id"),
            ("loginCompleted", [:], "user"), ("", [:], "name"),
        ]
    )
    func refusedParameters(intent: String, parameters: [String: String], parameter: String) async throws {
        let shop = try TestHost()
        let before = shop.records.count
        let error = #expect(throws: AdmissionError.self) {
            try shop.admit(.intent(Intent(name: intent, parameters: parameters)))
        }
        guard case .route(.validationFailed(parameter, let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(shop.records.count == before)
    }

    @Test(
        "an event that happens in a window must name its scene",
        arguments: [
            SceneAction.intent(Intent(name: "cartTapped")), .gesture(.back), .finishFlow("auth", .cancelled),
        ]
    )
    func missingScene(action: SceneAction) async throws {
        let shop = try TestHost()
        #expect(throws: AdmissionError.missingScene(kind: action.kind)) { try shop.admit(action, in: nil) }
        #expect(throws: AdmissionError.unknownScene("Z")) { try shop.admit(action, in: "Z") }
    }

    @Test("buyNow commits once before the gate, and its resume repeats only the navigation")
    func buyNow() async throws {
        let shop = try TestHost()
        let tap = try shop.admit(.intent(Intent(name: "buyNow", parameters: ["id": "p7"])))
        #expect(await shop.host.receipt(of: tap).outcome == .gated(precondition: "signedIn"))
        #expect(shop.host.session.snapshot.facts["cart"] == .strings(["p7"]))
        #expect(shop.host.session.snapshot.revision == 1)
        let commit = try #require(shop.records(of: .sessionCommitted).first)
        #expect(commit.subject.scene == "A")
        #expect(commit.subject.event == "auto-1")
        #expect(try await shop.tap("loginCompleted", ["user": "anna"]).outcome == .applied)
        #expect(await shop.host.receipt(of: tap, at: .finished).outcome == .applied)
        #expect(try shop.shown() == "home › cart")
        #expect(shop.host.session.snapshot.facts["cart"] == .strings(["p7"]))
        #expect(shop.host.session.snapshot.revision == 2)
        #expect(try await shop.tap("buyNow", ["id": "p7"]).outcome == .unchanged)
        #expect(shop.host.session.snapshot.revision == 2)
    }

    @Test("a flow signs nobody in by what is no name")
    func noName() async throws {
        let shop = try TestHost()
        try await shop.tap("cartTapped")
        let outcome = try await shop.tap("loginCompleted", ["user": "Anna Bell"]).outcome
        #expect(outcome == .rejected(reason: "invalidUser"))
        #expect(shop.host.session.snapshot.user == nil)
        #expect(try await shop.tap("loginCompleted", ["user": "anna"]).outcome == .applied)
    }

    @Test("signing out by an intent changes the session only; the sweep does the rest")
    func signOut() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        try await shop.open("cart")
        #expect(try await shop.tap("signOutTapped").outcome == .delivered)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
        #expect(shop.host.session.snapshot.user == nil)
    }

    @Test("an intent supersedes nothing that is parked; a flow that it takes off the screen is cancelled")
    func supersedesNothing() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        _ = await shop.host.receipt(of: cart)
        #expect(try await shop.tap("cartTapped").outcome == .gated(precondition: "signedIn"))
        #expect(try shop.host.scene("A").parked.count == 2)
        #expect(try await shop.tap("productSelected", ["id": "p1"]).outcome == .applied)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "flowCancelled"))
        #expect(try shop.host.scene("A").parked.isEmpty)
    }

    @Test("an intent that leads to what a condition forbids is rejected with the condition's name")
    func condition() async throws {
        let shop = try TestHost()
        try await shop.host.session.commit(set: ["unavailable": .strings(["p9"])])
        #expect(try await shop.tap("productSelected", ["id": "p9"]).outcome == .rejected(reason: "inStock"))
    }

    @Test("S7: what one user tapped is not done for the next", arguments: ["buyNow", "productSelected"])
    func userLeaves(intent: String) async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna")
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let tap = try shop.admit(.intent(Intent(name: intent, parameters: ["id": "p7"])))
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "bert")
        hold.release()
        #expect(await shop.host.receipt(of: tap).outcome == .abandoned(reason: "userLeft"))
        #expect(shop.host.session.snapshot.facts["cart"] == .strings([]))
        #expect(try shop.shown() == "home")
    }

    @Test(
        "a screen that a commit has just forbidden has nothing to report, even before the sweep",
        arguments: [
            (SceneAction.intent(Intent(name: "orderPlaced", parameters: ["order": "o7"])), "unhandledIntent"),
            (.finishFlow("checkout", .completed(FlowCompletion(facts: ["order": .string("o7")]))), "noSuchFlow"),
        ]
    )
    func forbidden(action: SceneAction, reason: String) async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(
            user: "mina",
            facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        )
        try await shop.open("checkout")
        // The intent's turn has come, but the session has not been read yet.
        let hold = try shop.hold(.resolved, scene: "A", kind: .dispatch)
        let placed = try shop.admit(action)
        _ = await hold.caught()
        try await shop.host.session.commit(remove: ["paymentMethod"])
        hold.release()
        #expect(await shop.host.receipt(of: placed).outcome == .rejected(reason: reason))
        #expect(shop.host.session.snapshot.facts["order"] == nil)
        await shop.host.quiesce(scene: "A")
        #expect(try shop.shown() == "home › cart")
    }

    @Test("an intent in a scene that is discarded meanwhile changes nothing")
    func discarded() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let tap = try shop.admit(.intent(Intent(name: "buyNow", parameters: ["id": "p7"])))
        _ = await hold.caught()
        try await shop.host.discard(scene: "A")
        hold.release()
        #expect(await shop.host.receipt(of: tap).outcome == .abandoned(reason: "sceneDiscarded"))
        #expect(shop.host.session.snapshot.revision == 0)
    }

    @Test("the same intent sent again under its ID does nothing else")
    func duplicate() async throws {
        let shop = try TestHost()
        let action = SceneAction.intent(Intent(name: "buyNow", parameters: ["id": "p7"]))
        try await shop.act(action, id: "tap")
        #expect(try await shop.act(action, id: "tap").isDuplicate)
        #expect(throws: AdmissionError.eventMismatch(event: "tap")) {
            try shop.admit(.intent(Intent(name: "buyNow", parameters: ["id": "p8"])), id: "tap")
        }
        #expect(shop.host.session.snapshot.revision == 1)
    }
}
