import SceneClient
import StrictJSON
import Testing
import Varlink

@Suite("Two windows and one session on the live daemon", .eitherDaemon, .timeLimit(.minutes(15)))
struct WindowsTests {
    @Test("a gated link in one window resumes on a sign-in in another, and is swept on the sign-out")
    func gatedSequence() async throws {
        try await LiveDaemon.run { daemon in
            let a = try await daemon.client()
            let b = try await daemon.client()
            _ = try await a.connect(scene: "A")
            _ = try await b.connect(scene: "B")
            _ = try await b.openURL("https://shop.example/product/p1", .init(scene: "B"))

            let gated = try await a.openURL("https://shop.example/cart", .init(scene: "A", event: "cart"))
            #expect(gated.outcome == .gated && gated.precondition == "signedIn")
            var scene = try await a.scene("A")
            #expect(scene.window?.trail == ["home", "login"])
            #expect(scene.window?.modals.map(\.flow) == ["auth"])
            #expect(scene.parked.map(\.event) == ["cart"])
            #expect(scene.parked.first?.destination.id == "cart")
            #expect(scene.coordinators.contains("auth"))

            let waiting = try await daemon.client()
            async let finished = waiting.openURL(
                "https://shop.example/cart",
                .init(scene: "A", event: "cart", wait: .finished)
            )
            let session = try await b.signIn(user: "anna", scene: "B")
            let resumed = try await finished
            #expect(resumed.outcome == .applied)
            #expect(resumed.ticket == 1)
            #expect(resumed.revision == session.revision)
            scene = try await a.scene("A")
            #expect(scene.window?.trail == ["home", "cart"])
            #expect(scene.parked.isEmpty)
            #expect(!scene.coordinators.contains("auth"))
            #expect(try await b.scene("B").window?.trail == ["home", "product(id: p1)"])

            let newest = try #require(try await daemon.records().last?["index"]?.integerValue)
            _ = try await b.signOut(scene: "B")
            let swept = try await daemon.record("scene.swept", after: newest)
            #expect(swept["scene"] == "A")
            #expect(swept["removed"]?.arrayValue?.map { $0["destination"]?["id"] } == ["cart"])
            #expect(try await a.scene("A").window?.trail == ["home"])
            #expect(
                try await b.scene("B").window?.trail == ["home", "product(id: p1)"],
                "nothing here needs a signed-in user"
            )
            #expect(try await a.receipt(of: "cart").outcome == .applied, "an outcome is final")

            let kinds = try await daemon.records(event: "cart").map { $0["kind"]?.stringValue ?? "" }
            let order = ["event.admitted", "dispatch.began", "gate.parked", "gate.resumed", "dispatch.ended"]
            #expect(order.allSatisfy(kinds.contains))
            #expect(kinds.last == "dispatch.ended")
            #expect(kinds.firstIndex(of: "gate.parked") ?? 0 < kinds.firstIndex(of: "gate.resumed") ?? 0)
            let attempts = try await daemon.records(event: "cart").filter { $0["kind"] == "dispatch.began" }
            #expect(attempts.map { $0["attempt"] } == [1, 2])
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }

    @Test("one sign-in resumes every window that waits for it, each once, and no other")
    func resumesAll() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let links = [
                "A": "cart", "B": "order/o7", "C": "account/settings/privacy", "D": "product/p1", "E": "checkout",
            ]
            for (scene, link) in links.sorted(by: { $0.key < $1.key }) {
                _ = try await client.connect(scene: scene)
                let receipt = try await client.openURL("qcommerce://\(link)", .init(scene: scene, event: scene))
                #expect(receipt.outcome == (scene == "D" ? OutcomeName.applied : .gated))
            }
            _ = try await client.signIn(user: "anna", facts: ["cart": ["p1"]])
            for scene in ["A", "B", "C"] {
                try await daemon.record(event: scene) { $0["kind"] == "dispatch.ended" && $0["outcome"] == "applied" }
            }
            #expect(try await client.scene("A").window?.trail == ["home", "cart"])
            #expect(try await client.scene("B").window?.trail == ["orders", "order(id: o7)"])
            #expect(try await client.scene("C").window?.trail == ["account", "settings(section: privacy)"])

            // The checkout was resolved again and waits for its second precondition.
            try await daemon.record(event: "E") { $0["kind"] == "gate.parked" && $0["precondition"] == "paymentMethod" }
            // The gate's record comes before its flow and the receipt.
            try await client.quiesce(timeout: .seconds(120))
            #expect(try await client.receipt(of: "E").precondition == "paymentMethod")
            #expect(try await client.scene("E").window?.trail.last == "paymentForm")
            _ = try await client.commit(set: ["paymentMethod": "card"])
            try await daemon.record(event: "E") { $0["kind"] == "dispatch.ended" && $0["outcome"] == "applied" }
            #expect(try await client.scene("E").window?.trail == ["home", "cart", "checkout"])
            for scene in links.keys {
                let began = try await daemon.records(event: scene).filter { $0["kind"] == "dispatch.began" }
                #expect(began.count == ["D": 1, "E": 3][scene] ?? 2)
            }
        }
    }

    @Test("a sign-out sweeps every window back to what needs no user")
    func sweep() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.signIn(user: "anna", facts: ["cart": ["p1"], "paymentMethod": "card"])
            let links = ["A": "checkout", "B": "order/o7", "C": "category/tea"]
            for (scene, link) in links {
                _ = try await client.connect(scene: scene)
                let receipt = try await client.openURL("qcommerce://\(link)", .init(scene: scene))
                #expect(receipt.outcome == .applied)
            }
            let newest = try #require(try await daemon.records().last?["index"]?.integerValue)
            _ = try await client.signOut()
            for scene in ["A", "B"] { try await daemon.record("scene.swept", after: newest, scene: scene) }
            #expect(try await client.scene("A").window?.trail == ["home"])
            #expect(try await client.scene("B").window?.trail == ["orders"])
            #expect(try await client.scene("C").window?.trail == ["home", "category(slug: tea)"])
            #expect(try await client.scene("A").coordinators.contains("checkout") == false)
        }
    }

    @Test("a change of user abandons the events of the user who leaves")
    func noInheritance() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "anna", facts: ["cart": ["p1"]])
            let gated = try await client.openURL("qcommerce://checkout", .init(scene: "A", event: "hers"))
            #expect(gated.precondition == "paymentMethod")
            _ = try await client.signIn(user: "ben")
            let abandoned = try await daemon.record("gate.abandoned", event: "hers")
            #expect(abandoned["reason"] == "userLeft")
            let receipt = try await client.openURL(
                "qcommerce://checkout",
                .init(scene: "A", event: "hers", wait: .finished)
            )
            #expect(receipt.outcome == .abandoned && receipt.reason == "userLeft")
        }
    }

    @Test("a newer event supersedes one that waits, but only if it leads somewhere")
    func superseding() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            func open(_ link: String, _ event: String) async throws -> ClientReceipt {
                try await client.openURL("qcommerce://\(link)", .init(scene: "A", event: event))
            }
            _ = try await open("cart", "first")
            // A newer link that waits for the same precondition: the sheet stays, the parked event is replaced.
            #expect(try await open("order/o1", "second").outcome == .gated)
            #expect(try await client.receipt(of: "first").outcome == .superseded)
            #expect(try await client.scene("A").parked.map(\.event) == ["second"])
            #expect(try await client.scene("A").window?.modals.count == 1)

            // A presented push and a rejected link supersede nothing.
            _ = try await client.push(
                payload: ["aps": ["alert": "x"], "url": "qcommerce://orders"],
                interaction: "present",
                .init(scene: "A")
            )
            _ = try await client.commit(set: ["unavailable": ["p5"]])
            #expect(try await open("product/p5", "rejected").outcome == .rejected)
            #expect(try await client.receipt(of: "second").outcome == .gated)

            // A link that may proceed removes the sheet.
            #expect(try await open("product/p1", "third").outcome == .applied)
            #expect(try await client.receipt(of: "second").outcome == .superseded)
            #expect(try await client.scene("A").window?.trail == ["home", "product(id: p1)"])
            #expect(try await client.scene("A").parked.isEmpty)
            _ = try await client.signIn(user: "anna")
            #expect(try await open("home", "last").ticket == 6)
            #expect(try await client.scene("A").window?.trail == ["home"], "nothing was left to resume")
        }
    }
}
