import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

@Suite("Reloading the manifest", .timeLimit(.minutes(15)))
struct ReloadTests {
    @Test("what no longer exists is swept, and links see the new manifest")
    func sweepsWhatIsGone() async throws {
        let shop = try TestHost()
        _ = try await shop.open("promo/SUMMER", in: "A")
        _ = try await shop.open("product/p1", in: "B")
        try await shop.host.reload(without("promo", version: "2"))
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "home")
        #expect(try shop.shown("B") == "home › product(id: p1)")
        #expect(throws: AdmissionError.route(.unknownRoute(url: "qcommerce://promo/SUMMER"))) {
            try shop.admit("qcommerce://promo/SUMMER")
        }
        guard case .manifestLoaded(let version, _, _) = shop.records(of: .manifestLoaded).first?.body else {
            Issue.record("nothing says that a manifest was loaded")
            return
        }
        #expect(version == "2")
    }

    @Test("a record from before a reload describes its window by the old manifest")
    func recordsOfBefore() async throws {
        let shop = try TestHost()
        func needs() -> [[String]] {
            guard case .navigationStep(_, _, let window) = shop.records(of: .navigationStep).first?.body else {
                return []
            }
            return window.needs
        }
        _ = try await shop.open("product/p1")
        let before = needs()
        #expect(before.contains(["inStock"]))
        var manifest = shop.host.manifest
        for index in manifest.destinations.indices { manifest.destinations[index].conditions = [] }
        try await shop.host.reload(manifest)
        #expect(shop.host.engine.needs(of: "product").isEmpty)
        #expect(needs() == before)
    }

    @Test("one sweep for a user who left and for other tabs sets the tabs once")
    func tabsAfterLeaving() async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.host.session.signIn(user: "anna")
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        await shop.host.session.signOut()
        _ = await hold.caught()
        var manifest = shop.host.manifest
        manifest.tabs.reverse()
        try await shop.host.reload(manifest)
        hold.release()
        await shop.host.quiesce()
        #expect(try shop.window().tabs.map(\.id) == manifest.tabs.map(\.id))
        #expect(shop.records(of: .navigationStep).count == 1)
    }

    @Test("a dispatch in flight keeps the version it began with; the sweep follows")
    func inFlight() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.planned, scene: "A")
        let promo = try shop.admit("promo/SUMMER")
        _ = await hold.caught()
        try await shop.host.reload(without("promo", version: "2"))
        hold.release()
        #expect(await shop.host.receipt(of: promo).outcome == .applied)
        await shop.host.quiesce()
        #expect(try shop.shown() == "home")
    }

    @Test(
        "a sweep under way removes only what the manifest in force refuses",
        arguments: [HoldPoint.resolved, .planned]
    )
    func sweepInFlight(point: HoldPoint) async throws {
        let shop = try TestHost(windows: ["A"])
        try await shop.open("product/p1")
        let hold = try shop.hold(point, scene: "A", kind: .sweep)
        try await shop.host.session.commit(set: ["unavailable": .strings(["p1"])])
        _ = await hold.caught()
        var manifest = shop.host.manifest
        for index in manifest.destinations.indices { manifest.destinations[index].conditions = [] }
        try await shop.host.reload(manifest)
        hold.release()
        await shop.host.quiesce()
        #expect(try shop.shown() == "home › product(id: p1)")
        #expect(shop.records(of: .sceneSwept).isEmpty)
    }

    @Test("an event that was admitted for a destination that is gone when its turn comes is rejected")
    func destinationGone() async throws {
        let shop = try TestHost()
        let hold = try shop.hold(.admitted, scene: "A", kind: .dispatch)
        let promo = try shop.admit("promo/SUMMER")
        _ = await hold.caught()
        try await shop.host.reload(without("promo", version: "2"))
        hold.release()
        #expect(await shop.host.receipt(of: promo).outcome == .rejected(reason: "destinationGone"))
    }

    @Test("S5: what a flow reports comes too late once a reload has removed the precondition that waited for it")
    func preconditionGone() async throws {
        let shop = try TestHost()
        try await shop.host.session.signIn(user: "anna", facts: ["cart": .strings(["p1"])])
        let checkout = try shop.admit("checkout")
        #expect(await shop.host.receipt(of: checkout).outcome == .gated(precondition: "paymentMethod"))
        let hold = try shop.hold(.admitted, scene: "A", event: "done")
        let facts: [String: FactValue] = ["paymentMethod": .string("card")]
        let done = try shop.admit(.finishFlow("addPayment", .completed(FlowCompletion(facts: facts))), id: "done")
        _ = await hold.caught()
        var manifest = shop.host.manifest
        manifest.preconditions.removeAll { $0.name == "paymentMethod" }
        for index in manifest.destinations.indices {
            manifest.destinations[index].preconditions.removeAll { $0 == "paymentMethod" }
        }
        try await shop.host.reload(manifest)
        hold.release()
        #expect(await shop.host.receipt(of: done).outcome == .rejected(reason: "noSuchFlow"))
        #expect(await shop.host.receipt(of: checkout, at: .finished).outcome == .applied)
        #expect(shop.host.session.snapshot.facts["paymentMethod"] == nil)
    }

    @Test("an intent is abandoned if its flow goes with the screens that it was presented over")
    func flowGone() async throws {
        let shop = try TestHost()
        let cart = try shop.admit("cart")
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        var manifest = shop.host.manifest
        manifest.tabs.reverse()
        try await shop.host.reload(manifest)
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .abandoned(reason: "flowCancelled"))
        #expect(try shop.host.scene("A").parked.isEmpty)
    }

    @Test("a manifest that does not fit together changes nothing")
    func invalid() async throws {
        let shop = try TestHost()
        var manifest = shop.host.manifest
        manifest.destinations.removeAll { $0.id == "home" }
        await #expect(throws: ManifestProblems.self) { try await shop.host.reload(manifest) }
        #expect(shop.records(of: .manifestLoaded).isEmpty)
        #expect(try await shop.open("product/p1").outcome == .applied)
    }

    @Test("facts that are no longer declared are dropped in a commit, and new tabs replace the window's")
    func factsAndTabs() async throws {
        let shop = try TestHost { $0.facts.append(FactDeclaration(name: "seen", type: .string)) }
        try await shop.host.session.commit(set: ["market": .string("de")])
        _ = try await shop.open("product/p1", in: "A")
        var manifest = shop.host.manifest
        manifest.tabs.removeAll { $0.id == "account" }
        manifest.remove(["account", "settings", "deleteAccount"])
        manifest.intents.removeAll { $0.name == "accountTapped" }
        manifest.facts.removeAll { $0.name == "seen" }
        try await shop.host.session.commit(set: ["seen": .string("yes")])
        let before = shop.host.session.snapshot.revision
        try await shop.host.reload(manifest)
        await shop.host.quiesce()
        #expect(shop.host.session.snapshot.facts["seen"] == nil)
        let commit = try #require(shop.records(of: .sessionCommitted).last)
        #expect(commit.subject.revision == before + 1)
        #expect(commit.json["facts"] == ["seen": .null])
        #expect(try shop.window("A").tabs.map(\.id) == ["home", "orders"])
        #expect(try shop.shown("A") == "home › product(id: p1)")
    }

    private func without(_ destination: String, version: String) throws -> AppManifest {
        var manifest = try AppManifest.builtInShop()
        manifest.version = version
        manifest.remove([destination])
        return manifest
    }
}

extension AppManifest {
    /// Removes destinations with everything that leads to them.
    fileprivate mutating func remove(_ ids: Set<String>) {
        destinations.removeAll { ids.contains($0.id) }
        routes.removeAll { ids.contains($0.destination) }
        adapters.removeAll { adapter in
            guard case .destination(let id, _, _) = adapter.mapping else { return false }
            return ids.contains(id)
        }
    }
}
