import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Synchronization
import Testing

/// The checker finds that the runtime keeps the invariants under random events.
@Suite struct RealHistoryTests {
    @Test(arguments: 1...12)
    func `a host under random events keeps every promise`(seed: UInt64) async throws {
        let random = try RandomHost(seed: seed)
        let report = checked(try await random.run(), app: random.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: [Policies.WhileGated.queue, .reject, .supersede])
    func `it does so under every policy`(policy: Policies.WhileGated) async throws {
        let random = try RandomHost(seed: 77, whileGated: policy)
        let report = checked(try await random.run(), app: random.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: [Policies.WhileGated.queue, .reject, .supersede])
    func `it does so with a fallback for what is rejected`(policy: Policies.WhileGated) async throws {
        let home = Destination(id: "home")
        let random = try RandomHost(seed: 78, whileGated: policy, fallback: home)
        let report = checked(try await random.run(), app: random.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: UInt64(201)...208)
    func `it does so when a gate's flow is shown as a root, too`(seed: UInt64) async throws {
        var random = try RandomHost(seed: seed)
        random.manifest.roots = [RootDeclaration(flow: "auth", when: .not(.signedIn))]
        let report = checked(try await random.run(), app: random.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `a resume that has nothing to do is abandoned if its user leaves before it has looked again`()
        async throws
    {
        var manifest = try AppManifest.builtInShop()
        manifest.policies.whileGated = .queue
        let host = try SceneHost(id: "nothing-to-do", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina", facts: ["cart": .strings(["p1"])])
        for id in ["first", "second"] {
            _ = await host.receipt(
                of: try host.admit(Submission(.url("qcommerce://checkout"), scene: "A", eventID: id))
            )
        }
        let hold = try host.hold(.planned, scene: "A", event: "second", kind: .resume)
        try await host.session.commit(set: ["paymentMethod": .string("card")])
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: hold) { _ in continuation.resume() } }
        await host.session.signOut()
        host.release(hold)
        await host.quiesce()
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        let end = records.last { $0["kind"] == "dispatch.ended" && $0["event"] == "second" }
        #expect(end?["outcome"] == "abandoned" && end?["reason"] == "userLeft")
        #expect(records.last { $0["kind"] == "dispatch.planned" && $0["event"] == "second" }?["ops"] == [])
        let report = checked(records, app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `a history in which the flow of a gate becomes a root holds`() async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.roots = [RootDeclaration(flow: "auth", when: .not(.signedIn))]
        let host = try SceneHost(id: "root", manifest: manifest)
        try host.connect(scene: "A")
        for user in ["mina", "theo"] {
            try await host.session.signIn(user: user)
            await host.quiesce()
            await host.session.markStale()
            let delete = try host.admit(Submission(.url("qcommerce://account/delete"), scene: "A"))
            #expect(await host.receipt(of: delete).outcome == .gated(precondition: "freshSignIn"))
        }
        // One signs in instead of the other by the sheet itself, and then by a call; each time the sheet's flow is a root between.
        let other = SceneAction.finishFlow("auth", .completed(FlowCompletion(user: "mina")))
        _ = await host.receipt(of: try host.admit(Submission(other, scene: "A")))
        await host.session.signOut()
        await host.quiesce()
        #expect(try host.scene("A").window.tabs.map(\.id) == [WindowState.rootTab])
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.violated == [], "\(report.text)")
    }

    @Test(arguments: [1, 2])
    func `it does so when stacks are full`(depth: Int) async throws {
        // Whether a stack fills up depends on which task is first.
        for seed in UInt64(79)...98 {
            var random = try RandomHost(seed: seed)
            random.manifest.policies.maximumStackDepth = depth
            let records = try await random.run()
            let report = checked(records, app: random.manifest)
            #expect(report.conclusion == .holds, "\(report.text)")
            if records.contains(where: { $0["reason"] == "stackFull" }) { return }
        }
        Issue.record("no stack was full")
    }

    @Test func `for a quiet host that was not stopped nothing is left unknown`() async throws {
        let random = try RandomHost(seed: 5)
        let report = checked(try await random.run(stopping: false), app: random.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `a condition that becomes true with time is not a violation`() async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.conditions.append(
            ConditionDeclaration(name: "inSeason", holds: .period(from: .date(1_000), until: nil), reason: "not yet")
        )
        let promo = try #require(manifest.destinations.firstIndex { $0.id == "promo" })
        manifest.destinations[promo].conditions.append("inSeason")
        let clock = SetClock()
        let host = try SceneHost(id: "seasonal", manifest: manifest, clock: clock)
        try host.connect(scene: "s1")
        clock.wall.store(2_000, ordering: .sequentiallyConsistent)
        let admission = try host.admit(Submission(.url("qcommerce://promo/SPRING"), scene: "s1"))
        #expect(await host.receipt(of: admission).outcome == .applied)
        await host.quiesce()
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json))
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// A clock whose wall time is set by the test.
    private final class SetClock: RuntimeClock {
        let wall = Atomic<Int>(0)
        private let start = ContinuousClock.now

        var now: Duration { ContinuousClock.now - start }
        var wallTime: Double { Double(wall.load(ordering: .sequentiallyConsistent)) }

        func sleep(until deadline: Duration) async throws {
            try await Task.sleep(until: start + deadline, clock: .continuous)
        }
    }
}
