import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// Every row of the outcome table, through the socket.
@Suite("How events end, on the live daemon", .eitherDaemon, .timeLimit(.minutes(15)))
struct OutcomeTests {
    @Test("applied, and unchanged if the target is already shown")
    func appliedAndUnchanged() async throws {
        try await Race.run { race in
            let (first, second) = (try await race.open("product/p1"), try await race.open("product/p1"))
            #expect(first.outcome == .applied && second.outcome == .unchanged)
        }
    }

    @Test("delivered: a presented or silent push does not navigate")
    func delivered() async throws {
        try await Race.run { race in
            let shown = try await race.call("Push", ["payload": ["aps": ["alert": "x"]], "interaction": "present"])
            let silent = try await race.call("Push", ["payload": ["aps": ["content-available": 1]]])
            #expect(shown["outcome"] == "delivered" && silent["outcome"] == "delivered")
            #expect(try await race.shown() == ["home"])
        }
    }

    @Test("ignored: a gesture in a transition, with nothing to pop, or where back is hidden")
    func ignored() async throws {
        try await Race.run { race in
            #expect(try await race.call("Gesture", ["gesture": "back"])["outcome"] == "ignored")
            let hold = try await race.hold("transition", "A", event: "product")
            try await race.send("product/p1", as: "product")
            try await hold.caught()
            let inTransition = try await race.call("Gesture", ["gesture": "back"])
            #expect(inTransition["outcome"] == "ignored", "judged when it happens, not at its turn")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.shown() == ["home", "product(id: p1)"])
            #expect(try await race.call("Gesture", ["gesture": "back"])["outcome"] == "applied")
            #expect(try await race.shown() == ["home"])
            try await race.open("cart")
            for intent: JSONObject in [
                ["name": "signUpRequested"], ["name": "emailCaptured", "parameters": ["email": "a@b.example"]],
                ["name": "emailVerified", "parameters": ["email": "a@b.example"]],
            ] {
                #expect(try await race.call("SendIntent", intent)["outcome"] == "applied")
            }
            #expect(try await race.shown().last == "password")
            #expect(try await race.call("Gesture", ["gesture": "swipeBack"])["outcome"] == "ignored")
        }
    }

    @Test("rejected: a condition fails, and is named")
    func condition() async throws {
        try await Race.run { race in
            _ = try await race.client.commit(set: ["unavailable": ["p5"]])
            let receipt = try await race.open("product/p5")
            #expect(receipt.outcome == .rejected && receipt.reason == "inStock")
        }
    }

    @Test(
        "rejected: a gate still closed at the revision its own flow committed; parked again when a later commit closed it",
        arguments: [false, true]
    )
    func gateUnsatisfied(isClosedLater: Bool) async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna", facts: ["cart": ["p1"]])
            try await race.open("checkout", as: "checkout")
            #expect(try await race.outcome("checkout") == "gated: paymentMethod")
            let hold = try await race.hold("admitted", "A", kind: "resume")
            var finish: JSONObject = ["flow": "addPayment", "result": "completed"]
            if isClosedLater { finish["facts"] = ["paymentMethod": "card"] }
            try await race.call("FinishFlow", finish, wait: "admitted")
            try await hold.caught()
            if isClosedLater { _ = try await race.client.commit(remove: ["paymentMethod"]) }
            try await hold.release()
            try await race.quiesce()
            #expect(
                try await race.outcome("checkout")
                    == (isClosedLater ? "gated: paymentMethod" : "rejected: gateUnsatisfied")
            )
        }
    }

    @Test("rejected: the result of a flow that is not shown, and an intent that no coordinator handles")
    func nobodyThere() async throws {
        try await Race.run { race in
            let finish = try await race.call("FinishFlow", ["flow": "auth", "result": "completed", "user": "anna"])
            #expect(finish["outcome"] == "rejected" && finish["reason"] == "noSuchFlow")
            #expect(try await race.client.session().revision == 0, "and nothing is committed")
            let intent = try await race.call("SendIntent", ["name": "somethingElse", "event": "intent"])
            #expect(intent["outcome"] == "rejected" && intent["reason"] == "unhandledIntent")
        }
    }

    @Test("rejected: a push whose link leads nowhere")
    func push() async throws {
        try await Race.run { race in
            let payload: JSONObject = ["aps": ["alert": "x"], "url": "https://shop.example/nowhere"]
            let receipt = try await race.call("Push", ["payload": .object(payload)])
            #expect(receipt["outcome"] == "rejected" && receipt["ticket"] == 1)
        }
    }

    @Test(
        "abandoned: the flow is cancelled, by its result or by swiping it down",
        arguments: ["FinishFlow", "Gesture", "SendIntent"]
    )
    func flowCancelled(method: String) async throws {
        try await Race.run { race in
            try await race.open("cart", as: "cart")
            let cancel: [String: JSONObject] = [
                "FinishFlow": ["flow": "auth", "result": "cancelled"], "Gesture": ["gesture": "swipeDown"],
                "SendIntent": ["name": "cancelled"],
            ]
            try await race.call(method, cancel[method] ?? [:])
            try await race.quiesce()
            #expect(try await race.outcome("cart") == "abandoned: flowCancelled")
            #expect(try await race.shown() == ["home"])
        }
    }

    @Test("abandoned: the window is discarded, with what waits, runs and is parked")
    func sceneDiscarded() async throws {
        try await Race.run { race in
            try await race.open("cart", as: "parked")
            let hold = try await race.hold("resolved", "A")
            try await race.send("product/p1", as: "running")
            try await hold.caught()
            try await race.send("orders", as: "waiting")
            _ = try await race.client.discard(scene: "A")
            for event in ["parked", "running", "waiting"] {
                #expect(try await race.outcome(event) == "abandoned: sceneDiscarded")
            }
            try await hold.release()
        }
    }

    @Test("abandoned: the daemon stops with something parked")
    func shutdown() async throws {
        let ending = try await LiveDaemon.ending { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let other = try await daemon.client()
            async let finished = other.openURL(
                "qcommerce://cart",
                .init(scene: "A", event: "cart", wait: .finished)
            )
            try await daemon.record("gate.parked", event: "cart")
            daemon.stop()
            let receipt = try await finished
            #expect(receipt.outcome == .abandoned && receipt.reason == "shutdown")
        }
        #expect(ending.status == .exited(0))
    }
}
