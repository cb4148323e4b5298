import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("What one user did and had on screen is not the next one's (S8, S9)", .timeLimit(.minutes(15)))
struct WhoseItIsTests {
    /// What somebody can do in a window, and what has to be on screen for it.
    struct Act: Sendable, CustomTestStringConvertible {
        let description: String
        let link: String
        let action: SceneAction
        var facts: [String: FactValue] = ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        var testDescription: String { description }

        static let all = [
            Act(description: "an order", link: "checkout", action: intent("orderPlaced", ["order": "o7"])),
            Act(
                description: "an order, reported from outside",
                link: "checkout",
                action: .finishFlow("checkout", .completed(FlowCompletion(facts: ["order": .string("o7")])))
            ),
            Act(description: "a checkout given up", link: "checkout", action: intent("cancelled")),
            Act(
                description: "a checkout ended from outside",
                link: "checkout",
                action: .finishFlow("checkout", .cancelled)
            ),
            Act(
                description: "a payment method",
                link: "checkout",
                action: intent("paymentAdded", ["method": "card"]),
                facts: ["cart": .strings(["p1"])]
            ),
            Act(description: "a purchase", link: "product/p1", action: intent("buyNow", ["id": "p1"])),
            Act(description: "a tap that navigates", link: "product/p1", action: intent("cartTapped")),
            Act(description: "a sign-out", link: "product/p1", action: intent("signOutTapped")),
            Act(description: "a way back", link: "product/p1", action: .gesture(.back)),
            Act(description: "a swipe let go", link: "product/p1", action: .gesture(.swipeBack(cancelled: true))),
            Act(
                description: "a sheet pulled down",
                link: "checkout",
                action: .gesture(.swipeDown()),
                facts: [
                    "cart": .strings(["p1"])
                ]
            ),
            Act(description: "another tab", link: "product/p1", action: .gesture(.selectTab("orders"))),
        ]

        private static func intent(_ name: String, _ parameters: [String: String] = [:]) -> SceneAction {
            .intent(Intent(name: name, parameters: parameters))
        }
    }

    /// How a user can leave.
    enum Leaving: CaseIterable {
        case replaced, signedOut, signedOutAndReplaced, cameBack

        func leave(_ session: Session, _ facts: [String: FactValue]) async throws {
            if self != .replaced { await session.signOut() }
            switch self {
            case .signedOut: break
            case .replaced, .signedOutAndReplaced: try await session.signIn(user: "bert", facts: facts)
            case .cameBack: try await session.signIn(user: "anna", facts: facts)
            }
        }
    }

    @Test(
        "S8: what was done under one user commits, shows and finishes nothing once that user has left, wherever it had got to",
        arguments: Act.all,
        [HoldPoint.admitted, .resolved, .planned, .transition]
    )
    func belongs(act: Act, point: HoldPoint) async throws {
        for leaving in Leaving.allCases {
            let shop = try TestHost(windows: ["A"])
            try await shop.host.session.signIn(user: "anna", facts: act.facts)
            try await shop.open(act.link)
            let hold = try shop.hold(point, scene: "A", event: "it")
            let admission = try shop.admit(act.action, id: "it")
            let isCaught = await shop.isCaught(hold, before: admission)
            try await leaving.leave(shop.host.session, act.facts)
            let facts = shop.host.session.snapshot.facts
            hold.release()
            let receipt = await shop.host.receipt(of: admission, at: .finished)
            await shop.host.quiesce()
            guard isCaught else { continue }
            if point == .admitted { #expect(receipt.outcome == .abandoned(reason: "userLeft"), "\(leaving)") }
            #expect(shop.host.session.snapshot.facts == facts, "\(leaving)")
            let left = shop.records(of: .sessionCommitted).first { $0.subject.epoch == 1 && $0.subject.event == nil }
            let late = shop.records.filter { $0.index > left?.index ?? 0 && $0.subject.event == "it" }
            #expect(left == nil || !late.contains { $0.kind == .sessionCommitted || $0.kind == .navigationStep })
        }
    }

    @Test("S8: what a guest does goes on for who signs in meanwhile")
    func guest() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.open("product/p1")
        let hold = try shop.hold(.admitted, scene: "A", event: "it")
        let tap = try shop.admit(.intent(Intent(name: "buyNow", parameters: ["id": "p1"])), id: "it")
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "anna")
        hold.release()
        #expect(await shop.host.receipt(of: tap).outcome == .applied)
        #expect(shop.host.session.snapshot.facts["cart"] == .strings(["p1"]))
        #expect(try shop.shown().hasSuffix("› cart"))
    }

    @Test("S8: who signs out by a tap has the rest of it done")
    func ownCommit() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna")
        #expect(try await shop.tap("signOutTapped").outcome == .delivered)
        #expect(shop.host.session.snapshot.user == nil)
    }

    @Test("S8: a record says in which revision and epoch an event was admitted")
    func recorded() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna")
        await shop.host.session.signOut()
        try await shop.open("product/p1")
        let admitted = try #require(shop.records(of: .eventAdmitted).first)
        #expect(admitted.subject.revision == 2)
        #expect(admitted.subject.epoch == 1)
    }

    @Test(
        "S9: what a user had on screen goes when another signs in at once, and what anybody may see stays",
        arguments: Leaving.allCases
    )
    func leftBehind(leaving: Leaving) async throws {
        let shop = try TestHost(windows: ["A", "B", "C"])
        try await shop.host.session.signIn(user: "anna", facts: Self.all)
        try await shop.open("checkout", in: "A")
        try await shop.open("order/o1", in: "B")
        try await shop.open("product/p1", in: "C")
        // The two commits of leaving and signing in merge into one sweep.
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        try await leaving.leave(shop.host.session, Self.all)
        _ = await hold.caught()
        hold.release()
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home")
        #expect(try shop.shown("B") == "orders")
        #expect(try shop.shown("C") == "home › product(id: p1)")
        let swept = shop.records(of: .sceneSwept)
        #expect(swept.compactMap(\.subject.scene).sorted() == ["A", "B"])
    }

    @Test("S9: a flow that was begun for a user ends with that user, and begins afresh for who needs it")
    func flows() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let hers = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: hers).outcome == .gated(precondition: "paymentMethod"))
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        try await shop.host.session.signIn(user: "bert", facts: ["cart": .strings(["p2"])])
        _ = await hold.caught()
        let his = try shop.admit("checkout")
        hold.release()
        #expect(await shop.host.receipt(of: hers, at: .finished).outcome == .abandoned(reason: "userLeft"))
        #expect(await shop.host.receipt(of: his).outcome == .gated(precondition: "paymentMethod"))
        #expect(try shop.shown() == "home › addPayment[paymentForm]")
        let presented = shop.records(of: .navigationStep).filter { $0.body.presents("addPayment") }
        #expect(presented.map(\.subject.epoch) == [0, 1])
    }

    @Test("S9: a link that is under way when a user leaves is not planned on what that user had on screen")
    func underWay() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna")
        try await shop.open("cart")
        let hold = try shop.hold(.planned, scene: "A", kind: .dispatch)
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        try await shop.host.session.signIn(user: "bert")
        hold.release()
        // It was on screen for anna; for bert it is shown anew.
        #expect(await shop.host.receipt(of: cart).outcome == .applied)
        #expect(try shop.shown() == "home › cart")
    }

    @Test("S9: a released window comes back without what belonged to a user who has left", arguments: Leaving.allCases)
    func restored(leaving: Leaving) async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna", facts: Self.all)
        try await shop.open("checkout")
        try await shop.host.disconnect(scene: "A")
        try await leaving.leave(shop.host.session, Self.all)
        try await shop.host.reconnect(scene: "A")
        #expect(try shop.shown() == "home")
    }

    @Test("S9: a saved window says whose it was, and shows the next user only what anybody may see")
    func saved() async throws {
        let earlier = try TestHost(windows: ["A", "B"], id: "earlier")
        try await earlier.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        try await earlier.host.session.commit(set: ["paymentMethod": .string("card")])
        try await earlier.open("checkout", in: "A")
        try await earlier.open("cart", in: "B")
        await earlier.host.quiesce()
        let (a, b) = (try earlier.host.scene("A"), try earlier.host.scene("B"))
        #expect(a.owner == WindowOwner(host: "earlier", user: "anna", epoch: 0) && b.owner == a.owner)
        // The flow that a link has opened for her, and the cart.
        #expect(try earlier.shown("A") == "home › cart › checkout[checkout]")

        for (user, isHers) in [("anna", true), ("bert", false)] {
            let later = try TestHost(windows: [], id: "later")
            let facts: [String: FactValue] = ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
            try await later.host.session.signIn(user: user, facts: facts)
            try later.host.connect(scene: "A", restoring: a.window, of: a.owner)
            try later.host.connect(scene: "B", restoring: b.window, of: b.owner)
            await later.host.quiesce()
            #expect(try later.shown("B") == (isHers ? "home › cart" : "home"))
            #expect(try later.shown("A") == (isHers ? "home › cart › checkout[checkout]" : "home"))
            #expect(try later.host.scene("B").owner == WindowOwner(host: "later", user: user, epoch: 0))
            // One that does not say whose it was belongs to who is signed in.
            try later.host.connect(scene: "C", restoring: b.window)
            await later.host.quiesce()
            #expect(try later.shown("C") == "home › cart")
        }

        // On the same host she has left meanwhile, and come back.
        await earlier.host.session.signOut()
        try await earlier.host.session.signIn(user: "anna")
        try earlier.host.connect(scene: "C", restoring: b.window, of: b.owner)
        await earlier.host.quiesce()
        #expect(try earlier.shown("C") == "home")
    }

    @Test("a window belongs to who is signed in, from its first judgement on")
    func owners() async throws {
        let shop = try TestHost(windows: ["A"])
        #expect(try shop.host.scene("A").owner == WindowOwner(host: "test", user: nil, epoch: 0))
        try await shop.host.session.signIn(user: "anna")
        await shop.host.quiesce()
        #expect(try shop.host.scene("A").owner == WindowOwner(host: "test", user: "anna", epoch: 0))
        try await shop.host.session.signIn(user: "bert")
        await shop.host.quiesce()
        #expect(try shop.host.scene("A").owner == WindowOwner(host: "test", user: "bert", epoch: 1))
        await shop.host.session.signOut()
        await shop.host.quiesce()
        #expect(try shop.host.scene("A").owner == WindowOwner(host: "test", user: nil, epoch: 2))
    }

    @Test("S9: a guest's window stays as it is for who signs in, and a flow begun by a guest for who leaves again")
    func guestsWindow() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.open("product/p1")
        try await shop.host.session.signIn(user: "anna")
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › product(id: p1)")
    }

    @Test(
        "S9: a flow that anybody may see ends with the user who began it, and stays if nobody had signed in when it began"
    )
    func flowsForAll() async throws {
        let shop = try TestHost(windows: ["A", "B"]) { manifest in
            for place in manifest.destinations.indices {
                manifest.destinations[place].preconditions = []
                manifest.destinations[place].conditions = []
            }
        }
        #expect(try await shop.open("checkout", in: "A").outcome == .applied)
        try await shop.host.session.signIn(user: "anna")
        try await shop.open("checkout", in: "B")
        let shown = try shop.shown("A")
        #expect(shown.contains("checkout"))
        #expect(try shop.shown("B") == shown)
        await shop.host.session.signOut()
        await shop.host.quiesce()
        #expect(try shop.shown("A") == shown)
        #expect(try shop.shown("B") == "home › cart")
    }

    @Test(
        "S9: what a user had parked neither refuses nor holds up what comes from outside after that user has left",
        arguments: Policies.WhileGated.allCases,
        Leaving.allCases
    )
    func parkedByWhoLeft(policy: Policies.WhileGated, leaving: Leaving) async throws {
        let shop = try TestHost(windows: ["A"]) { $0.policies.whileGated = policy }
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let hers = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: hers).outcome == .gated(precondition: "paymentMethod"))
        let hold = try shop.hold(.admitted, scene: "A", event: "it")
        let link = try shop.admit("product/p7", id: "it")
        _ = await hold.caught()
        try await leaving.leave(shop.host.session, ["cart": .strings(["p2"])])
        hold.release()
        #expect(await shop.host.receipt(of: link, at: .finished).outcome == .applied)
        #expect(await shop.host.receipt(of: hers, at: .finished).outcome == .abandoned(reason: "userLeft"))
        #expect(try shop.shown() == "home › product(id: p7)")
    }

    @Test("S9: who waits for what a user had parked hears of its end before the next event goes any further")
    func toldAtOnce() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        #expect(try await shop.open("checkout", id: "hers").outcome == .gated(precondition: "paymentMethod"))
        let turn = try shop.hold(.admitted, scene: "A", event: "it")
        let answer = try shop.hold(.resolved, scene: "A", event: "it")
        let link = try shop.admit("product/p7", id: "it")
        _ = await turn.caught()
        await shop.host.session.signOut()
        turn.release()
        _ = await answer.caught()
        #expect(shop.host.receipt(event: "hers")?.outcome == .abandoned(reason: "userLeft"))
        answer.release()
        #expect(await shop.host.receipt(of: link).outcome == .applied)
    }

    @Test(
        "S9: the record of a window says what goes when the user leaves: in tabs by who may see it, in flows by who began them"
    )
    func personal() async throws {
        let shop = try TestHost(windows: ["A"])
        func personal() throws -> [String] {
            guard case .navigationStep(_, _, let window) = shop.records(of: .navigationStep).last?.body else {
                return []
            }
            return zip(window.state.destinations, window.isPersonal).filter(\.1).map(\.0.id)
        }
        try await shop.open("product/p1")
        #expect(try personal() == [])
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        try await shop.open("cart")
        #expect(try personal() == ["cart"])
        #expect(try await shop.open("checkout").outcome == .gated(precondition: "paymentMethod"))
        #expect(try shop.shown() == "home › cart › addPayment[paymentForm]")
        #expect(try personal() == ["cart", "paymentForm"])
    }

    @Test("S9: what takes the place of one user's window for nobody gives way again to what the next user sees")
    func rootBetween() async throws {
        let app = try TestHost(windows: ["A"]) { $0 = try RootTests.manifest() }
        try await app.host.session.signIn(user: "anna")
        await app.host.quiesce()
        try await app.open("ledger://account/a1")
        try await app.host.session.signIn(user: "bert")
        await app.host.quiesce()
        #expect(try app.shown() == "accounts")
        #expect(app.records(of: .violation).isEmpty)
    }

    @Test("S9: a root flow that stays in force begins afresh for the next user")
    func rootFlow() async throws {
        let app = try TestHost(windows: ["A"]) {
            $0 = try RootTests.manifest()
            $0.roots[0].when = .always
        }
        try await app.host.session.signIn(user: "anna")
        try await app.tap("started")
        #expect(try app.shown() == "intro › login")
        try await app.host.session.signIn(user: "bert")
        await app.host.quiesce()
        #expect(try app.shown() == "intro")
    }

    @Test("S5: the report of a root flow that is no longer in force commits nothing", arguments: [true, false])
    func lateRoot(asIntent: Bool) async throws {
        let app = try RootTests.app()
        try await app.tap("started")
        let report: SceneAction =
            asIntent
            ? .intent(Intent(name: "termsAccepted", parameters: ["user": "anna"]))
            : .finishFlow("onboarding", .completed(FlowCompletion(user: "anna")))
        if asIntent { try await app.tap("loginCompleted") }
        let hold = try app.hold(.planned, scene: "A", event: "late")
        let late = try app.admit(report, id: "late")
        _ = await hold.caught()
        try await app.host.session.signIn(user: "bert")
        hold.release()
        #expect(await app.host.receipt(of: late).outcome == .rejected(reason: "noSuchFlow"))
        #expect(app.host.session.snapshot.user == "bert")
    }

    private static let all: [String: FactValue] = ["cart": .strings(["p1"]), "paymentMethod": .string("card")]

    /// A guest's link waits behind a flow in which somebody who signed in has gone on: the flow goes with that user, and nothing
    /// waits behind what waited for it.
    @Test(
        "a link that comes as a user leaves does not wait behind a flow that has gone with her",
        arguments: ["queue", "reject"]
    )
    func behindAFlowThatHasGone(policy: String) async throws {
        let shop = try TestHost(windows: ["A"]) { manifest in
            manifest.policies.whileGated = policy == "queue" ? .queue : .reject
            for index in manifest.destinations.indices where manifest.destinations[index].id == "cart" {
                manifest.destinations[index].preconditions = ["paymentMethod"]
            }
            for index in manifest.preconditions.indices where manifest.preconditions[index].name == "paymentMethod" {
                manifest.preconditions[index].flow = "auth"
            }
        }
        #expect(try await shop.open("cart", id: "guest").outcome == .gated(precondition: "paymentMethod"))
        try await shop.host.session.signIn(user: "mina")
        try await shop.act(.intent(Intent(name: "signUpRequested", parameters: [:])))
        let hold = try shop.hold(.admitted, scene: "A", event: "new")
        try shop.admit("cart", id: "new")
        _ = await hold.caught()
        await shop.host.session.signOut()
        hold.release()
        await shop.host.quiesce()
        #expect(shop.host.receipt(event: "guest")?.outcome == .abandoned(reason: "flowCancelled"))
        #expect(shop.host.receipt(event: "new")?.outcome == .gated(precondition: "paymentMethod"))
        #expect(try shop.host.scene("A").parked.map(\.event) == ["new"])
        #expect(try shop.window("A").modals.map(\.flow) == ["auth"])
    }
}

extension TestHost {
    /// Waits until the hold has caught the event, or the event has ended without passing its point.
    fileprivate func isCaught(_ hold: Hold, before admission: SceneHost.Admission) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = host.checkpoints.claim(hold.id) { _ in
                continuation.resume(returning: true)
            } onReleased: {
                continuation.resume(returning: false)
            }
            host.whenReached(.settled, admission) { _ in hold.release() }
        }
    }
}

extension Record.Body {
    fileprivate func presents(_ flow: String) -> Bool {
        guard case .navigationStep(.present(let modal), _, _) = self else { return false }
        return modal.flow == flow
    }
}
