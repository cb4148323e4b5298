import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// What waits at a gate when another manifest is put in force.
@Suite("A reload and what waits at a gate", .timeLimit(.minutes(15)))
struct ReloadedGateTests {
    /// Opens the cart, which waits for somebody to sign in.
    private func parked(_ shop: TestHost, _ link: String = "cart", in scene: String = "A") async throws
        -> SceneHost.Admission
    {
        let waiting = try shop.admit(link, in: scene)
        #expect(await shop.host.receipt(of: waiting).outcome == .gated(precondition: "signedIn"))
        return waiting
    }

    private func reload(_ shop: TestHost, _ edit: (inout AppManifest) -> Void) async throws {
        var manifest = shop.host.manifest
        manifest.version += "+"
        edit(&manifest)
        try await shop.host.reload(manifest)
    }

    private func resumes(_ shop: TestHost, _ scene: String? = nil) -> Int {
        shop.records(of: .gateResumed, scene: scene).count
    }

    @Test(
        "S5: a precondition that holds by the new manifest resumes every intent parked on it, once, in its own window"
    )
    func predicateChanged() async throws {
        let shop = try TestHost()
        let (cart, order) = (try await parked(shop), try await parked(shop, "order/o7", in: "B"))
        try await reload(shop) { $0.edit(precondition: "signedIn") { $0.holds = .always } }
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(await shop.host.receipt(of: order, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home › cart")
        #expect(try shop.shown("B") == "orders › order(id: o7)")
        #expect(resumes(shop, "A") == 1 && resumes(shop, "B") == 1)
    }

    @Test("an intent goes on whose destination no longer needs the precondition, and its flow leaves the screen")
    func noLongerNeeded() async throws {
        let shop = try TestHost()
        let (cart, order) = (try await parked(shop), try await parked(shop, "order/o7", in: "B"))
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home › cart")
        // The other one still needs it.
        #expect(await shop.host.receipt(of: order).outcome == .gated(precondition: "signedIn"))
        #expect(try shop.shown("B").contains("› auth["))
        #expect(resumes(shop, "A") == 1 && resumes(shop, "B") == 0)
    }

    @Test("an intent goes on if no ancestor needs the precondition either, and meets its next gate")
    func ancestry() async throws {
        let shop = try TestHost(windows: ["A"])
        let checkout = try await parked(shop, "checkout")
        try await reload(shop) { $0.edit("checkout") { $0.preconditions = ["paymentMethod"] } }
        await shop.host.quiesce()
        #expect(resumes(shop) == 0, "the cart, before it, needs somebody to sign in")
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        #expect(try shop.window().modals.map(\.flow) == ["addPayment"])
    }

    @Test("an intent goes on whose precondition the new manifest does not have")
    func preconditionRemoved() async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try await parked(shop)
        try await reload(shop) { $0.remove(precondition: "signedIn") }
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › cart")
        #expect(resumes(shop) == 1)
    }

    @Test("an intent whose destination is gone is rejected, and does not wait for ever")
    func destinationRemoved() async throws {
        let shop = try TestHost(windows: ["A"])
        let delete = try await parked(shop, "account/delete")
        try await reload(shop) { $0.remove(destination: "deleteAccount") }
        #expect(
            await shop.host.receipt(of: delete, at: .finished).outcome == .rejected(reason: "destinationGone")
        )
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
        #expect(try shop.host.scene("A").parked.isEmpty)
    }

    @Test("an intent waits for the flow that satisfies its precondition now, if that is another one")
    func flowRenamed() async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try await parked(shop)
        try await reload(shop) { $0.rename(flow: "auth", to: "signInAgain") }
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(try shop.window().modals.map(\.flow) == ["signInAgain"])
        #expect(resumes(shop) == 1)
        #expect(throws: AdmissionError.self) {
            try shop.admit(.finishFlow("auth", .completed(FlowCompletion(user: "mina"))))
        }
        try await shop.act(.finishFlow("signInAgain", .completed(FlowCompletion(user: "mina"))))
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
    }

    @Test("what waits for a root flow goes on when the new manifest has no such root", arguments: [false, true])
    func rootDropped(isElsewhere: Bool) async throws {
        let shop = try TestHost(windows: ["A"]) { manifest in
            manifest.roots = [RootDeclaration(flow: "auth", when: .not(.signedIn))]
        }
        let product = try shop.admit("product/p1")
        #expect(await shop.host.receipt(of: product).outcome == .gated(precondition: "auth"))
        if isElsewhere { try await shop.host.disconnect(scene: "A") }
        try await reload(shop) { $0.roots = [] }
        if isElsewhere { try shop.host.connect(scene: "A") }
        #expect(await shop.host.receipt(of: product, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › product(id: p1)")
    }

    @Test("a reload that opens no gate and takes none away leaves everything parked")
    func nothingOpens() async throws {
        let shop = try TestHost()
        let cart = try await parked(shop)
        let before = try shop.window()
        try await reload(shop) { manifest in
            manifest.edit("product") { $0.conditions = [] }
            manifest.edit(precondition: "paymentMethod") { $0.holds = .always }
        }
        try await shop.host.reload(shop.host.manifest)
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(try shop.window() == before)
        #expect(resumes(shop) == 0)
        try await shop.host.session.signIn(user: "mina")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
    }

    @Test("what waits behind an intent in a queue is tried again with it, in order")
    func queueFreed() async throws {
        let shop = try TestHost(windows: ["A"]) { $0.policies.whileGated = .queue }
        let cart = try await parked(shop)
        let (product, order) = (try await parked(shop, "product/p1"), try await parked(shop, "order/o7"))
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(await shop.host.receipt(of: product, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: order).outcome == .gated(precondition: "signedIn"))
        #expect(try shop.shown().hasPrefix("home › product(id: p1) › auth["))
        let tickets = shop.records(of: .gateResumed).compactMap(\.subject.ticket)
        #expect(tickets.count == 3 && tickets == tickets.sorted())
        // The last one waits as it did, and no sweep tries it again.
        try await shop.host.session.commit(set: ["market": .string("de")])
        await shop.host.quiesce()
        #expect(resumes(shop) == 3)
        try await shop.host.session.signIn(user: "mina")
        #expect(await shop.host.receipt(of: order, at: .finished).outcome == .applied)
    }

    @Test("a queue waits on while its first intent needs the precondition")
    func queueKept() async throws {
        let shop = try TestHost(windows: ["A"]) { $0.policies.whileGated = .queue }
        let order = try await parked(shop, "order/o7")
        let (cart, product) = (try await parked(shop), try await parked(shop, "product/p1"))
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        await shop.host.quiesce()
        #expect(resumes(shop) == 0)
        try await shop.host.session.signIn(user: "mina")
        for waiting in [order, cart, product] {
            #expect(await shop.host.receipt(of: waiting, at: .finished).outcome == .applied)
        }
        #expect(resumes(shop) == 3)
    }

    @Test("what a released window has parked is judged when it comes back")
    func disconnected() async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try await parked(shop)
        try await shop.host.disconnect(scene: "A")
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        #expect(resumes(shop) == 0)
        try shop.host.connect(scene: "A")
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › cart")
        #expect(resumes(shop) == 1)
    }

    @Test("a reload and a commit that both open the gate resume once", arguments: [false, true])
    func withCommit(commitsFirst: Bool) async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try await parked(shop)
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        if commitsFirst { try await shop.host.session.signIn(user: "mina") }
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        if !commitsFirst { try await shop.host.session.signIn(user: "mina") }
        _ = await hold.caught()
        hold.release()
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(resumes(shop) == 1)
        #expect(try shop.shown() == "home › cart")
    }

    @Test("a flow's report that comes before the sweep, but after the reload, is late")
    func lateReport() async throws {
        let shop = try TestHost(windows: ["A"])
        let cart = try await parked(shop)
        let hold = try shop.hold(.admitted, scene: "A", event: "done")
        let done = try shop.admit(.finishFlow("auth", .completed(FlowCompletion(user: "mina"))), id: "done")
        _ = await hold.caught()
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        hold.release()
        #expect(await shop.host.receipt(of: done).outcome == .rejected(reason: "noSuchFlow"))
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(shop.host.session.snapshot.user == nil)
    }

    @Test("an intent that was parked by the old manifest after the reload goes on")
    func parkedAfterwards() async throws {
        let shop = try TestHost(windows: ["A"])
        let hold = try shop.hold(.planned, scene: "A")
        let cart = try shop.admit("cart")
        _ = await hold.caught()
        try await reload(shop) { $0.edit("cart") { $0.preconditions = [] } }
        hold.release()
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › cart")
        #expect(resumes(shop) == 1)
    }
}

extension AppManifest {
    fileprivate mutating func edit(_ id: String, _ change: (inout DestinationDeclaration) -> Void) {
        for place in destinations.indices where destinations[place].id == id { change(&destinations[place]) }
    }

    fileprivate mutating func edit(precondition name: String, _ change: (inout PreconditionDeclaration) -> Void) {
        for place in preconditions.indices where preconditions[place].name == name { change(&preconditions[place]) }
    }

    fileprivate mutating func remove(precondition name: String) {
        preconditions.removeAll { $0.name == name }
        for place in destinations.indices { destinations[place].preconditions.removeAll { $0 == name } }
    }

    fileprivate mutating func remove(destination id: String) {
        destinations.removeAll { $0.id == id }
        routes.removeAll { $0.destination == id }
    }

    fileprivate mutating func rename(flow name: String, to other: String) {
        for place in flows.indices where flows[place].name == name { flows[place].name = other }
        for place in preconditions.indices where preconditions[place].flow == name { preconditions[place].flow = other }
    }
}
