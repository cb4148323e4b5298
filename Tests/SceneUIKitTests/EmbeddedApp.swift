import Basics
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing
import UIKit
import UserNotifications

@testable import SceneUIKit

/// All tests with the stand-in: one after the other, because UIKit has one application, and so has its stand-in.
@Suite("In UIKit", .serialized)
enum InUIKit {}

/// A view controller that knows what it shows, and counts how many there are.
@MainActor
final class Screen: UIViewController {
    var destination: Destination
    private let alive: Count

    /// Counts from `deinit`, which is no part of the main actor.
    final class Count: Sendable {
        private let count = Guarded(0)
        var value: Int { count.withLock { $0 } }
        func add(_ number: Int) { count.withLock { $0 += number } }
    }

    init(_ destination: Destination, _ alive: Count) {
        self.destination = destination
        self.alive = alive
        super.init(nibName: nil, bundle: nil)
        alive.add(1)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    deinit { alive.add(-1) }
}

@MainActor
final class Screens: SceneScreenFactory {
    private let alive: Screen.Count
    init(_ alive: Screen.Count) { self.alive = alive }

    func makeScreen(for destination: Destination, flow: String) throws -> UIViewController {
        Screen(destination, alive)
    }

    func update(_ screen: UIViewController, to destination: Destination) throws {
        (screen as? Screen)?.destination = destination
    }
}

/// An app in the stand-in of UIKit, with a clock that stands: only UIKit's transitions end the runtime's.
@MainActor
final class EmbeddedApp {
    final class Delegate: SceneWindowDelegate {
        static weak var shown: SceneApp?
        override class var app: SceneApp? { shown }

        /// What the app takes itself: links, types of quick actions, identifiers of notifications.
        static var kept: Set<String> = []
        /// What it has taken, in order.
        static private(set) var taken: [String] = []

        static func keep(_ kept: Set<String>) { (self.kept, taken) = (kept, []) }

        private func handles(_ name: String, _ scene: UIScene) -> Bool {
            guard Self.kept.contains(name) else { return false }
            Self.taken.append("\(name) in \(scene.session.persistentIdentifier)")
            return true
        }

        override func handles(_ url: URL, in scene: UIScene) -> Bool { handles(url.absoluteString, scene) }
        override func handles(_ shortcutItem: UIApplicationShortcutItem, in scene: UIScene) -> Bool {
            handles(shortcutItem.type, scene)
        }
        override func handles(_ response: UNNotificationResponse, in scene: UIScene) -> Bool {
            handles(response.notification.request.identifier, scene)
        }
    }

    let app: SceneApp
    /// How many of its screens there are.
    let alive: Screen.Count
    private(set) var scenes: [(scene: UIWindowScene, delegate: Delegate)] = []
    private(set) var refusals: [String] = []
    /// What UIKit has kept of the scenes that it has released.
    private(set) var saved: [String: NSUserActivity] = [:]

    /// One of the examples, with the scene A that has come to rest.
    static func connected(
        _ example: ExampleApp = .shop,
        _ options: UIScene.ConnectionOptions = UIScene.ConnectionOptions()
    ) async throws -> EmbeddedApp {
        let embedded = try EmbeddedApp(example.manifest())
        embedded.connect("A", options)
        await embedded.finish()
        return embedded
    }

    init(
        _ manifest: AppManifest,
        seed: UInt64 = 0,
        screens: (@MainActor (WindowHandle) -> any SceneScreenFactory)? = nil
    ) throws {
        StandIn.reset()
        Delegate.keep([])
        let alive = Screen.Count()
        self.alive = alive
        var settings = SceneApp.usualSettings
        settings.seed = seed
        let clock = VirtualClock(wallTime: 1_767_225_600)
        app = try SceneApp(id: "field", manifest: manifest, settings: settings, clock: clock) { window in
            screens?(window) ?? Screens(alive)
        }
        Delegate.shown = app
        app.onRefusal = { [weak self] in self?.refusals.append($0) }
    }

    /// Returns when nothing can go on without a finger, the system, or the end of a transition.
    func settle() async {
        var (quiet, turns) = (0, 0)
        while quiet < 20 {
            turns += 1
            if turns > 5_000 { Issue.record("never settles: \(app.unsettled)"); return }
            await app.host.advance(by: .zero)
            await Task.yield()
            quiet = app.isSettled || StandIn.isTransitioning ? quiet + 1 : 0
        }
    }

    /// Ends all transitions, and what they begin.
    func finish() async {
        repeat {
            StandIn.finishTransitions()
            await settle()
        } while StandIn.isTransitioning
    }

    @discardableResult
    func connect(
        _ id: String,
        restoring activity: NSUserActivity? = nil,
        configuration: String? = nil,
        _ options: UIScene.ConnectionOptions = UIScene.ConnectionOptions()
    ) -> UIWindowScene {
        let session =
            StandIn.sessions.first { $0.persistentIdentifier == id }
            ?? UISceneSession(standIn: id, configuration: configuration)
        StandIn.sessions.insert(session)
        session.stateRestorationActivity = activity
        let scene = UIWindowScene(standIn: session)
        let delegate = Delegate()
        scenes.append((scene, delegate))
        delegate.scene(scene, willConnectTo: session, options: options)
        delegate.sceneWillEnterForeground(scene)
        delegate.sceneDidBecomeActive(scene)
        return scene
    }

    func delegate(_ id: String) -> (scene: UIWindowScene, delegate: Delegate)? {
        scenes.first { $0.scene.session.persistentIdentifier == id }
    }

    func disconnect(_ id: String) {
        guard let index = scenes.firstIndex(where: { $0.scene.session.persistentIdentifier == id }) else { return }
        let (scene, delegate) = scenes.remove(at: index)
        delegate.sceneWillResignActive(scene)
        delegate.sceneDidEnterBackground(scene)
        saved[id] = delegate.stateRestorationActivity(for: scene)
        delegate.sceneDidDisconnect(scene)
    }

    func open(_ urls: String..., in id: String) {
        guard let (scene, delegate) = delegate(id) else { return }
        let contexts = urls.compactMap(URL.init(string:)).map { UIOpenURLContext(standIn: $0) }
        delegate.scene(scene, openURLContexts: Set(contexts))
    }

    func root(_ id: String) -> UIViewController? { delegate(id)?.delegate.window?.rootViewController }

    func top(_ id: String) -> UIViewController? {
        var top = root(id)
        while let next = top?.presentedViewController { top = next }
        return top
    }

    /// Somebody closes a window for good.
    func discard(_ id: String) {
        disconnect(id)
        guard let session = StandIn.sessions.first(where: { $0.persistentIdentifier == id }) else { return }
        StandIn.sessions.remove(session)
        app.discard([session])
    }

    /// The stack in front.
    func stack(_ id: String) -> UINavigationController? {
        let top = top(id)
        return top as? UINavigationController ?? (top as? UITabBarController)?.selectedViewController
            as? UINavigationController
    }

    /// What UIKit shows, in the words of a window.
    func shown(_ id: String) -> String {
        func stack(_ controller: UIViewController?) -> String {
            let screens = (controller as? UINavigationController)?.viewControllers ?? []
            return screens.map { ($0 as? Screen).map { "\($0.destination)" } ?? "?" }.joined(separator: " › ")
        }
        guard let root = root(id) else { return "nothing" }
        var parts: [String] = []
        if let tabs = root as? UITabBarController {
            for (index, tab) in (tabs.viewControllers ?? []).enumerated() {
                parts.append("\(index == tabs.selectedIndex ? "*" : "")\(tab.tabBarItem.title ?? ""): \(stack(tab))")
            }
        } else {
            parts.append("*root: \(stack(root))")
        }
        var modal = root.presentedViewController
        while let controller = modal {
            parts.append(
                "\(controller.modalPresentationStyle): \(controller is UIAlertController ? "alert" : stack(controller))"
            )
            modal = controller.presentedViewController
        }
        return parts.joined(separator: " | ")
    }

    /// What the runtime says, in the same words.
    func said(_ id: String) throws -> String {
        let window = app.secrets.revealed(try app.host.scene(id).window)
        var parts = window.tabs.map { tab in
            "\(tab.id == window.selectedTab ? "*" : "")\(tab.id): \(tab.stack.map(\.description).joined(separator: " › "))"
        }
        for modal in window.modals {
            let style: UIModalPresentationStyle =
                switch modal.style {
                case .sheet: .pageSheet
                case .fullScreen: .fullScreen
                case .popover: .popover
                case .alert: .overFullScreen
                }
            parts.append("\(style): \(modal.stack.map(\.description).joined(separator: " › "))")
        }
        return parts.joined(separator: " | ")
    }
}
