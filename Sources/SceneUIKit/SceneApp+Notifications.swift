#if canImport(UIKit) && canImport(UserNotifications) && !os(tvOS) && !os(watchOS)
    internal import SceneEntryPoints
    internal import SceneRuntime
    internal import StrictJSON
    public import UIKit
    public import UserNotifications

    extension SceneApp {
        /// Gives the runtime what somebody did with a notification.
        ///
        /// - Parameters:
        ///   - scene: The scene that UIKit has launched with it; `nil` for the one that the response is for.
        ///   - done: Called once.
        func take(_ response: UNNotificationResponse, in scene: String? = nil, _ done: @escaping @MainActor () -> Void)
        {
            let notification = response.notification
            let name =
                "\(notification.request.identifier) \(notification.date.timeIntervalSince1970) \(response.actionIdentifier)"
            guard isNew(response: name),
                let event = read(
                    "the notification",
                    { () throws(JSONFieldError) in try EntryEvent.responded(response) }
                )
            else { return done() }
            send(event, to: scene ?? response.targetScene.map { ids.of($0.session) }) { _ in done() }
        }

        func take(_ notification: UNNotification) {
            let event = read("the notification") { () throws(JSONFieldError) in try EntryEvent.presented(notification) }
            if let event { send(event) }
        }
    }

    /// The delegate of the app's notifications: hands the runtime what somebody does with them. Make one when the app launches, keep
    /// it, and set it as the delegate of `UNUserNotificationCenter.current()` before the launch has ended. To keep some of them, override
    /// a method and call `super` with the others.
    open class SceneNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
        private let app: SceneApp
        private let options: UNNotificationPresentationOptions

        /// - Parameters:
        ///   - app: The runtime that is told of them.
        ///   - options: How the system shows a notification while the app is in front.
        public init(app: SceneApp, options: UNNotificationPresentationOptions = [.banner, .list, .sound]) {
            self.app = app
            self.options = options
            super.init()
        }

        open func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            let (app, carried) = (self.app, Carried(value: notification))
            Task { @MainActor in app.take(carried.value) }
            completionHandler(options)
        }

        open func userNotificationCenter(
            _ center: UNUserNotificationCenter,
            didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            let (app, carried) = (self.app, Carried(value: response))
            // UIKit wants the handler called on the main thread. The task ends by itself.
            Task { @MainActor in app.take(carried.value) { completionHandler() } }
        }
    }
#endif
