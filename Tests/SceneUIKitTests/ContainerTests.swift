import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing
import UIKit

@testable import SceneUIKit

extension InUIKit {
    /// The library's containers are of the app's own classes if it likes.
    @Suite("Containers of the app's own")
    @MainActor
    struct ContainerTests {
        /// A stack that takes an intent by itself, and notes how it was asked to change.
        final class Stack: UINavigationController, IntentResponder {
            var name = ""
            var taken: [String] = []
            private(set) var changes: [(count: Int, animated: Bool)] = []

            nonisolated func take(_ intent: Intent, from screen: Destination) throws -> Bool {
                MainActor.assumeIsolated {
                    guard intent.name == "scrolled" else { return false }
                    taken.append("\(screen)")
                    return true
                }
            }

            override func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
                changes.append((viewControllers.count, animated))
                super.setViewControllers(viewControllers, animated: animated)
            }
        }

        final class Tabs: UITabBarController {}

        /// What the app's own transition is made of.
        final class OwnScreens: SceneScreenFactory {
            private let alive: Screen.Count
            private(set) var stacks: [Stack] = []
            private(set) var presented: [String] = []
            private(set) var hadDelegate = false

            init(_ alive: Screen.Count) { self.alive = alive }

            func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
                Screen(destination, alive)
            }

            func update(_ screen: UIViewController, to destination: Destination) throws {}

            private func make(_ name: String) -> UINavigationController {
                let stack = Stack()
                stack.name = name
                stacks.append(stack)
                return stack
            }

            func makeStack(forTab tab: String) -> UINavigationController { make(tab) }
            func makeStack(presenting destination: Destination) -> UINavigationController { make("\(destination)") }
            func makeTabBarController() -> UITabBarController { Tabs() }

            func willPresent(_ controller: UIViewController, for destination: Destination) {
                presented.append("\(destination) \(controller.modalPresentationStyle)")
                hadDelegate = hadDelegate || controller.presentationController?.delegate != nil
                if destination.id == "letter" { controller.modalPresentationStyle = .formSheet }
            }
        }

        private func started() async throws -> (EmbeddedApp, OwnScreens) {
            let screens = OwnScreens(Screen.Count())
            let manifest = DriverTests.manifest.replacing("intents:", with: "intents:\n  scrolled: { effects: [] }")
            let embedded = try EmbeddedApp(try AppManifest.read(manifest).manifest) { _ in screens }
            embedded.connect("A")
            await embedded.finish()
            return (embedded, screens)
        }

        @Test("show the tabs and what is presented")
        func classes() async throws {
            let (embedded, screens) = try await started()
            #expect(embedded.root("A") is Tabs && screens.stacks.map(\.name) == ["home", "news"])
            embedded.open("small://paper", in: "A")
            await embedded.finish()
            #expect(screens.stacks.last?.name == "paper" && embedded.top("A") === screens.stacks.last)
            #expect(screens.presented == ["paper pageSheet"])
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        @Test("are presented in a style of the app's, and a finger that pulls one down is heard")
        func style() async throws {
            let (embedded, screens) = try await started()
            embedded.open("small://letter", in: "A")
            await embedded.finish()
            let letter = try #require(embedded.top("A"))
            #expect(letter.modalPresentationStyle == .formSheet && screens.presented == ["letter pageSheet"])
            // It is the library's, whatever the app sets.
            #expect(!screens.hadDelegate && letter.presentationController?.delegate != nil)
            #expect(letter.presentationController?.standInPullDown() == true)
            await embedded.finish()
            #expect(embedded.gestures == ["swipeDown"])
            #expect(embedded.shown("A") == "*home: home | news: news")
            #expect(try embedded.said("A") == embedded.shown("A"))
        }

        @Test("take intents before a coordinator is asked")
        func responder() async throws {
            let (embedded, screens) = try await started()
            try WindowHandle(id: "A", app: embedded.app).report(Intent(name: "scrolled"))
            await embedded.finish()
            #expect(screens.stacks.map(\.taken) == [["home"], []])
            embedded.open("small://paper", in: "A")
            await embedded.finish()
            try WindowHandle(id: "A", app: embedded.app).report(Intent(name: "scrolled"))
            await embedded.finish()
            #expect(screens.stacks.map(\.taken) == [["home"], [], ["paper"]])
        }

        @Test("move only where somebody looks")
        func animations() async throws {
            let (embedded, screens) = try await started()
            embedded.open("small://item", in: "A")
            await embedded.finish()
            #expect(screens.stacks[0].changes.map(\.animated) == [false, true])
            embedded.open("small://news", in: "A")
            await embedded.finish()
            embedded.open("small://paper", in: "A")
            await embedded.finish()
            // The stack of the other tab goes back to its first screen before that tab is selected.
            #expect(screens.stacks[0].changes.map(\.count) == [1, 2, 1])
            #expect(screens.stacks[0].changes.map(\.animated) == [false, true, false])
        }
    }
}
