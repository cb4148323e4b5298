public import UserNotifications

/// Foundation's, which is not on Linux.
open class NSUserActivity: NSObject {
    public let activityType: String
    public var title: String?
    public var userInfo: [AnyHashable: Any]?
    public var webpageURL: URL?
    public var referrerURL: URL?
    public var targetContentIdentifier: String?
    public var persistentIdentifier: NSUserActivityPersistentIdentifier?

    public init(activityType: String) { self.activityType = activityType }
}

public typealias NSUserActivityPersistentIdentifier = String

@MainActor
open class UIWindow: UIResponder {
    public weak var windowScene: UIWindowScene?
    public var rootViewController: UIViewController? {
        didSet {
            if oldValue?.presentedViewController != nil, oldValue !== rootViewController {
                StandIn.mistakes.append("the root of a window was replaced under a presentation, which stays in memory")
            }
            oldValue?.standInWindow = nil
            rootViewController?.standInWindow = self
            rootViewController?.loadViewIfNeeded()
        }
    }

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init()
        StandIn.note(self)
    }

    public func makeKeyAndVisible() {}
}

@MainActor
open class UISceneConfiguration: NSObject {
    public let name: String?

    public init(name: String?, sessionRole: UISceneSession.Role) { self.name = name }
}

@MainActor
open class UISceneSession: NSObject {
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    public internal(set) weak var scene: UIScene?
    public nonisolated let role = Role.windowApplication
    public let persistentIdentifier: String
    public let configuration: UISceneConfiguration
    public var stateRestorationActivity: NSUserActivity?

    public init(standIn identifier: String, configuration: String? = nil) {
        persistentIdentifier = identifier
        self.configuration = UISceneConfiguration(name: configuration, sessionRole: .windowApplication)
        super.init()
    }
}

@MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1, foregroundActive, foregroundInactive, background
    }

    @MainActor
    open class ActivationRequestOptions: NSObject {}

    @MainActor
    open class OpenURLOptions: NSObject {
        public let sourceApplication: String?

        init(_ sourceApplication: String?) { self.sourceApplication = sourceApplication }
    }

    @MainActor
    open class ConnectionOptions: NSObject {
        public var urlContexts: Set<UIOpenURLContext> = []
        public var userActivities: Set<NSUserActivity> = []
        public var notificationResponse: UNNotificationResponse?
        public var shortcutItem: UIApplicationShortcutItem?
        public var handoffUserActivityType: String?

        public override init() { super.init() }
    }

    public let session: UISceneSession
    public var activationState = ActivationState.unattached

    public init(standIn session: UISceneSession) {
        self.session = session
        super.init()
        session.scene = self
    }
}

@MainActor
open class UIWindowScene: UIScene {}

@MainActor
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    public init(standIn url: URL, from sourceApplication: String? = nil) {
        self.url = url
        options = UIScene.OpenURLOptions(sourceApplication)
        super.init()
    }
}

open class UIApplicationShortcutIcon: NSObject {}

open class UIApplicationShortcutItem: NSObject {
    public let type: String
    public let localizedTitle: String
    public let localizedSubtitle: String?
    public let icon: UIApplicationShortcutIcon?
    public let userInfo: [String: any NSSecureCoding]?
    public let targetContentIdentifier: Any?

    public convenience init(type: String, localizedTitle: String) {
        self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil, userInfo: nil)
    }

    public convenience init(
        type: String,
        localizedTitle: String,
        localizedSubtitle: String?,
        icon: UIApplicationShortcutIcon?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        self.init(standIn: type, localizedTitle, localizedSubtitle, icon, userInfo, target: nil)
    }

    /// UIKit has this in a mutable subclass.
    public init(
        standIn type: String,
        _ title: String = "",
        _ subtitle: String? = nil,
        _ icon: UIApplicationShortcutIcon? = nil,
        _ userInfo: [String: any NSSecureCoding]? = nil,
        target: Any?
    ) {
        self.type = type
        localizedTitle = title
        localizedSubtitle = subtitle
        self.icon = icon
        self.userInfo = userInfo
        targetContentIdentifier = target
        super.init()
    }
}

extension UNNotificationResponse {
    @MainActor public var targetScene: UIScene? { standInScene as? UIScene }
}

@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
}

@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    )
}

public struct UISceneSessionActivationRequest: Hashable {
    public let role: UISceneSession.Role
    public let session: UISceneSession?
    public var userActivity: NSUserActivity?
    public var options: UIScene.ActivationRequestOptions?

    public init(
        role: UISceneSession.Role = .windowApplication,
        userActivity: NSUserActivity? = nil,
        options: UIScene.ActivationRequestOptions? = nil
    ) {
        self.role = role
        session = nil
        self.userActivity = userActivity
        self.options = options
    }

    public init(
        session: UISceneSession,
        userActivity: NSUserActivity? = nil,
        options: UIScene.ActivationRequestOptions? = nil
    ) {
        role = session.role
        self.session = session
        self.userActivity = userActivity
        self.options = options
    }
}

@MainActor
open class UISceneDestructionRequestOptions: NSObject {}

@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

@MainActor
open class UIApplication: UIResponder {
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public static let shared = UIApplication()

    public var openSessions: Set<UISceneSession> { StandIn.sessions }

    @preconcurrency
    public func activateSceneSession(
        for request: UISceneSessionActivationRequest,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        StandIn.requests.append((request, errorHandler))
    }

    public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession,
        options: UISceneDestructionRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        StandIn.destroyed.append(sceneSession)
    }
}
