import Basics
import SceneEntryPoints
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import Testing

/// A host that is ended after any step goes on as if nothing had been.
@Suite struct GoingOnTests {
    /// Takes a host through actions, ends it after each of its steps, and goes on.
    @Test(.timeLimit(.minutes(15)), arguments: 1...6)
    func `what was kept is found again after every step`(_ seed: UInt64) async throws {
        let app = try LoadedApp(manifest: AppManifest.builtInShop(), adapters: [])
        let log = KeptLog()
        let first = SceneHost(id: "kept", app: app, keeper: log)
        let new = KeptHost("kept", manifest: app.manifest, session: first.session.snapshot)
        try await Restarted.act(on: first, seed: seed)
        await first.quiesce()
        let steps = log.steps
        for count in 1...steps.count {
            let kept = new.after(steps[..<count])
            let restarted = try await Restarted(kept, app)
            try restarted.compare(kept, "seed \(seed), \(count) of \(steps.count) steps")
            if count == steps.count { restarted.expectSameScenes(as: first, "seed \(seed)") }
            await restarted.host.drain(within: .zero)
        }
        await first.drain(within: .zero)
    }
}

extension Restarted {
    /// Sends events of all kinds to a host with two windows.
    fileprivate static func act(on host: SceneHost, seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        for scene in ["A", "B"] { try host.connect(scene: scene) }
        let links = ["product/p1", "cart", "checkout", "orders", "account/settings/profile", "account/delete"]
        for _ in 0..<25 {
            let scene = ["A", "B"][random.below(2)]
            switch random.below(10) {
            case 0: _ = try? await host.session.signIn(user: ["mina", "theo"][random.below(2)])
            case 1: await host.session.signOut()
            case 2: _ = try? await host.session.commit(set: ["cart": .strings(["p1"])])
            case 3...5: _ = try? host.admit(Submission(RandomAction.next(&random), scene: scene, sender: "c1"))
            case 6: _ = try? await host.disconnect(scene: scene)
            default:
                let url = "qcommerce://\(links[random.below(links.count)])"
                _ = try? host.admit(Submission(.url(url), scene: scene, sender: "c\(random.below(2))"))
            }
            if random.below(3) == 0 { await host.quiesce() }
        }
    }

    /// Every event that had ended has, and as it had; every other one ends or waits now.
    fileprivate func compare(_ kept: KeptHost, _ place: String) throws {
        for event in kept.events {
            let receipt = try #require(
                host.receipt(event: event.key.id, sender: event.key.sender),
                "\(place): \(event.key)"
            )
            if event.receipt.outcome.isTerminal {
                #expect(receipt == event.receipt, "\(place): \(event.key)")
            } else {
                #expect(receipt.outcome != .admitted, "\(place): \(event.key)")
            }
        }
        #expect(host.scenes.map(\.id) == kept.scenes.map(\.id), "\(place)")
        for scene in host.scenes {
            #expect(scene.admitted >= kept.lastTickets[scene.id] ?? 0, "\(place): \(scene.id)")
        }
        #expect(host.session.snapshot.revision >= kept.session.snapshot.revision, "\(place)")
        // What had committed has not committed once more.
        let commits = log.steps.flatMap(\.changes).filter { if case .session = $0 { true } else { false } }
        if kept.events.allSatisfy(\.receipt.outcome.isTerminal) { #expect(commits.isEmpty, "\(place)") }
    }

    /// Every window is as it was in a host in which nothing was going on.
    fileprivate func expectSameScenes(as other: SceneHost, _ place: String) {
        for (one, two) in zip(other.scenes, host.scenes) {
            #expect(one.window == two.window && one.isConnected == two.isConnected, "\(place): \(one.id)")
            #expect(one.activation == two.activation && one.isLocked == two.isLocked, "\(place): \(one.id)")
            #expect(one.owner == two.owner && one.parked == two.parked, "\(place): \(one.id)")
            #expect(one.admitted == two.admitted && one.settled == two.settled, "\(place): \(one.id)")
            #expect(one.coordinatorTree == two.coordinatorTree, "\(place): \(one.id)")
        }
        #expect(other.session.snapshot == host.session.snapshot, "\(place)")
    }
}
