public import Foundation

// A stand-in for the classes of UserNotifications that SceneUIKit uses, with their declarations as Apple documents them. What begins
// with `standIn` is for tests.

/// What a notification says.
open class UNNotificationContent: NSObject {
    public internal(set) var title = ""
    public internal(set) var body = ""
    public internal(set) var categoryIdentifier = ""
    public internal(set) var userInfo: [AnyHashable: Any] = [:]
}

open class UNNotificationRequest: NSObject {
    public let identifier: String
    public let content: UNNotificationContent

    init(_ identifier: String, _ content: UNNotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}

open class UNNotification: NSObject {
    public let date: Date
    public let request: UNNotificationRequest

    public init(
        standInFor identifier: String,
        userInfo: [AnyHashable: Any],
        title: String = "",
        body: String = "",
        category: String = "",
        date: Date
    ) {
        let content = UNNotificationContent()
        (content.title, content.body, content.userInfo) = (title, body, userInfo)
        content.categoryIdentifier = category
        self.date = date
        request = UNNotificationRequest(identifier, content)
    }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

open class UNNotificationResponse: NSObject {
    public let notification: UNNotification
    public let actionIdentifier: String
    /// What `targetScene` returns, which UIKit declares.
    public weak var standInScene: NSObject?

    public init(
        standIn notification: UNNotification,
        action: String = UNNotificationDefaultActionIdentifier,
        scene: NSObject? = nil
    ) {
        self.notification = notification
        actionIdentifier = action
        standInScene = scene
    }
}

open class UNTextInputNotificationResponse: UNNotificationResponse {
    public let userText: String

    public init(standIn notification: UNNotification, action: String, text: String) {
        userText = text
        super.init(standIn: notification, action: action)
    }
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
    public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
    public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
    public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

open class UNUserNotificationCenter: NSObject {
    nonisolated(unsafe) private static let center = UNUserNotificationCenter()

    public class func current() -> UNUserNotificationCenter { center }

    public weak var delegate: (any UNUserNotificationCenterDelegate)?
}

public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    )
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )
}
