import Basics
import SceneEntryPoints
import SceneHistory
import SceneModel
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneSoak
import StrictJSON
import Testing

/// What a reload leaves of a window (<doc:/SceneRuntime/Scenes>).
@Suite("A window after a reload", .timeLimit(.minutes(15)))
struct ReloadedWindowTests {
    @Test(
        "shows only what the new app could, has the coordinators for that, and goes on",
        arguments: ["shop", "club", "login-first", "bank", "windows", "offers", "vault", "ward", "intake"]
    )
    func atRandom(app: String) async throws {
        let manifest = try RandomWalkTests.app(app)
        let samples = try ManifestSamples(manifest, seed: 3)
        let links = samples.links.filter { !$0.hasPrefix("https:") }
        let variants = manifest.variants
        var random = SplitMix(seed: 5)
        var cut = 0
        for part in 0..<6 {
            let versions = [manifest] + (0..<8).map { _ in random.pick(variants) }
            let host = try SceneHost(id: "reloads-\(part)", manifest: manifest)
            for scene in ["A", "B"] { try host.connect(scene: scene) }
            for _ in 0..<10 {
                for _ in 0..<12 { await act(host, links, samples, &random) }
                let before = host.scenes.map(\.window)
                let version = random.pick(versions)
                try await host.reload(version)
                await host.quiesce()
                cut += zip(host.scenes.map(\.window), before).contains { $0 != $1 } ? 1 : 0
                for scene in host.scenes {
                    let odd = Oddities(host.engine, isOnScreen: true).of(scene.window)
                    #expect(odd == [], "\(version.version): \(scene.window)")
                    #expect(Set(scene.coordinators) == owners(of: scene.window, version), "\(scene.window)")
                }
            }
            await host.quiesce()
            await host.drain()
            var records: [JSONObject] = []
            while true {
                let page = host.records.read(after: records.count)
                if page.records.isEmpty { break }
                records += page.records.map(\.json)
            }
            #expect(records.filter { $0["kind"] == "violation" } == [])
            let report = checked(records, app: manifest, apps: Array(versions.dropFirst()))
            #expect(report.conclusion == .holds, "\(report.text)")
        }
        #expect(cut > 0, "only \(cut) reloads changed a window")
    }

    private func act(
        _ host: SceneHost,
        _ links: [String],
        _ samples: ManifestSamples,
        _ random: inout SplitMix
    ) async {
        let scene = random.pick(["A", "B"])
        switch random.below(8) {
        case 0: _ = try? await host.session.signIn(user: random.pick(["mina", "theo"]))
        case 1: if let fact = samples.fact(&random) { _ = try? await host.session.commit(set: [fact.name: fact.value]) }
        case 2...4:
            guard let event = try? EntryEvent.url(random.pick(links)),
                let admission = try? host.admit(Submission(event, scene: scene))
            else { return }
            _ = await host.receipt(of: admission)
        default:
            guard let window = try? host.scene(scene).window,
                let action = RandomAction.fitting(window, host.manifest, samples, &random, users: ["mina", "theo"]),
                let admission = try? host.admit(Submission(action, scene: scene))
            else { return }
            _ = await host.receipt(of: admission)
        }
    }

    /// The flows and tabs that own what a window shows.
    private func owners(of window: WindowState, _ manifest: AppManifest) -> Set<String> {
        let declared = manifest.destinations.compactMap { one in one.flow.map { (one.id, $0) } }
        let flows = Dictionary(declared) { first, _ in first }
        let root = manifest.roots.map(\.flow).first { root in
            window.tabs.count == 1 && window.tabs[0].id == "root"
                && manifest.flows.contains { flow in
                    flow.name == root && flow.screens.contains { $0.id == window.tabs[0].stack[0].id }
                }
        }
        var owners: Set<String> = []
        var below = ""
        for tab in window.tabs {
            let first = root ?? flows[tab.stack[0].id] ?? tab.id
            let own = tab.stack.map { root ?? flows[$0.id] ?? first }
            owners.formUnion(own)
            if tab.id == window.selectedTab { below = own[own.count - 1] }
        }
        for modal in window.modals {
            let own = modal.stack.map { modal.flow ?? flows[$0.id] ?? below }
            owners.formUnion(own)
            below = own[own.count - 1]
        }
        return owners
    }

    @Test("has the flow that a destination is given take intents at once, and loses the one that is taken away")
    func flowOfShown() async throws {
        let manifest = try RandomWalkTests.app("shop")
        let host = try SceneHost(id: "flows", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina")
        let link = try host.admit(Submission(try .url("qcommerce://product/p1"), scene: "A"))
        #expect(await host.receipt(of: link).outcome == .applied)
        var next = manifest
        next.version = "2"
        next.flows.append(
            FlowDeclaration(
                name: "review",
                screens: [FlowScreen(id: "product")],
                intents: [IntentDeclaration(name: "reviewed", effects: [.markStale])]
            )
        )
        for index in next.destinations.indices where next.destinations[index].id == "product" {
            next.destinations[index].flow = "review"
        }
        for _ in 0..<2 {
            try await host.reload(next)
            await host.quiesce()
            #expect(try host.scene("A").coordinators.contains("review"))
            let intent = try host.admit(Submission(.intent(Intent(name: "reviewed")), scene: "A"))
            #expect(await host.receipt(of: intent).outcome == .delivered)
            try await host.reload(manifest)
            await host.quiesce()
            #expect(try !host.scene("A").coordinators.contains("review"))
        }
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        let report = checked(records, app: manifest, apps: [next])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("has what stands on itself cut back to the lowest if it does not repeat any more")
    func repeatsTakenAway() async throws {
        let manifest = try RandomWalkTests.app("shop")
        let host = try SceneHost(id: "repeats", manifest: manifest)
        try host.connect(scene: "A")
        for product in ["p1", "p2", "p3"] {
            let tap = SceneAction.intent(Intent(name: "productSelected", parameters: ["id": product]))
            _ = await host.receipt(of: try host.admit(Submission(tap, scene: "A")))
        }
        #expect(try host.scene("A").window.destinations.filter { $0.id == "product" }.count == 3)
        var next = manifest
        next.version = "2"
        for index in next.destinations.indices { next.destinations[index].repeats = false }
        try await host.reload(next)
        await host.quiesce()
        let products = try host.scene("A").window.destinations.filter { $0.id == "product" }
        #expect(products == [Destination(id: "product", parameters: ["id": "p1"])])
        let link = try host.admit(Submission(try .url("qcommerce://product/p2"), scene: "A"))
        #expect(await host.receipt(of: link).outcome == .applied)
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        let swept = records.last { $0["kind"] == "scene.swept" }
        #expect(swept?["removed"]?[0]?["reason"] == "it may not stand on itself")
        let report = checked(records, app: manifest, apps: [next])
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
