import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing
import UIKit

@testable import SceneUIKit

extension EmbeddedApp {
    /// The gestures that the runtime was told, each with its tab.
    var gestures: [String] {
        steps("Events.Gesture").map { parameters in
            var words = [parameters["gesture"]?.stringValue ?? "?"]
            if let tab = parameters["tab"]?.stringValue { words.append(tab) }
            if parameters["cancelled"] == true { words.append("cancelled") }
            return words.joined(separator: " ")
        }
    }

    /// The parameters of the recorded calls of a method.
    func steps(_ call: String) -> [JSONObject] {
        app.recording.split(separator: "\n").compactMap { line in
            guard let step = try? JSONValue(parsing: String(line)), step["call"]?.stringValue == call else {
                return nil
            }
            return step["parameters"]?.objectValue
        }
    }

    /// Waits until the runtime wants a window to show something.
    /// - Returns: Whether UIKit was not asked for it yet, which the order of what waits on the main actor decides.
    func isWantedOnly(_ id: String, _ condition: (WindowState) -> Bool) async -> Bool {
        let before = shown(id)
        for _ in 0..<1_000 {
            if let window = app.windows[id]?.wanted?.window, condition(window) { return shown(id) == before }
            await Task.yield()
        }
        Issue.record("never wanted")
        return false
    }
}

extension InUIKit {
    /// What a finger does is told to the runtime once, as the gesture that it was; but not when the runtime has moved on meanwhile.
    @Suite("A finger on a window of the runtime")
    @MainActor
    struct FingerTests {
        static let manifest = """
            format: 3
            version: "1"
            name: Small
            schemes: [small]
            tabs: { home: home, news: news }
            destinations:
              home: { tab: home, routes: ["small://home"] }
              news: { tab: news, routes: ["small://news"] }
              item: { ancestry: [home], routes: ["small://item"] }
              part: { ancestry: [home, item], routes: ["small://part"] }
              story: { ancestry: [news], routes: ["small://story"] }
              paper: { ancestry: [home], presentation: sheet, routes: ["small://paper"] }
              letter: { ancestry: [home], presentation: sheet, routes: ["small://letter"] }
              note: { ancestry: [home, item], presentation: sheet, routes: ["small://note"] }
            """

        /// Something that a finger can do.
        enum Touch: Sendable {
            case back, backByTwo, swipe, swipeFromInside, swipeLetGo, pullDown, pullDownLetGo
            case tab(Int)
        }

        private func started(at url: String) async throws -> EmbeddedApp {
            let embedded = try EmbeddedApp(try AppManifest.read(Self.manifest).manifest)
            embedded.connect("A")
            await embedded.finish()
            embedded.open(url, in: "A")
            await embedded.finish()
            return embedded
        }

        /// An app whose runtime has moved on, which UIKit was not asked for yet.
        private func late(
            at start: String,
            _ next: String,
            _ condition: (WindowState) -> Bool
        ) async throws -> EmbeddedApp {
            // On a busy machine it is rarely so.
            for _ in 0..<1_000 {
                let embedded = try await started(at: "small://\(start)")
                embedded.open("small://\(next)", in: "A")
                if await embedded.isWantedOnly("A", condition) { return embedded }
                await embedded.finish()
                await embedded.app.stop()
            }
            throw Never()
        }

        /// UIKit was always asked at once.
        struct Never: Error {}

        private func touch(_ touch: Touch, _ embedded: EmbeddedApp) -> Bool {
            let stack = embedded.stack("A")
            func swipe(fromEdge: Bool = true, cancelling: Bool = false) -> Bool {
                guard stack?.standInBeginSwipe(fromEdge: fromEdge) == true else { return false }
                stack?.standInLetGo(cancelling: cancelling)
                return true
            }
            let sheet = embedded.top("A")?.presentationController
            return switch touch {
            case .back: stack?.standInTapBack() == true
            case .backByTwo: stack?.standInTapBack(by: 2) == true
            case .swipe: swipe()
            case .swipeFromInside: swipe(fromEdge: false)
            case .swipeLetGo: swipe(cancelling: true)
            case .pullDown: sheet?.standInPullDown() == true
            case .pullDownLetGo: sheet?.standInPullDown(cancelling: true) == true
            case .tab(let index): (embedded.root("A") as? UITabBarController)?.standInTap(index) == true
            }
        }

        private func expectAgreement(_ embedded: EmbeddedApp, _ shown: String) throws {
            #expect(embedded.shown("A") == shown)
            #expect(try embedded.said("A") == shown)
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        @Test(
            "tells what it did, once",
            arguments: [
                ("part", Touch.back, ["back"], "*home: home › item | news: news"),
                ("part", .backByTwo, ["back", "back"], "*home: home | news: news"),
                ("part", .swipe, ["swipeBack"], "*home: home › item | news: news"),
                ("part", .swipeFromInside, ["swipeBack"], "*home: home › item | news: news"),
                ("part", .swipeLetGo, ["swipeBack cancelled"], "*home: home › item › part | news: news"),
                ("paper", .pullDown, ["swipeDown"], "*home: home | news: news"),
                ("paper", .pullDownLetGo, ["swipeDown cancelled"], "*home: home | news: news | pageSheet: paper"),
                ("part", .tab(1), ["selectTab news"], "home: home › item › part | *news: news"),
                ("part", .tab(0), ["selectTab home"], "*home: home | news: news"),
            ]
        )
        func tells(start: String, touch: Touch, gestures: [String], shown: String) async throws {
            let embedded = try await started(at: "small://\(start)")
            #expect(self.touch(touch, embedded))
            await embedded.finish()
            #expect(embedded.gestures == gestures)
            try expectAgreement(embedded, shown)
        }

        @Test(
            "that UIKit heard after the runtime has moved on takes nothing else away",
            arguments: [
                // A presentation over the stack, another tab, and another presentation in the place of the one that is pulled down.
                ("item", "note", Touch.back, "*home: home › item | news: news | pageSheet: note"),
                ("item", "note", .swipe, "*home: home › item | news: news | pageSheet: note"),
                ("item", "story", .back, "home: home › item | *news: news › story"),
                ("item", "story", .swipe, "home: home › item | *news: news › story"),
                ("paper", "letter", .pullDown, "*home: home | news: news | pageSheet: letter"),
            ]
        )
        func isLate(start: String, next: String, touch: Touch, shown: String) async throws {
            let embedded = try await late(at: start, next) { window in
                switch next {
                case "note": window.modals.count == 1
                case "story": window.selectedTab == "news"
                default: window.modals.map(\.stack) != [[Destination(id: "paper")]]
                }
            }
            #expect(self.touch(touch, embedded))
            await embedded.finish()
            #expect(embedded.gestures == [])
            try expectAgreement(embedded, shown)
        }

        @Test("cannot go on with a swipe whose screen is no longer wanted", arguments: [true, false])
        func isLetGo(fromEdge: Bool) async throws {
            let embedded = try await started(at: "small://part")
            let stack = try #require(embedded.stack("A"))
            // What the app has disabled stays so.
            let other =
                fromEdge ? stack.interactiveContentPopGestureRecognizer : stack.interactivePopGestureRecognizer
            other?.isEnabled = false
            #expect(stack.standInBeginSwipe(fromEdge: fromEdge))
            embedded.open("small://news", in: "A")
            await embedded.settle()
            #expect(stack.transitionCoordinator?.isInteractive == false)
            await embedded.finish()
            #expect(embedded.gestures == ["swipeBack cancelled"])
            #expect(other?.isEnabled == false)
            #expect(stack.interactivePopGestureRecognizer?.isEnabled == fromEdge)
            try expectAgreement(embedded, "home: home › item › part | *news: news")
        }

        @Test("cannot go on with a swipe in a presentation that is to be closed")
        func isLetGoInPresentation() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            embedded.connect("A")
            await embedded.finish()
            embedded.open("qcommerce://order/o1", in: "A")
            await embedded.finish()
            try WindowHandle(id: "A", app: embedded.app).report(Intent(name: "signUpRequested"))
            await embedded.finish()
            #expect(embedded.shown("A").hasSuffix("pageSheet: login › createAccount"))
            #expect(embedded.stack("A")?.standInBeginSwipe() == true)
            try embedded.app.signIn("anna")
            await embedded.settle()
            #expect(embedded.stack("A")?.transitionCoordinator?.isInteractive != true)
            await embedded.finish()
            #expect(embedded.gestures == ["swipeBack cancelled"])
            try expectAgreement(
                embedded,
                "home: home | *orders: orders › order(id: o1) | account: account"
            )
        }

        @Test("is not heard once UIKit has released the scene")
        func isReleased() async throws {
            let embedded = try await started(at: "small://part")
            #expect(touch(.backByTwo, embedded))
            embedded.disconnect("A")
            await embedded.finish()
            #expect(embedded.gestures.count <= 1)
            #expect(StandIn.requests.isEmpty && embedded.refusals == [])
            #expect(embedded.app.isSettled, "\(embedded.app.unsettled)")
        }

        @Test("that closed a presentation without a transition is told, too", arguments: [true, false])
        func withoutTransition(isWanted: Bool) async throws {
            let embedded =
                isWanted
                ? try await started(at: "small://paper")
                : try await late(at: "paper", "letter") { $0.modals.map(\.stack) != [[Destination(id: "paper")]] }
            let sheet = try #require(embedded.top("A"))
            let controller = try #require(sheet.presentationController)
            sheet.presentingViewController?.dismiss(animated: false)
            controller.delegate?.presentationControllerDidDismiss(controller)
            await embedded.finish()
            #expect(embedded.gestures == (isWanted ? ["swipeDown"] : []))
            try expectAgreement(embedded, "*home: home | news: news\(isWanted ? "" : " | pageSheet: letter")")
        }
    }
}
