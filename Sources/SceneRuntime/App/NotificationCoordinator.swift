public import SceneEntryPoints
public import SceneNavigation
public import SceneRouting

/// Decides what the app does with a notification that brings no window to the front: what an app's delegate, and the delegate of its
/// notification centre, hear of on iOS (<doc:Scenes#Notifications-in-Swift>).
///
/// It is asked at the event's turn, by the app or by the window that gets the event, and perhaps by several at once. It must return at
/// once and not call the host. An answer is a list of commands, which may be empty: the app has handled it, and there is nothing to do.
/// `nil` leaves it to the manifest: to the intent that a category hands over, if it has one.
///
/// What it throws ends the event as `rejected` with the reason `intentFailed`.
public protocol NotificationCoordinator: Sendable {
    /// The identifiers of the notification categories that the code names. A manifest that does not declare each of them is refused.
    var categories: Set<String> { get }

    /// A notification is presented while the app is in front: `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    ///
    /// - Parameters:
    ///   - push: The notification.
    ///   - session: The session now. What is committed is committed only while this user is signed in.
    func willPresent(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]?

    /// Somebody has dismissed a notification, or chosen one of its actions in the background:
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`. What brings the app to the front comes to adapters.
    ///
    /// - Parameters:
    ///   - response: The notification, with what was done.
    ///   - session: The session now, as for one that is presented.
    func didReceive(_ response: PushResponse, session: RoutingContext) throws -> [AppCommand]?

    /// A background notification (`content-available`) that shows nothing has come:
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    ///
    /// - Parameters:
    ///   - push: The notification.
    ///   - session: The session now, as for one that is presented.
    func didReceiveRemoteNotification(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]?
}

extension NotificationCoordinator {
    /// None.
    public var categories: Set<String> { [] }

    /// Leaves it to the manifest.
    public func willPresent(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]? { nil }

    /// Leaves it to the manifest.
    public func didReceive(_ response: PushResponse, session: RoutingContext) throws -> [AppCommand]? { nil }

    /// Leaves it to the manifest, which has nothing for it.
    public func didReceiveRemoteNotification(_ push: PushResponse, session: RoutingContext) throws -> [AppCommand]? {
        nil
    }

    /// What is to be done for a push of which it hears.
    func answer(to push: PushResponse, session: RoutingContext) throws -> [AppCommand]? {
        switch push.interaction {
        case .present: try willPresent(push, session: session)
        case .open, .dismiss, .action: try didReceive(push, session: session)
        case .silent: try didReceiveRemoteNotification(push, session: session)
        }
    }
}

/// Something that the app wants done without a window. All session changes are made first, in one commit; then windows are asked for,
/// closed and refreshed, in the order given (<doc:Scenes#Windows-that-the-app-asks-for>).
public enum AppCommand: Hashable, Sendable {
    /// Changes the session.
    case session(SessionChange)
    /// Asks for a new window that shows a destination, in a configuration of the manifest; `nil` takes the first.
    case openWindow(Destination, configuration: String? = nil)
    /// Closes every window that is for a destination, for good.
    case closeWindows(for: Destination)
    /// Has every window that is for a destination judged again; brings back what is disconnected, in the background.
    case refreshWindows(for: Destination)

    /// The same as a coordinator of a flow says it.
    var flowCommand: FlowCommand {
        switch self {
        case .session(let change): .session(change)
        case .openWindow(let destination, let configuration): .openWindow(destination, configuration: configuration)
        case .closeWindows(let destination): .closeWindows(for: destination)
        case .refreshWindows(let destination): .refreshWindows(for: destination)
        }
    }
}

extension PushResponse {
    /// Whether an app's code hears of it, as long as it brings nothing to the front: not of one that changes only a badge or a Live
    /// Activity, nor of one that goes to PushKit.
    var isHeard: Bool {
        if isVoIP { return false }
        return interaction != .silent || payload.aps.contentAvailable == true
    }
}
