import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneModel
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Destinations that are presented over whatever is shown (<doc:/SceneRuntime/Windows>), in an app other than the shop.
@Suite("Over what is shown", .timeLimit(.minutes(15)))
struct OverCurrentTests {
    /// What may be on screen when something is presented over it.
    static let grounds: [(name: String, links: [String], taps: [String])] = [
        ("a tab", ["courts"], []), ("a screen in another tab", ["court/c7", "news"], []),
        ("a pushed screen", ["court/c7"], []), ("a flow", ["card"], []),
        ("a flow's second screen", ["card"], ["shown"]),
        ("a gate's flow", ["booking"], ["filled"]), ("another such", ["rating"], []),
    ]

    @Test("it takes nothing away, and closing it gives back what was there", arguments: 0..<7, [false, true])
    func givesBack(ground: Int, isFromInside: Bool) async throws {
        let club = try Club()
        try await club.signIn()
        let ground = Self.grounds[ground]
        if ground.name.hasPrefix("a flow") { try await club.host.session.commit(set: ["member": .boolean(true)]) }
        for link in ground.links { try await club.open(link) }
        for intent in ground.taps { try await club.tap(intent) }
        let (before, parked) = (try club.window, try club.host.scene("A").parked.map(\.event))
        if isFromInside {
            #expect(try await club.tap("asked").outcome == .applied)
        } else {
            #expect(try await club.open("help").outcome == .applied)
        }
        let after = try club.window
        #expect(after.tabs == before.tabs && after.selectedTab == before.selectedTab)
        #expect(after.modals.dropLast() == before.modals[...] && after.topmost?.id == "help", "\(after)")
        #expect(try club.host.scene("A").parked.map(\.event) == parked)
        // Once more it only changes what it shows.
        #expect(try await club.open("help/tennis").outcome == .applied)
        #expect(try club.window.modals.count == after.modals.count)
        #expect(try await club.open("help/tennis").outcome == .unchanged)
        try await club.act(.gesture(.swipeDown()))
        #expect(try club.window == before)
        #expect(try club.host.scene("A").parked.map(\.event) == parked)
        await club.end()
    }

    @Test("a root flow does not stop it, and neither does it go on over the next root")
    func overRoot() async throws {
        let club = try Club()
        #expect(try club.shown == "*root: hello")
        #expect(try await club.open("help").outcome == .applied)
        #expect(try club.shown == "*root: hello › sheet [help(topic: start)]")
        // What somebody has to be signed in for waits at the root.
        #expect(try await club.open("rating").outcome == .gated(precondition: "signedIn"))
        #expect(try await club.tap("asked").outcome == .applied)
        #expect(try club.shown == "*root: hello › sheet [help(topic: login)]")
        try await club.tap("loginCompleted", ["user": "mina"])
        #expect(try club.shown == "*courts: courts › popover [rating] | news: news")
        await club.end()
    }

    @Test("what waits at a gate goes on waiting below it, and an event that has a place supersedes both")
    func parked() async throws {
        let club = try Club()
        try await club.signIn()
        let booking = try await club.open("booking")
        #expect(booking.outcome == .gated(precondition: "member"))
        try await club.open("help")
        // It waits at a gate of its own, behind nothing.
        let card = try await club.open("card")
        #expect(card.outcome == .gated(precondition: "member"))
        // Its gate's flow is there already, and stays covered.
        #expect(try club.shown == "*courts: courts › sheet join[form] › sheet [help(topic: start)] | news: news")
        #expect(try club.host.scene("A").parked.count == 2)
        try await club.open("help")
        try await club.act(.finishFlow("join", .completed(FlowCompletion(facts: ["member": .boolean(true)]))))
        #expect(try club.shown == "*courts: courts › sheet [booking] › fullScreen card[card] | news: news")
        try await club.open("help")
        try await club.host.session.commit(remove: ["member"])
        await club.host.quiesce()
        #expect(try club.shown == "*courts: courts | news: news")
        try await club.open("booking")
        try await club.open("help")
        #expect(try await club.open("news").outcome == .applied)
        #expect(try club.host.scene("A").parked.isEmpty)
        #expect(try club.shown == "courts: courts | *news: news")
        await club.end()
    }

    @Test("going back to it takes no flow away, and nothing that waits for one")
    func overFlowAboveItself() async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("help")
        #expect(try await club.tap("rate").outcome == .applied)
        // A presentation of no flow is dismissed.
        #expect(try await club.open("help/a").outcome == .applied)
        #expect(try club.shown == "*courts: courts › sheet [help(topic: a)] | news: news")
        let card = try await club.open("card")
        #expect(card.outcome == .gated(precondition: "member"))
        #expect(try await club.open("help/b").outcome == .applied)
        #expect(
            try club.shown
                == "*courts: courts › sheet [help(topic: a)] › sheet join[form] › sheet [help(topic: b)] | news: news"
        )
        #expect(try club.host.scene("A").parked.count == 1)
        // Now it is on top, so there are no more of them.
        #expect(try await club.open("help/c").outcome == .applied)
        #expect(try club.window.modals.count == 3)
        try await club.host.session.commit(set: ["member": .boolean(true)])
        await club.host.quiesce()
        #expect(try club.window.modals.map { $0.stack[0].id } == ["help", "card"])
        await club.end()
    }

    @Test("a flow below it that ends leaves with it", arguments: ["completed", "cancelled", "by another window"])
    func flowEnds(how: String) async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("booking")
        try await club.open("help")
        try await club.open("help/racket")
        switch how {
        case "completed":
            try await club.act(.finishFlow("join", .completed(FlowCompletion(facts: ["member": .boolean(true)]))))
        case "cancelled": try await club.tap("gaveUp")
        default:
            try await club.host.session.commit(set: ["member": .boolean(true)])
            await club.host.quiesce()
        }
        let shown = how == "cancelled" ? "" : " › sheet [booking]"
        #expect(try club.shown == "*courts: courts\(shown) | news: news")
        await club.end()
    }

    @Test("the policy of a gate holds for it as for any other event", arguments: [Policies.WhileGated.queue, .reject])
    func policies(policy: Policies.WhileGated) async throws {
        let club = try Club { $0.policies.whileGated = policy }
        try await club.signIn()
        try await club.open("booking")
        let help = try await club.open("help")
        #expect(help.outcome == (policy == .queue ? .gated(precondition: "member") : .rejected(reason: "gateBusy")))
        #expect(try await club.tap("asked").outcome == .applied, "a request from inside the app is not held up")
        try await club.host.session.commit(set: ["member": .boolean(true)])
        await club.host.quiesce()
        let above = policy == .queue ? " › sheet [help(topic: start)]" : ""
        #expect(try club.shown == "*courts: courts › sheet [booking]\(above) | news: news")
        await club.end()
    }

    @Test("it is swept, saved, restored and left behind like anything else that is presented")
    func life() async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("court/c1")
        try await club.open("rating")
        try await club.open("help")
        #expect(
            try club.shown
                == "*courts: courts › court(id: c1) › popover [rating] › sheet [help(topic: start)] | news: news"
        )
        try await club.host.disconnect(scene: "A")
        try club.host.connect(scene: "A")
        #expect(try club.window.modals.map { $0.stack[0].id } == ["rating", "help"])
        // The rating goes, and what is over it with it.
        try await club.host.session.commit(set: ["closed": .boolean(true)])
        await club.host.quiesce()
        #expect(try club.shown == "*courts: courts › court(id: c1) | news: news")
        #expect(try await club.open("rating").outcome == .rejected(reason: "open"))
        try await club.open("help")
        await club.host.session.signOut()
        await club.host.quiesce()
        #expect(try club.shown == "*root: hello")
        await club.end()
    }

    @Test("as the fallback it is shown over a flow, which stays")
    func fallback() async throws {
        let club = try Club { $0.fallback = Destination(id: "help") }
        try await club.signIn()
        try await club.host.session.commit(set: ["member": .boolean(true)])
        try await club.open("card")
        #expect(try await club.open("nowhere").outcome == .rejected(reason: "unknownRoute"))
        #expect(try club.shown == "*courts: courts › fullScreen card[card] › sheet [help(topic: start)] | news: news")
        await club.end()
    }

    @Test("the chain of presentations grows no deeper than the app allows")
    func depth() async throws {
        let club = try Club { manifest in
            manifest.policies.maximumStackDepth = 4
            for place in manifest.destinations.indices where manifest.destinations[place].id == "help" {
                manifest.destinations[place].repeats = true
            }
        }
        try await club.signIn()
        for depth in 1...4 {
            #expect(try await club.act(.intent(Intent(name: depth % 2 == 0 ? "asked" : "rate"))).outcome == .applied)
            #expect(try await club.open("help/t\(depth)").outcome != .rejected(reason: "stackFull"))
        }
        #expect(try club.window.modals.count <= 4)
        await club.end()
    }

    /// What the records may not say.
    @Test("a history in which it took something away, or did not go over what was shown, is noticed")
    func falsified() async throws {
        let club = try Club()
        try await club.signIn()
        let booking = try await club.open("booking")
        try await club.open("help")
        await club.host.quiesce()
        await club.host.drain()
        let records = club.records
        func violated(_ change: (inout JSONObject) -> Void, where fits: @escaping (JSONObject) -> Bool) throws -> Set<
            Invariant
        > {
            var changed = records
            let place = try #require(changed.lastIndex(where: fits))
            change(&changed[place])
            return checked(changed, app: club.manifest).violated
        }
        let isResolved = { (record: JSONObject) in record["kind"] == "dispatch.resolved" }
        #expect(checked(records, app: club.manifest).conclusion == .holds)
        // Then what was parked should have been superseded.
        #expect(try violated({ $0["overCurrent"] = nil }, where: isResolved).contains(.agreement))
        #expect(try violated({ $0["overCurrent"] = nil }, where: isResolved).contains(.continuity))
        #expect(
            try violated({ $0["overCurrent"] = true }) { isResolved($0) && $0["event"] == .string(booking.event) }
                == [.agreement]
        )
        let isPlanned = { (record: JSONObject) in record["kind"] == "dispatch.planned" }
        #expect(try !violated({ $0["ops"] = [] }, where: isPlanned).isEmpty)
    }
}
