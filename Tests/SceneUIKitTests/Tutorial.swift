import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneUIKit
import Testing
import UIKit
import UserNotifications

// The code of the page EmbeddingInAnApp, as an app would have it.

private let manifestText = ExampleApp.shop.text

final class PlainController: UIViewController {
    init(title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}

final class ShopScreens: SceneScreenFactory {
    private let window: WindowHandle

    init(_ window: WindowHandle) { self.window = window }

    func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
        switch destination.id {
        case "product": ProductController(destination.parameters["id"] ?? "", window)
        default: PlainController(title: destination.id)
        }
    }

    func update(_ screen: UIViewController, to destination: Destination) throws {
        (screen as? ProductController)?.show(destination.parameters["id"] ?? "")
    }
}

final class ProductController: UIViewController {
    private let window: WindowHandle

    init(_ product: String, _ window: WindowHandle) {
        self.window = window
        super.init(nibName: nil, bundle: nil)
        show(product)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func show(_ product: String) { title = "Product \(product)" }

    func signUpTapped() {
        do {
            try window.report(Intent(name: "signUpRequested"))
        } catch {
            print("refused: \(error)")
        }
    }
}

final class AppDelegate: UIResponder, UIApplicationDelegate {
    private(set) static var app: SceneApp?
    private var notifications: SceneNotificationDelegate?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        do {
            let manifest = try AppManifest.read(manifestText).manifest
            let app = try SceneApp(id: UUID().uuidString, manifest: manifest) { ShopScreens($0) }
            app.onRefusal = { print("refused: \($0)") }
            notifications = SceneNotificationDelegate(app: app)
            UNUserNotificationCenter.current().delegate = notifications
            Self.app = app
            return true
        } catch {
            print("no runtime: \(error)")
            return false
        }
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        Self.app?.discard(sceneSessions)
    }
}

final class SceneDelegate: SceneWindowDelegate {
    override class var app: SceneApp? { AppDelegate.app }
}

extension InUIKit {
    @Suite("The page about embedding in an app")
    @MainActor
    struct TutorialTests {
        @Test("its code is that of this file, which compiles")
        func code() throws {
            let file = URL(filePath: #filePath)
            let page = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Sources/SceneUIKit/SceneUIKit.docc/EmbeddingInAnApp.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            let here = try String(contentsOf: file, encoding: .utf8)
            let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
                $0.components(separatedBy: "```").first
            }
            #expect(blocks.count == 4)
            for block in blocks { #expect(here.contains("\n" + block), "\(block)") }
        }

        @Test("its app shows what a link says, and reports what is tapped")
        func runs() async throws {
            StandIn.reset()
            let delegate = AppDelegate()
            #expect(delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil))
            let app = try #require(AppDelegate.app)
            #expect(UNUserNotificationCenter.current().delegate is SceneNotificationDelegate)
            let session = UISceneSession(standIn: "A")
            StandIn.sessions = [session]
            let (scene, window) = (UIWindowScene(standIn: session), SceneDelegate())
            window.scene(scene, willConnectTo: session, options: UIScene.ConnectionOptions())
            window.sceneWillEnterForeground(scene)
            window.sceneDidBecomeActive(scene)
            func send(_ url: String) async throws {
                let event = try EntryEvent.url(url)
                let outcome = await withCheckedContinuation { done in
                    app.send(event, to: "A") { done.resume(returning: $0?.outcome) }
                }
                #expect(outcome == .applied)
                while !app.isSettled || StandIn.isTransitioning {
                    StandIn.finishTransitions()
                    await Task.yield()
                }
            }
            try await send("qcommerce://product/p1")
            let tabs = window.window?.rootViewController as? UITabBarController
            let stack = tabs?.selectedViewController as? UINavigationController
            let product = try #require(stack?.topViewController as? ProductController)
            #expect(product.title == "Product p1")
            product.signUpTapped()
            try await send("qcommerce://orders")
            #expect(app.recording.contains("\"signUpRequested\""))
            window.sceneDidDisconnect(scene)
            delegate.application(UIApplication.shared, didDiscardSceneSessions: [session])
            await app.stop()
            #expect(StandIn.mistakes == [])
        }
    }
}
