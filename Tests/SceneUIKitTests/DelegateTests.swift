import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing
import UIKit
import UserNotifications

@testable import SceneUIKit

extension InUIKit {
    /// What UIKit calls, and what comes of it.
    @Suite("What UIKit hands over")
    @MainActor
    struct DelegateTests {
        /// What a handler was called with, each time.
        @MainActor
        final class Calls<Value> {
            private(set) var values: [Value] = []
            func add(_ value: Value) { values.append(value) }
        }

        private func connected(
            _ app: ExampleApp = .shop,
            _ options: UIScene.ConnectionOptions = UIScene.ConnectionOptions()
        ) async throws -> EmbeddedApp {
            let embedded = try EmbeddedApp(app.manifest())
            embedded.connect("A", options)
            await embedded.finish()
            return embedded
        }

        private func notification(_ id: String = "n1", url: String) -> UNNotification {
            let payload: [AnyHashable: Any] = ["aps": ["alert": "News"], "url": url]
            return UNNotification(standInFor: id, userInfo: payload, date: Date(timeIntervalSince1970: 0))
        }

        private func events(_ embedded: EmbeddedApp, _ call: String) -> Int {
            embedded.app.recording.split(separator: "\n").filter { $0.contains("\"\(call)\"") }.count
        }

        // MARK: - Quick actions

        @Test(
            "a quick action's handler is called once, and told whether there is such an action",
            arguments: [("com.example.shop.orders", true), ("com.example.shop.nothing", false), ("", false)]
        )
        func quickAction(type: String, isDone: Bool) async throws {
            let embedded = try await connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            let calls = Calls<Bool>()
            delegate.windowScene(scene, performActionFor: UIApplicationShortcutItem(type: type, localizedTitle: "")) {
                calls.add($0)
            }
            await embedded.finish()
            #expect(calls.values == [isDone])
            #expect(embedded.shown("A").contains("*orders") == isDone)
        }

        @Test("without an app, a quick action's handler is called once, too")
        func quickActionOfNoApp() async throws {
            let embedded = try await connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            EmbeddedApp.Delegate.shown = nil
            let calls = Calls<Bool>()
            delegate.windowScene(
                scene,
                performActionFor: UIApplicationShortcutItem(type: "com.example.shop.orders", localizedTitle: "")
            ) {
                calls.add($0)
            }
            await embedded.finish()
            #expect(calls.values == [false])
        }

        @Test("after the runtime has stopped, a quick action's handler is called once, too")
        func quickActionOfStoppedApp() async throws {
            let embedded = try await connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            await embedded.app.stop()
            let calls = Calls<Bool>()
            delegate.windowScene(
                scene,
                performActionFor: UIApplicationShortcutItem(type: "com.example.shop.orders", localizedTitle: "")
            ) {
                calls.add($0)
            }
            await embedded.settle()
            #expect(calls.values == [false])
            #expect(embedded.refusals.count == 1)
        }

        // MARK: - Notifications

        @Test(
            "a response's handler is called once, whether or not the payload can be read",
            arguments: [("qcommerce://product/p1", true), ("qcommerce://nowhere", false)]
        )
        func response(url: String, isShown: Bool) async throws {
            let embedded = try await connected()
            let center = SceneNotificationDelegate(app: embedded.app)
            let calls = Calls<Void>()
            let response = UNNotificationResponse(
                standIn: notification(url: url),
                scene: embedded.delegate("A")?.scene
            )
            center.userNotificationCenter(UNUserNotificationCenter(), didReceive: response) {
                MainActor.assumeIsolated { calls.add(()) }
            }
            await embedded.finish()
            #expect(calls.values.count == 1)
            #expect(embedded.shown("A").contains("product(id: p1)") == isShown)
        }

        @Test("a response that comes with the scene and by itself is taken once, and its handler called")
        func responseAtLaunch() async throws {
            let response = UNNotificationResponse(standIn: notification(url: "qcommerce://product/p1"))
            let options = UIScene.ConnectionOptions()
            options.notificationResponse = response
            let embedded = try await connected(.shop, options)
            #expect(embedded.shown("A").contains("home › product(id: p1)"))
            let calls = Calls<Void>()
            SceneNotificationDelegate(app: embedded.app)
                .userNotificationCenter(UNUserNotificationCenter(), didReceive: response) {
                    MainActor.assumeIsolated { calls.add(()) }
                }
            await embedded.finish()
            #expect(calls.values.count == 1)
            #expect(events(embedded, "Events.Push") == 1)
        }

        @Test("a notification that is presented moves nothing, and is shown as the app wants")
        func presented() async throws {
            let embedded = try await connected()
            let before = embedded.shown("A")
            let calls = Calls<UNNotificationPresentationOptions>()
            SceneNotificationDelegate(app: embedded.app, options: [.banner])
                .userNotificationCenter(
                    UNUserNotificationCenter(),
                    willPresent: notification(url: "qcommerce://product/p1")
                ) { options in MainActor.assumeIsolated { calls.add(options) } }
            await embedded.finish()
            #expect(calls.values == [.banner])
            #expect(events(embedded, "Events.Push") == 1)
            #expect(embedded.shown("A") == before)
        }

        // MARK: - URLs and activities

        @Test("what a scene is launched with is shown")
        func launch() async throws {
            let options = UIScene.ConnectionOptions()
            options.urlContexts = [UIOpenURLContext(standIn: try #require(URL(string: "qcommerce://product/p2")))]
            let embedded = try await connected(.shop, options)
            #expect(embedded.shown("A").contains("home › product(id: p2)"))
            #expect(embedded.refusals == [])
        }

        private func view(_ product: String) -> NSUserActivity {
            let activity = NSUserActivity(activityType: "com.example.shop.view")
            activity.userInfo = ["destination": "product", "parameters": ["id": product]]
            return activity
        }

        @Test("an activity is Handoff's if it was announced, and only that one")
        func handoff() async throws {
            let embedded = try await connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            delegate.scene(scene, willContinueUserActivityWithType: "com.example.shop.view")
            delegate.scene(scene, continue: view("p1"))
            await embedded.finish()
            #expect(embedded.shown("A").contains("home › product(id: p1)"))
            delegate.scene(scene, continue: view("p2"))
            await embedded.finish()
            #expect(embedded.shown("A").contains("product(id: p2)"))
            let steps = embedded.app.recording.split(separator: "\n").filter { $0.contains("Events.ContinueActivity") }
            #expect(steps.map { $0.contains("\"announced\":true") } == [true, false, false])
            #expect(steps.map { $0.contains("\"handoff\":true") } == [true, true, false])
            #expect(embedded.refusals == [])
        }

        @Test("an activity that does not come is told only if it was announced")
        func failedHandoff() async throws {
            struct Failure: Error {}
            let embedded = try await connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            let type = "com.example.shop.view"
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            #expect(events(embedded, "Events.ContinueActivity") == 0)
            delegate.scene(scene, willContinueUserActivityWithType: type)
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            await embedded.finish()
            #expect(events(embedded, "Events.ContinueActivity") == 2)
            #expect(embedded.app.recording.contains("\"failure\":\"Failure()\""))
        }

        // MARK: - Windows

        @Test("what a window showed is shown again in the next run")
        func restoration() async throws {
            let first = try await connected()
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
            let embedded = try await connected(.bank)
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
            #expect(embedded.refusals == [])
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
        }

        @Test("an event for a scene that is disconnected asks for the session that it had")
        func comesBack() async throws {
            let embedded = try await connected()
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
