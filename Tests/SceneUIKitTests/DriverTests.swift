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
    /// UIKit, the app and fingers do what they like, at any time.
    @Suite("A window of the runtime in UIKit")
    @MainActor
    struct DriverTests {
        static let manifest = """
            format: 3
            version: "1"
            name: Small
            schemes: [small]
            facts:
              wentOn: { type: strings, default: [] }
            tabs: { home: home, news: news }
            destinations:
              home: { tab: home, routes: ["small://home"] }
              news: { tab: news, routes: ["small://news"] }
              item: { ancestry: [home], routes: ["small://item"] }
              part: { ancestry: [home, item], routes: ["small://part"] }
              paper: { ancestry: [home], presentation: sheet, routes: ["small://paper"] }
              letter: { ancestry: [home], presentation: sheet, routes: ["small://letter"] }
              warning: { ancestry: [home], presentation: alert, routes: ["small://warning"] }
            intents:
              wentOn: { effects: [{ append: wentOn, value: yes }] }
            """

        /// Makes alerts with two buttons, the first of which only closes.
        final class AlertScreens: SceneScreenFactory {
            let window: WindowHandle
            let style: UIAlertController.Style
            var item: UITabBarItem?

            init(_ window: WindowHandle, _ style: UIAlertController.Style = .alert) {
                (self.window, self.style) = (window, style)
            }

            func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
                guard destination.id == "warning" else { return Screen(destination, Screen.Count()) }
                let alert = UIAlertController(title: "Careful", message: nil, preferredStyle: style)
                alert.addAction(window.alertAction("Close", style: .cancel))
                alert.addAction(window.alertAction("Go on", reporting: Intent(name: "wentOn")))
                return alert
            }

            func update(_ screen: UIViewController, to destination: Destination) throws {}

            func tabBarItem(for tab: String) -> UITabBarItem? { tab == "news" ? item : nil }
        }

        private func started(
            _ screens: (@MainActor (WindowHandle) -> any SceneScreenFactory)? = nil
        ) async throws -> EmbeddedApp {
            let embedded = try EmbeddedApp(try AppManifest.read(Self.manifest).manifest, screens: screens)
            embedded.connect("A")
            await embedded.finish()
            return embedded
        }

        private func expectAgreement(_ embedded: EmbeddedApp, _ shown: String) throws {
            #expect(embedded.shown("A") == shown)
            #expect(try embedded.said("A") == shown)
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        // MARK: - The app

        @Test(
            "what the app presents by itself stays where it is, and what is wanted comes over it",
            arguments: [true, false]
        )
        func ownPresentation(isMoving: Bool) async throws {
            let embedded = try await started()
            let (own, root) = (UIViewController(), try #require(embedded.root("A")))
            root.present(own, animated: isMoving)
            embedded.open("small://paper", in: "A")
            await embedded.settle()
            await embedded.finish()
            #expect(root.presentedViewController === own)
            let paper = own.presentedViewController as? UINavigationController
            #expect((paper?.viewControllers.first as? Screen)?.destination.id == "paper")
            embedded.open("small://news", in: "A")
            await embedded.finish()
            #expect(root.presentedViewController === own && own.presentedViewController == nil)
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        @Test("what the app is taking away by itself is waited for")
        func ownDismissal() async throws {
            let embedded = try await started()
            let root = try #require(embedded.root("A"))
            root.present(UIViewController(), animated: false)
            root.dismiss(animated: true)
            embedded.open("small://paper", in: "A")
            await embedded.settle()
            #expect(StandIn.isTransitioning)
            await embedded.finish()
            try expectAgreement(embedded, "*home: home | news: news | pageSheet: paper")
        }

        /// Has no screen for an item.
        final class FailingScreens: SceneScreenFactory {
            struct Missing: Error {}

            func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
                if destination.id == "item" { throw Missing() }
                return Screen(destination, Screen.Count())
            }

            func update(_ screen: UIViewController, to destination: Destination) throws {}
        }

        @Test("an event whose screen the app cannot make is rejected with the reason, and the window stays as it was")
        func noScreen() async throws {
            let embedded = try await started { _ in FailingScreens() }
            var receipts: [Receipt?] = []
            embedded.app.send(try .url("small://item"), to: "A") { receipts.append($0) }
            await embedded.finish()
            guard case .rejected(let reason)? = receipts.first??.outcome, receipts.count == 1 else {
                Issue.record("\(receipts)")
                return
            }
            #expect(reason == "screenFailed: Missing()" && embedded.app.records.contains("\"screenFailed: Missing()\""))
            try expectAgreement(embedded, "*home: home | news: news")
        }

        @Test("what something else pushes is taken off with the next change")
        func pushedByOthers() async throws {
            let embedded = try await started()
            embedded.stack("A")?.pushViewController(UIViewController(), animated: true)
            await embedded.finish()
            #expect(embedded.shown("A") == "*home: home › ? | news: news")
            embedded.open("small://item", in: "A")
            await embedded.finish()
            #expect(embedded.gestures == [])
            try expectAgreement(embedded, "*home: home › item | news: news")
        }

        @Test("what UIKit refuses holds nothing up, and is told")
        func refused() async throws {
            let embedded = try await started()
            StandIn.refusesPresentations = true
            embedded.open("small://paper", in: "A")
            await embedded.finish()
            #expect(embedded.refusals.count == 1 && embedded.refusals[0].hasPrefix("UIKit has refused to present"))
            #expect(embedded.shown("A") == "*home: home | news: news")
            StandIn.refusesPresentations = false
            embedded.open("small://letter", in: "A")
            await embedded.finish()
            #expect(embedded.shown("A") == "*home: home | news: news | pageSheet: letter")
            #expect(try embedded.said("A") == embedded.shown("A") && embedded.refusals.count == 1)
        }

        @Test("what UIKit refuses to take away holds nothing up, and is told once")
        func refusedDismissal() async throws {
            let embedded = try await started()
            embedded.open("small://paper", in: "A")
            await embedded.finish()
            StandIn.refusesDismissals = true
            embedded.open("small://news", in: "A")
            await embedded.finish()
            embedded.app.windows["A"]?.schedule()
            await embedded.finish()
            #expect(embedded.refusals.count == 1 && embedded.refusals[0].hasPrefix("UIKit has refused to dismiss"))
            StandIn.refusesDismissals = false
            embedded.open("small://item", in: "A")
            await embedded.finish()
            #expect(embedded.shown("A") == "*home: home › item | news: news")
            #expect(try embedded.said("A") == embedded.shown("A") && embedded.refusals.count == 1)
        }

        @Test("a tab has the item of the app, or its name", arguments: ["What is new", nil])
        func tabBarItems(title: String?) async throws {
            let item = UITabBarItem()
            // An item may be an image alone.
            (item.title, item.image) = (title, UIImage())
            let embedded = try await started { window in
                let screens = AlertScreens(window)
                screens.item = item
                return screens
            }
            let tabs = try #require((embedded.root("A") as? UITabBarController)?.viewControllers)
            #expect(tabs.map(\.tabBarItem.title) == ["home", title])
            #expect(tabs[1].tabBarItem === item)
        }

        // MARK: - Alerts

        @Test("an alert is gone for the runtime when one of its buttons was tapped", arguments: [0, 1])
        func alert(button: Int) async throws {
            let embedded = try await started { AlertScreens($0) }
            embedded.open("small://warning", in: "A")
            await embedded.finish()
            let shown = try #require(embedded.top("A") as? UIAlertController, "\(embedded.shown("A"))")
            let presentations = StandIn.presentations
            #expect(shown.standInTap(button))
            // Whatever else asks for a turn meanwhile.
            embedded.app.windows["A"]?.schedule()
            await embedded.settle()
            StandIn.finishTransitions()
            embedded.app.windows["A"]?.schedule()
            await embedded.finish()
            try expectAgreement(embedded, "*home: home | news: news")
            #expect(StandIn.presentations == presentations, "it came back")
            #expect(embedded.app.recording.contains("\"Events.SendIntent\"") == (button == 1))
            #expect(embedded.app.recording.contains("\"gesture\":\"dismiss\""))
        }

        @Test("an action sheet belongs to something, as an iPad demands")
        func actionSheet() async throws {
            let embedded = try await started { AlertScreens($0, .actionSheet) }
            embedded.open("small://warning", in: "A")
            await embedded.finish()
            #expect(embedded.top("A") is UIAlertController)
            #expect(StandIn.mistakes == [])
        }

        // MARK: - Fingers

        @Test(
            "a swipe is one, however often the finger takes hold again",
            arguments: [[false], [false, false], [true, false], [false, true], [true]]
        )
        func swipe(letGo: [Bool]) async throws {
            let embedded = try await started()
            embedded.open("small://part", in: "A")
            await embedded.finish()
            let stack = try #require(embedded.stack("A"))
            #expect(stack.standInBeginSwipe())
            for (index, isCancelled) in letGo.enumerated() {
                if index > 0 { stack.standInTakeHold() }
                stack.standInLetGo(cancelling: isCancelled)
                await embedded.settle()
            }
            await embedded.finish()
            let isBack = letGo.contains(false)
            try expectAgreement(embedded, "*home: home › item\(isBack ? "" : " › part") | news: news")
        }

        // MARK: - Scenes

        @Test("a scene that UIKit has released is not asked for until something needs it")
        func released() async throws {
            let embedded = try await started()
            embedded.disconnect("A")
            await embedded.finish()
            #expect(StandIn.requests.isEmpty)
            embedded.open("small://item", in: "A")
            embedded.app.send(try .url("small://item"), to: "A")
            await embedded.finish()
            #expect(StandIn.requests.count == 1)
        }

        @Test("a scene that UIKit has released lets go of its window at once, and nothing more is shown there")
        func letsGo() async throws {
            let embedded = try await started()
            let window = try #require(embedded.delegate("A")?.delegate.window)
            embedded.open("small://item", in: "A")
            embedded.open("small://paper", in: "A")
            embedded.disconnect("A")
            #expect(window.rootViewController == nil)
            for _ in 0..<100 {
                await Task.yield()
                #expect(window.rootViewController == nil)
            }
            await embedded.finish()
            #expect(StandIn.presentations == 0 && StandIn.mistakes == [] && embedded.refusals == [])
        }

        @Test("a scene that comes back at once is shown, and not closed")
        func backAtOnce() async throws {
            let embedded = try await started()
            embedded.disconnect("A")
            embedded.connect("A")
            await embedded.finish()
            try expectAgreement(embedded, "*home: home | news: news")
            #expect(StandIn.destroyed == [] && StandIn.requests.isEmpty)
        }

        @Test("a scene that is released while a transition goes on leaves nothing behind")
        func releasedInTransition() async throws {
            let embedded = try await started()
            embedded.open("small://paper", in: "A")
            await embedded.settle()
            #expect(StandIn.isTransitioning)
            embedded.disconnect("A")
            await embedded.settle()
            embedded.connect("A")
            await embedded.finish()
            #expect(embedded.shown("A") == (try embedded.said("A")))
            #expect(StandIn.mistakes == [] && StandIn.destroyed == [] && StandIn.requests.isEmpty)
        }

        @Test("an app that nobody keeps is gone once it has stopped, with its windows")
        func life() async throws {
            weak var app: SceneApp?
            do {
                let embedded = try await started()
                app = embedded.app
                embedded.open("small://paper", in: "A")
                await embedded.finish()
                embedded.disconnect("A")
                await embedded.finish()
                await embedded.app.stop()
            }
            // Tasks that have ended let go a moment later.
            for _ in 0..<1_000 where app != nil { await Task.yield() }
            #expect(app == nil)
            #expect(StandIn.living == [])
        }

        @Test("stopping closes no window of the system")
        func stopping() async throws {
            let embedded = try await started()
            await embedded.app.stop()
            await embedded.finish()
            #expect(StandIn.destroyed == [])
        }

        @Test("who is signed in when the app launches is before a scene is there")
        func launch() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            try embedded.app.signIn("anna")
            #expect(embedded.app.session.user == "anna")
            let options = UIScene.ConnectionOptions()
            options.urlContexts = [UIOpenURLContext(standIn: try #require(URL(string: "qcommerce://order/o1")))]
            embedded.connect("A", options)
            await embedded.finish()
            #expect(embedded.shown("A").contains("*orders: orders › order(id: o1)"))
            #expect(!embedded.app.records.contains("\"gated\""))
            embedded.app.markStale()
            #expect(embedded.app.session.isStale)
            embedded.app.signOut()
            #expect(embedded.app.session.user == nil)
            await embedded.finish()
            let calls = embedded.app.recording.split(separator: "\n").compactMap { line in
                (try? JSONValue(parsing: String(line)))?["call"]?.stringValue
            }
            #expect(calls.first == "Session.SignIn" && calls.suffix(2) == ["Session.MarkStale", "Session.SignOut"])
        }

        @Test("what is refused is in no recording")
        func refusedSignIn() async throws {
            let embedded = try await started()
            #expect(throws: SessionError.self) {
                try embedded.app.signIn("anna", facts: ["nothing": .boolean(true)])
            }
            #expect(throws: SessionError.self) { try embedded.app.commit(set: ["nothing": .boolean(true)]) }
            #expect(!embedded.app.recording.contains("Session."))
        }
    }
}
