import SceneClient
import SceneVocabulary
import StrictJSON
import Testing

/// The situations of `SeedSituationTests`, each by its name, played to a daemon whose transitions take 250 ms of virtual
/// time.
@Suite("Situations known from apps that navigate by hand, over the socket", .eitherDaemon, .timeLimit(.minutes(15)))
struct SituationTests {
    /// Something that happens to window A of the shop.
    enum Act: Sendable {
        case link(String)
        case push(String)
        case intent(String, [String: String])
        case gesture(Gesture)
        case finish(String, JSONObject)

        func send(to client: SceneClient, as event: String) async throws {
            let delivery = SceneClient.Delivery(scene: "A", event: event, wait: .admitted)
            switch self {
            case .link(let path): _ = try await client.openURL("qcommerce://\(path)", delivery)
            case .push(let path):
                let payload: JSONObject = ["aps": ["alert": "!"], "url": .string("qcommerce://\(path)")]
                _ = try await client.push(payload: payload, delivery)
            case .intent(let name, let parameters):
                _ = try await client.sendIntent(name, parameters: parameters, delivery)
            case .gesture(let gesture): _ = try await client.gesture(gesture, delivery)
            case .finish(let flow, let facts): _ = try await client.completeFlow(flow, facts: facts, delivery)
            }
        }
    }

    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The facts of anna, who is signed in.
        var facts: JSONObject = ["cart": ["p1"], "paymentMethod": "card"]
        /// What happens before, each act once the one before it has ended.
        var before: [Act] = []
        /// What then happens: the first, and while that is in its transition the others.
        let acts: [Act]
        /// How the acts end.
        let ends: [String]
        /// What the window shows then: the selected tab, with a star, and others in which something is open, then what is presented.
        let shown: String
        /// Whether the acts make no step at all.
        var isStill = false
    }

    static let situations: [Situation] = [
        Situation(
            testDescription: "home is not pushed onto home",
            before: [.link("product/p1"), .link("home")],
            acts: [.link("home")],
            ends: ["unchanged"],
            shown: "*home",
            isStill: true
        ),
        Situation(
            testDescription: "a link never lands in the tab that happens to be selected",
            before: [.link("product/p1"), .gesture(.selectTab("account"))],
            acts: [.link("order/o1")],
            ends: ["applied"],
            shown: "home › product(id: p1) | *orders › order(id: o1)"
        ),
        Situation(
            testDescription: "a link dismisses an open presentation after correcting what it covers",
            before: [.link("checkout")],
            acts: [.link("product/p1")],
            ends: ["applied"],
            shown: "*home › product(id: p1)"
        ),
        Situation(
            testDescription: "dismiss then present",
            facts: ["cart": ["p1"]],
            before: [.link("checkout")],
            acts: [.finish("addPayment", ["paymentMethod": "card"])],
            ends: ["applied"],
            shown: "*home › cart | [checkout]"
        ),
        Situation(
            testDescription: "a link to the screen already shown does nothing",
            before: [.link("product/p1")],
            acts: [.link("product/p1")],
            ends: ["unchanged"],
            shown: "*home › product(id: p1)",
            isStill: true
        ),
        Situation(
            testDescription: "a link to a screen deeper in the stack goes back to it",
            before: [.link("product/p1"), .intent("productSelected", ["id": "p2"])],
            acts: [.link("product/p1")],
            ends: ["applied"],
            shown: "*home › product(id: p1)"
        ),
        Situation(
            testDescription: "a link to a screen in another tab's stack goes there and back to it",
            before: [.link("order/o1"), .link("product/p1")],
            acts: [.link("order/o1")],
            ends: ["applied"],
            shown: "home › product(id: p1) | *orders › order(id: o1)"
        ),
        Situation(
            testDescription: "the system's back during a push",
            acts: [.link("product/p1"), .gesture(.back)],
            ends: ["applied", "ignored: inTransition"],
            shown: "*home › product(id: p1)"
        ),
        Situation(
            testDescription: "a swipe back cancelled half-way",
            before: [.link("product/p1")],
            acts: [.gesture(.swipeBack(cancelled: true)), .gesture(.back)],
            ends: ["ignored: swipeCancelled", "ignored: inTransition"],
            shown: "*home › product(id: p1)",
            isStill: true
        ),
        Situation(
            testDescription: "a swipe down cancelled half-way",
            facts: ["cart": ["p1"]],
            before: [.link("checkout")],
            acts: [.gesture(.swipeDown(cancelled: true)), .gesture(.dismiss)],
            ends: ["ignored: swipeCancelled", "ignored: inTransition"],
            shown: "*home | [paymentForm]",
            isStill: true
        ),
        Situation(
            testDescription: "three pushes racing for one window",
            acts: [.link("category/tea"), .push("product/p1"), .push("order/o1"), .push("promo/SPRING")],
            ends: ["applied", "applied", "applied", "applied"],
            shown: "*home › promo(code: SPRING) | orders › order(id: o1)"
        ),
    ]

    private static func notation(_ window: ClientWindow?) -> String {
        func names(_ stack: [Destination]) -> String { stack.map(\.description).joined(separator: " › ") }
        let tabs = (window?.tabs ?? []).filter { $0.stack.count > 1 || $0.id == window?.selectedTab }
            .map { ($0.id == window?.selectedTab ? "*" : "") + names($0.stack) }
        return (tabs + (window?.modals ?? []).map { "[\(names($0.stack))]" }).joined(separator: " | ")
    }

    @Test("end as they should", arguments: situations)
    func play(_ situation: Situation) async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "250"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.signIn(user: "anna", facts: situation.facts)
            for (number, act) in situation.before.enumerated() {
                try await act.send(to: client, as: "before\(number)")
                try await client.advance(by: .seconds(2))
            }
            for (number, act) in situation.acts.enumerated() {
                try await act.send(to: client, as: "act\(number)")
                try await client.advance(by: .zero)
            }
            if !situation.isStill || situation.acts.count > 1 {
                #expect(try await client.scene("A").window?.isTransitioning == true)
            }
            try await client.advance(by: .seconds(2))
            var ends: [String] = []
            for number in situation.acts.indices {
                let receipt = try await client.receipt(of: "act\(number)")
                ends.append(receipt.outcome.description + (receipt.reason.map { ": \($0)" } ?? ""))
                if situation.isStill {
                    let steps = try await daemon.records(event: "act\(number)").filter {
                        $0["kind"] == "navigation.step"
                    }
                    #expect(steps.isEmpty)
                }
            }
            #expect(ends == situation.ends)
            #expect(Self.notation(try await client.scene("A").window) == situation.shown)
            #expect(try await daemon.records().allSatisfy { $0["kind"] != "violation" })
        }
    }
}
