import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneUIKit
import TestFixtures
import Testing
import UIKit
import UserNotifications

// What the code of the page EmbeddingInAnApp, which is in the folder Tutorial, has of an app.

let manifestText = ExampleApp.shop.text
@MainActor var keptUser: String?
@MainActor private var opened: [String] = []
@MainActor func openAsBefore(_ url: URL) -> Bool {
    guard url.scheme == "help" else { return false }
    opened.append(url.absoluteString)
    return true
}

final class PlainController: UIViewController {
    init(title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}

extension InUIKit {
    @Suite("The page about embedding in an app")
    @MainActor
    struct EmbeddingPageTests {
        private static let here = URL(filePath: #filePath).deletingLastPathComponent()

        /// The blocks of code of one language.
        private static func blocks(_ language: String) throws -> [String] {
            let page = here.deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Sources/SceneUIKit/SceneUIKit.docc/EmbeddingInAnApp.md")
            return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst()
                .compactMap { $0.components(separatedBy: "```").first }
        }

        @Test("its code is that of the files of a folder, which compile with their imports")
        func code() throws {
            let here = Self.here
            let blocks = try Self.blocks("swift")
            let folder = here.appending(path: "Tutorial")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }
            #expect(files.count == 8)
            #expect(blocks.sorted() == files.sorted())
        }

        @Test("its property list names the classes and schemes of its code")
        func propertyList() throws {
            let lists = try Self.blocks("xml")
            func read(_ list: String) throws -> [String: Any] {
                let data = Data("<plist version=\"1.0\"><dict>\(list)</dict></plist>".utf8)
                let value = try PropertyListSerialization.propertyList(from: data, format: nil)
                return try #require(value as? [String: Any])
            }
            try #require(lists.count == 2)
            let (info, entitlements) = (try read(lists[0]), try read(lists[1]))
            let manifest = try AppManifest.read(manifestText).manifest
            let scenes = try #require(info["UIApplicationSceneManifest"] as? [String: Any])
            let configurations = try #require(scenes["UISceneConfigurations"] as? [String: [[String: String]]])
            let configuration = try #require(configurations[UISceneSession.Role.windowApplication.rawValue]?.first)
            #expect(configuration["UISceneDelegateClassName"] == "$(PRODUCT_MODULE_NAME).\(SceneDelegate.self)")
            #expect(manifest.configurations.contains { $0.name == configuration["UISceneConfigurationName"] })
            let types = try #require(info["CFBundleURLTypes"] as? [[String: [String]]])
            #expect(types.flatMap { $0["CFBundleURLSchemes"] ?? [] } == manifest.schemes)
            let domains = entitlements["com.apple.developer.associated-domains"] as? [String]
            #expect(domains == ["applinks:shop.example"])
        }

        /// A window of the page's app, shown with the stand-in.
        @MainActor
        private struct Shown {
            let delegate = AppDelegate()
            let app: SceneApp
            let scene: UIWindowScene
            let window = SceneDelegate()

            init() throws {
                StandIn.reset()
                try #require(delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil))
                app = try #require(AppDelegate.app)
                let session = UISceneSession(standIn: "A")
                StandIn.sessions = [session]
                scene = UIWindowScene(standIn: session)
                window.scene(scene, willConnectTo: session, options: UIScene.ConnectionOptions())
                window.sceneWillEnterForeground(scene)
                window.sceneDidBecomeActive(scene)
            }

            func send(_ url: String) async throws -> Outcome? {
                let event = try EntryEvent.url(url)
                let outcome = await withCheckedContinuation { done in
                    app.send(event, to: "A") { done.resume(returning: $0?.outcome) }
                }
                await finish()
                return outcome
            }

            func finish() async {
                var quiet = 0
                while quiet < 100 {
                    StandIn.finishTransitions()
                    await Task.yield()
                    quiet = app.isSettled && !StandIn.isTransitioning ? quiet + 1 : 0
                }
            }

            func end() async {
                window.sceneDidDisconnect(scene)
                delegate.application(UIApplication.shared, didDiscardSceneSessions: [scene.session])
                await app.stop()
                keptUser = nil
                #expect(StandIn.mistakes == [])
            }
        }

        @Test("its app shows what a link says, reports what is tapped, and keeps its records")
        func runs() async throws {
            let shown = try Shown()
            #expect(UNUserNotificationCenter.current().delegate is SceneNotificationDelegate)
            #expect(try await shown.send("qcommerce://product/p1") == .applied)
            let tabs = shown.window.window?.rootViewController as? UITabBarController
            let stack = tabs?.selectedViewController as? UINavigationController
            let product = try #require(stack?.topViewController as? ProductController)
            #expect(product.title == "Product p1")
            product.signUpTapped()
            #expect(try await shown.send("qcommerce://orders") == .applied)
            // Its coordinator, not the manifest, takes what the login reports.
            guard case .gated? = try await shown.send("qcommerce://order/o1") else {
                Issue.record("not gated")
                return
            }
            product.signUpTapped()
            await shown.finish()
            let login = tabs?.presentedViewController as? UINavigationController
            #expect(login?.viewControllers.map(\.title) == ["login", "createAccount"])
            let folder = try TemporaryDirectory()
            AppDelegate.keepRecords(in: URL(filePath: folder.path))
            for name in ["records.jsonl", "bug.jsonl"] {
                #expect(
                    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8).contains("signUpRequested")
                )
            }
            await shown.end()
        }

        @Test("whom it knows is signed in before its first window is there")
        func user() async throws {
            keptUser = "anna"
            let shown = try Shown()
            #expect(try await shown.send("qcommerce://order/o1") == .applied)
            await shown.end()
        }

        @Test("what the app had before is a tab, with its own stack and no bar over it")
        func mixed() async throws {
            let manifest = try AppManifest.read(try #require(try Self.blocks("yaml").first)).manifest
            var window: WindowHandle?
            let embedded = try EmbeddedApp(manifest) {
                window = $0
                return MixedScreens($0)
            }
            embedded.connect("A")
            await embedded.finish()
            let tabs = try #require(embedded.root("A") as? UITabBarController)
            #expect(tabs.standInTap(1))
            await embedded.finish()
            let stack = try #require(embedded.stack("A"))
            let old = try #require(stack.viewControllers.first?.children.first as? UINavigationController)
            #expect(stack.isNavigationBarHidden && stack.viewControllers.count == 1)
            old.pushViewController(PlainController(title: "Name"), animated: false)
            embedded.open("qcommerce://product/p1", in: "A")
            await embedded.finish()
            // Old code leads to a screen of the manifest.
            try #require(window).report(Intent(name: "productTapped", parameters: ["id": "p2"]))
            await embedded.finish()
            #expect(try embedded.said("A").contains("home › product(id: p2)"))
            #expect(tabs.standInTap(1))
            await embedded.finish()
            #expect(old.viewControllers.map(\.title) == ["Account", "Name"])
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        @Test("a link that is not the manifest's yet is the app's as before, at launch as later")
        func links() async throws {
            let shown = try Shown()
            opened = []
            let delegate = MixedSceneDelegate()
            let session = UISceneSession(standIn: "B")
            StandIn.sessions.insert(session)
            let scene = UIWindowScene(standIn: session)
            let options = UIScene.ConnectionOptions()
            options.urlContexts = [UIOpenURLContext(standIn: try #require(URL(string: "help://returns")))]
            delegate.scene(scene, willConnectTo: session, options: options)
            delegate.scene(scene, openURLContexts: options.urlContexts)
            await shown.finish()
            #expect(opened == ["help://returns", "help://returns"])
            #expect(delegate.window?.rootViewController is UITabBarController)
            delegate.sceneDidDisconnect(scene)
            shown.app.discard([session])
            await shown.end()
        }

        @Test("without a runtime a window has what the app had before")
        func noRuntime() throws {
            StandIn.reset()
            AppDelegate.app = nil
            let delegate = MixedSceneDelegate()
            let session = UISceneSession(standIn: "A")
            let scene = UIWindowScene(standIn: session)
            delegate.scene(scene, willConnectTo: session, options: UIScene.ConnectionOptions())
            let stack = try #require(delegate.window?.rootViewController as? UINavigationController)
            #expect(stack.viewControllers.map(\.title) == ["Account"])
            #expect(StandIn.mistakes == [])
        }
    }
}
