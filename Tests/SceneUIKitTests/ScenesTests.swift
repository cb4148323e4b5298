import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing
import UIKit

@testable import SceneUIKit

extension InUIKit {
    /// Scenes come and go as UIKit says, and as the runtime wants.
    @Suite("Scenes of UIKit")
    @MainActor
    struct ScenesTests {
        @Test("what a window showed is shown again in the next run")
        func restoration() async throws {
            let first = try await EmbeddedApp.connected()
            first.open("qcommerce://product/p1", in: "A")
            await first.finish()
            let (scene, delegate) = try #require(first.delegate("A"))
            let activity = try #require(delegate.stateRestorationActivity(for: scene))
            let before = first.shown("A")
            await first.app.stop()
            let second = try EmbeddedApp(.builtInShop())
            second.connect("A", restoring: activity)
            await second.finish()
            #expect(second.shown("A") == before)
            #expect(before.contains("product(id: p1)"))
            #expect(second.refusals == [])
        }

        @Test("what cannot be restored is refused, and the window begins as new")
        func badRestoration() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            let activity = NSUserActivity(activityType: KeptWindow.activityType)
            activity.userInfo = ["window": "{\"state\":{\"tabs\":3}}"]
            embedded.connect("A", restoring: activity)
            await embedded.finish()
            #expect(embedded.refusals.count == 1)
            #expect(embedded.shown("A") == "*home: home | orders: orders | account: account")
        }

        /// A bank in which a window for an account was asked for.
        private func asked() async throws -> (EmbeddedApp, id: String) {
            let embedded = try await EmbeddedApp.connected(.bank)
            try embedded.app.signIn("anna")
            await embedded.finish()
            try WindowHandle(id: "A", app: embedded.app)
                .report(Intent(name: "accountWindowWanted", parameters: ["id": "a1"]))
            await embedded.finish()
            return (embedded, try #require(embedded.app.host.scenes.map(\.id).first { $0 != "A" }))
        }

        @Test("a window that the app wants is asked for, shown and, when it wants so, closed")
        func ownWindow() async throws {
            let (embedded, id) = try await asked()
            try #require(StandIn.requests.count == 1)
            let options = UIScene.ConnectionOptions()
            options.userActivities = [try #require(StandIn.requests[0].request.userActivity)]
            embedded.connect("session of the system", options)
            await embedded.finish()
            #expect(embedded.shown("session of the system") == (try embedded.said(id)))
            #expect(embedded.shown("session of the system").contains("account(id: a1)"))
            try WindowHandle(id: "A", app: embedded.app)
                .report(Intent(name: "accountWindowUnwanted", parameters: ["id": "a1"]))
            await embedded.finish()
            #expect(StandIn.destroyed.map(\.persistentIdentifier) == ["session of the system"])
            // The system says so, of a scene that the runtime no longer has.
            let steps = embedded.app.recording
            #expect(embedded.app.ids.asked == ["session of the system": id])
            embedded.discard("session of the system")
            await embedded.finish()
            #expect(embedded.app.ids.asked == [:])
            #expect(embedded.app.recording == steps)
            #expect(StandIn.destroyed.count == 1 && embedded.refusals == [])
        }

        @Test("a window that the system denies is gone")
        func deniedWindow() async throws {
            struct Denied: Error {}
            let (embedded, id) = try await asked()
            try #require(StandIn.requests.count == 1)
            StandIn.requests[0].denied?(Denied())
            await embedded.finish()
            #expect(embedded.refusals == ["a scene for \(id): Denied()"])
            #expect(embedded.app.host.scenes.map(\.id) == ["A"])
            #expect(embedded.steps("Scenes.Discard") == [["scene": .string(id)]])
        }

        @Test("a window that is closed for good while it goes away is not closed once more")
        func discardedAtOnce() async throws {
            let embedded = try await EmbeddedApp.connected()
            embedded.discard("A")
            await embedded.finish()
            #expect(StandIn.destroyed == [] && embedded.app.host.scenes.isEmpty && embedded.refusals == [])
        }

        @Test(
            "a configuration that the manifest does not have, such as that of a new project, is none",
            arguments: [("Default Configuration", nil), ("detail", "detail"), (nil, nil)] as [(String?, String?)]
        )
        func configuration(name: String?, expected: String?) async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            embedded.connect("A", configuration: name)
            await embedded.finish()
            #expect(embedded.refusals == [] && embedded.shown("A").hasPrefix("*home"))
            #expect(embedded.steps("Scenes.Connect").map { $0["configuration"]?.stringValue } == [expected])
        }

        @Test("what UIKit kept of another kind restores nothing, and is no mistake")
        func otherActivity() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            let activity = NSUserActivity(activityType: "com.example.shop.view")
            activity.userInfo = ["window": "{\"state\":3}"]
            embedded.connect("A", restoring: activity)
            await embedded.finish()
            #expect(embedded.refusals == [] && embedded.shown("A").hasPrefix("*home: home |"))
        }

        @Test("a scene comes to the state that UIKit says, by way of another if need be, and none is recorded twice")
        func activations() async throws {
            let embedded = try await EmbeddedApp.connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            func activation() throws -> Activation { try embedded.app.host.scene("A").activation }
            var count = embedded.steps("Scenes.SetActivation").count
            #expect(try activation() == .foregroundActive)
            delegate.sceneDidBecomeActive(scene)
            await embedded.finish()
            #expect(embedded.steps("Scenes.SetActivation").count == count)
            delegate.sceneDidEnterBackground(scene)
            await embedded.finish()
            #expect(try activation() == .background)
            count = embedded.steps("Scenes.SetActivation").count
            delegate.sceneDidBecomeActive(scene)
            await embedded.finish()
            #expect(try activation() == .foregroundActive)
            #expect(embedded.steps("Scenes.SetActivation").count == count + 2)
            delegate.sceneWillResignActive(scene)
            await embedded.finish()
            #expect(try activation() == .foregroundInactive)
            #expect(embedded.refusals == [])
        }

        @Test("a state of a scene that the runtime has closed is neither recorded nor refused")
        func lateActivation() async throws {
            let embedded = try await EmbeddedApp.connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            embedded.discard("A")
            await embedded.finish()
            let recording = embedded.app.recording
            delegate.sceneWillEnterForeground(scene)
            await embedded.finish()
            #expect(embedded.app.recording == recording && embedded.refusals == [])
        }

        @Test("an event for a scene that is disconnected asks for the session that it had")
        func comesBack() async throws {
            let embedded = try await EmbeddedApp.connected()
            let session = try #require(embedded.delegate("A")).scene.session
            embedded.disconnect("A")
            await embedded.finish()
            embedded.app.send(try .url("qcommerce://product/p1"), to: "A")
            await embedded.finish()
            #expect(StandIn.requests.map(\.request.session) == [session])
            embedded.connect("A")
            await embedded.finish()
            #expect(embedded.shown("A").contains("home › product(id: p1)"))
            #expect(embedded.refusals == [])
        }
    }
}
