import Foundation
import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The model notices an outcome, or a window, that what was there does not lead to.
@Suite struct EndingTests {
    /// A history of the shop, and its app.
    private func history(
        of app: AppManifest? = nil,
        _ steps: (SceneHost) async throws -> Void
    ) async throws -> ([JSONObject], AppManifest) {
        let manifest = try app ?? AppManifest.builtInShop()
        let host = try SceneHost(id: "ending", manifest: manifest)
        try host.connect(scene: "A")
        try await steps(host)
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        let report = checked(records, app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
        return (records, manifest)
    }

    private func send(_ action: SceneAction, to host: SceneHost) async throws -> Outcome {
        await host.receipt(of: try host.admit(Submission(action, scene: "A")), at: .settled).outcome
    }

    private func last(_ kind: String, of records: [JSONObject]) throws -> Int {
        try #require(records.lastIndex { $0["kind"]?.stringValue == kind })
    }

    @Test func `why a gesture does nothing follows from the window`() async throws {
        for (before, gesture, right) in [
            ([], .back, "nothingToPop"), ([], .swipeDown(), "nothingPresented"), ([], .selectTab("home"), "atRoot"),
            (["cartTapped"], .selectTab("home"), "tabsCovered"),
            (["productSelected"], .swipeBack(cancelled: true), "swipeCancelled"),
        ] as [([String], Gesture, String)] {
            let (records, app) = try await history { host in
                for name in before {
                    _ = try await send(
                        .intent(Intent(name: name, parameters: name == "cartTapped" ? [:] : ["id": "p1"])),
                        to: host
                    )
                }
                let outcome = try await send(.gesture(gesture), to: host)
                #expect(outcome == .ignored(reason: right))
            }
            let end = try #require(records.lastIndex { $0["outcome"] == "ignored" })
            for reason in Gesture.NoEffect.allCases.map(\.rawValue) where reason != right {
                var changed = records
                changed[end]["reason"] = .string(reason)
                let violated = checked(changed, app: app).violated
                #expect(violated.contains(reason == "inTransition" ? .continuity : .agreement), "\(right) as \(reason)")
            }
        }
    }

    @Test func `a flow that is shown exists, and one that is not has not ended`() async throws {
        let (rejected, app) = try await history { host in
            _ = try await send(.intent(Intent(name: "cartTapped")), to: host)
            let finish = SceneAction.finishFlow("addPayment", .cancelled)
            let outcome = try await send(finish, to: host)
            #expect(outcome == .rejected(reason: "noSuchFlow"))
        }
        var changed = rejected
        changed[try last("event.admitted", of: rejected)]["name"] = "auth"
        #expect(checked(changed, app: app).violated == [.agreement])
        changed = rejected
        let end = try #require(rejected.lastIndex { $0["reason"] == "noSuchFlow" })
        changed[end]["outcome"] = "delivered"
        changed[end]["reason"] = nil
        #expect(checked(changed, app: app).violated == [.agreement])
    }

    @Test func `a fallback is shown whenever nothing stands in its way`() async throws {
        let (records, app) = try await history { host in
            try await host.session.signIn(user: "mina", facts: ["unavailable": .strings(["p1"])])
            let untakable = try EntryEvent.push(
                payload: ["aps": ["alert": "Look"], "url": "qcommerce://nowhere/at/all"],
                interaction: "open"
            )
            for entry in [try .url("qcommerce://product/p1"), untakable] {
                let event = try host.admit(Submission(entry, scene: "A"))
                #expect(await host.receipt(of: event).outcome.name == .rejected)
            }
        }
        var other = app
        other.fallback = Destination(id: "home")
        // The window shows it already; that is planned all the same.
        let report = checked(records, app: other, digest: app.digest)
        #expect(report.text.components(separatedBy: "was not shown").count == 3, "\(report.text)")
        other.fallback = Destination(id: "product", parameters: ["id": "p1"])
        #expect(checked(records, app: other, digest: app.digest).violated == [])
    }

    @Test func `no more scenes, and no more screens, than the app allows`() async throws {
        let (records, app) = try await history { host in
            try host.connect(scene: "B")
            try await host.discard(scene: "A")
            await host.quiesce()
            try host.connect(scene: "C")
            for id in ["p1", "p2", "p3"] {
                let intent = Intent(name: "productSelected", parameters: ["id": id])
                let event = try host.admit(Submission(.intent(intent), scene: "C"))
                #expect(await host.receipt(of: event, at: .settled).outcome == .applied)
            }
        }
        for (scenes, depth, isRight) in [(2, 4, true), (1, 4, false), (2, 3, false)] {
            var other = app
            other.policies.maximumScenes = scenes
            other.policies.maximumStackDepth = depth
            let violated = checked(records, app: other, digest: app.digest).violated
            #expect(violated == (isRight ? [] : [.agreement]), "\(scenes) scenes, \(depth) screens")
        }
    }

    @Test func `there was no room only if there was none`() async throws {
        var narrow = try AppManifest.builtInShop()
        narrow.policies.maximumStackDepth = 2
        let (records, app) = try await history(of: narrow) { host in
            for (id, outcome) in [("p1", Outcome.applied), ("p2", .rejected(reason: "stackFull"))] {
                let intent = Intent(name: "productSelected", parameters: ["id": id])
                let found = try await send(.intent(intent), to: host)
                #expect(found == outcome)
            }
        }
        var other = app
        other.policies.maximumStackDepth = 3
        #expect(checked(records, app: other, digest: app.digest).violated == [.agreement])
    }

    @Test func `only a session that changes is contended for`() async throws {
        let (records, _) = try await history { host in
            try await host.session.signIn(user: "mina", facts: ["unavailable": .strings(["p1"])])
            let event = try host.admit(Submission(.url("qcommerce://product/p1"), scene: "A"))
            #expect(await host.receipt(of: event).outcome == .rejected(reason: "inStock"))
        }
        var changed = records
        changed[try #require(records.lastIndex { $0["outcome"] == "rejected" })]["reason"] = "contended"
        #expect(checked(changed).violated == [.continuity])
    }
}
