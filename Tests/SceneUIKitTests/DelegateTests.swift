import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
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
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected(.shop, options)
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

        @Test("a response goes to the scene that it is for", arguments: ["A", "B"])
        func responseOfScene(id: String) async throws {
            let embedded = try await EmbeddedApp.connected()
            embedded.connect("B")
            await embedded.finish()
            let response = UNNotificationResponse(
                standIn: notification(url: "qcommerce://product/p1"),
                scene: embedded.delegate(id)?.scene
            )
            SceneNotificationDelegate(app: embedded.app)
                .userNotificationCenter(UNUserNotificationCenter(), didReceive: response) {}
            await embedded.finish()
            for other in ["A", "B"] { #expect(embedded.shown(other).contains("product(id: p1)") == (other == id)) }
        }

        @Test("what a scene is launched with goes to that scene, though another is there", arguments: [true, false])
        func launchOfSecond(isResponse: Bool) async throws {
            let embedded = try await EmbeddedApp.connected()
            let options = UIScene.ConnectionOptions()
            if isResponse {
                options.notificationResponse = UNNotificationResponse(
                    standIn: notification(url: "qcommerce://product/p1")
                )
            } else {
                options.shortcutItem = UIApplicationShortcutItem(type: "com.example.shop.orders", localizedTitle: "")
            }
            let before = embedded.shown("A")
            embedded.connect("B", options)
            await embedded.finish()
            #expect(embedded.shown("B").contains(isResponse ? "product(id: p1)" : "*orders"))
            #expect(embedded.shown("A") == before)
        }

        @Test("a notification that is presented moves nothing, and is shown as the app wants")
        func presented() async throws {
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected(.shop, options)
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
            let embedded = try await EmbeddedApp.connected()
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
            let embedded = try await EmbeddedApp.connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            let type = "com.example.shop.view"
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            #expect(events(embedded, "Events.ContinueActivity") == 0)
            delegate.scene(scene, willContinueUserActivityWithType: "com.example.shop.other")
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            #expect(events(embedded, "Events.ContinueActivity") == 1)
            delegate.scene(scene, willContinueUserActivityWithType: type)
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            // It has failed already.
            delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: Failure())
            await embedded.finish()
            #expect(events(embedded, "Events.ContinueActivity") == 3)
            #expect(embedded.app.recording.contains("\"failure\":\"Failure()\""))
        }

        @Test("a scene that is launched with Handoff was announced its activity; a web link is not")
        func launchByHandoff() async throws {
            let options = UIScene.ConnectionOptions()
            options.handoffUserActivityType = "com.example.shop.view"
            let embedded = try await EmbeddedApp.connected(.shop, options)
            let (scene, delegate) = try #require(embedded.delegate("A"))
            delegate.scene(scene, willContinueUserActivityWithType: UserActivity.browsingWeb)
            delegate.scene(scene, continue: view("p1"))
            await embedded.finish()
            let steps = embedded.steps("Events.ContinueActivity")
            #expect(steps.map { $0["announced"] == true } == [true, false])
            #expect(steps.map { $0["handoff"] == true } == [true, true])
        }

        // MARK: - What the app keeps

        private nonisolated static let web = "https://shop.example/p/p3"

        private func options(_ url: String, web: String, item: String, response: String) throws
            -> UIScene.ConnectionOptions
        {
            let options = UIScene.ConnectionOptions()
            options.urlContexts = [UIOpenURLContext(standIn: try #require(URL(string: url)))]
            let activity = NSUserActivity(activityType: UserActivity.browsingWeb)
            activity.webpageURL = URL(string: web)
            options.userActivities = [activity]
            options.shortcutItem = UIApplicationShortcutItem(type: item, localizedTitle: "")
            options.notificationResponse = UNNotificationResponse(
                standIn: notification(response, url: "qcommerce://product/p4")
            )
            return options
        }

        @Test(
            "what the app takes itself the runtime does not hear of, at launch as later",
            arguments: [
                [], ["qcommerce://product/p2"], [web], ["com.example.shop.orders"], ["n1"],
                ["qcommerce://product/p2", web, "com.example.shop.orders", "n1"],
            ] as [Set<String>]
        )
        func kept(names: Set<String>) async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            EmbeddedApp.Delegate.keep(names)
            let sent = [
                "Events.OpenURL": "qcommerce://product/p2", "Events.ContinueActivity": Self.web,
                "Events.PerformShortcut": "com.example.shop.orders", "Events.Push": "n1",
            ]
            let options = try options(
                "qcommerce://product/p2",
                web: Self.web,
                item: "com.example.shop.orders",
                response: "n1"
            )
            embedded.connect("A", options)
            await embedded.finish()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            for (call, name) in sent { #expect(events(embedded, call) == (names.contains(name) ? 0 : 1), "\(call)") }
            let atLaunch = Set(EmbeddedApp.Delegate.taken)
            #expect(atLaunch == Set(names.map { "\($0) in A" }))

            delegate.scene(scene, openURLContexts: options.urlContexts)
            delegate.scene(scene, continue: try #require(options.userActivities.first))
            let calls = Calls<Bool>()
            delegate.windowScene(scene, performActionFor: try #require(options.shortcutItem)) { calls.add($0) }
            await embedded.finish()
            // A response comes later to the delegate of its center.
            for (call, name) in sent where call != "Events.Push" {
                #expect(events(embedded, call) == (names.contains(name) ? 0 : 2), "\(call)")
            }
            #expect(calls.values == [true])
            #expect(EmbeddedApp.Delegate.taken.count == 2 * names.count - (names.contains("n1") ? 1 : 0))
            #expect(embedded.refusals == [])
        }

        @Test("of several URLs the app takes some, and the runtime gets the others")
        func keptOfSeveral() async throws {
            let embedded = try await EmbeddedApp.connected()
            EmbeddedApp.Delegate.keep(["qcommerce://product/p2"])
            embedded.open("qcommerce://product/p1", "qcommerce://product/p2", "qcommerce://product/p3", in: "A")
            await embedded.finish()
            let urls = try #require(embedded.steps("Events.OpenURLs").first)
            #expect(urls["urls"] == ["qcommerce://product/p1", "qcommerce://product/p3"])
            embedded.open("qcommerce://product/p2", "qcommerce://product/p4", in: "A")
            await embedded.finish()
            #expect(embedded.steps("Events.OpenURL").map { $0["url"] } == ["qcommerce://product/p4"])
            #expect(EmbeddedApp.Delegate.taken.count == 2)
        }

        private final class SomeNotifications: SceneNotificationDelegate {
            override func userNotificationCenter(
                _ center: UNUserNotificationCenter,
                didReceive response: UNNotificationResponse,
                withCompletionHandler completionHandler: @escaping @Sendable () -> Void
            ) {
                guard response.notification.request.identifier != "n1" else { return completionHandler() }
                super.userNotificationCenter(center, didReceive: response, withCompletionHandler: completionHandler)
            }
        }

        @Test("a delegate of the center keeps some responses, and leaves the others to the runtime")
        func keptResponses() async throws {
            let embedded = try await EmbeddedApp.connected()
            let center = SomeNotifications(app: embedded.app)
            for id in ["n1", "n2"] {
                center.userNotificationCenter(
                    UNUserNotificationCenter(),
                    didReceive: UNNotificationResponse(standIn: notification(id, url: "qcommerce://product/p1"))
                ) {}
                await embedded.finish()
                #expect(events(embedded, "Events.Push") == (id == "n1" ? 0 : 1))
            }
        }

        @Test("the app that several URLs come from is that of one of them")
        func urlsFromApp() async throws {
            let embedded = try await EmbeddedApp.connected()
            let (scene, delegate) = try #require(embedded.delegate("A"))
            let contexts = try ["qcommerce://product/p1", "qcommerce://product/p2"].map {
                UIOpenURLContext(standIn: try #require(URL(string: $0)), from: "com.example.other")
            }
            delegate.scene(scene, openURLContexts: Set(contexts))
            await embedded.finish()
            let urls = try #require(embedded.steps("Events.OpenURLs").first)
            #expect(urls["sourceApplication"] == "com.example.other")
        }
    }
}
