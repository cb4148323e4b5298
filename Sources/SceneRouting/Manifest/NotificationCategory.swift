/// What somebody may do with the notifications of one category, besides tapping them: UserNotifications'
/// `UNNotificationCategory`.
public struct NotificationCategory: Hashable, Sendable {
    /// The identifier that a payload names as `aps.category`, unique in the manifest.
    public var id: String
    /// Whether the app hears of a dismissal (`customDismissAction`).
    public var reportsDismissal: Bool
    /// The path in the push of the user whom its notifications are for: an action in the background is rejected unless that user
    /// is signed in. `nil`, or a path at which nothing is, for anybody. For taps an adapter says it (``AdapterDeclaration/user``).
    public var user: String?
    /// What the app does when a notification is presented while it is in front, if anything.
    public var presented: NotificationAction.Handover?
    /// What the app does when somebody dismisses a notification, if anything; it has to hear of it (``reportsDismissal``).
    public var dismissed: NotificationAction.Handover?
    /// The actions in the order shown, with unique identifiers.
    public var actions: [NotificationAction]

    /// A category; by default a dismissal is not reported.
    public init(
        id: String,
        reportsDismissal: Bool = false,
        user: String? = nil,
        presented: NotificationAction.Handover? = nil,
        dismissed: NotificationAction.Handover? = nil,
        actions: [NotificationAction] = []
    ) {
        self.id = id
        self.reportsDismissal = reportsDismissal
        self.user = user
        self.presented = presented
        self.dismissed = dismissed
        self.actions = actions
    }
}

/// A button of a notification: UserNotifications' `UNNotificationAction`.
public struct NotificationAction: Hashable, Sendable {
    /// The identifier with which a response names it, unique in its category.
    public var id: String
    /// Whether it brings the app to the front (`foreground`); the adapters then say where it leads. Otherwise it navigates
    /// nowhere.
    public var isForeground: Bool
    /// Whether it comes with a text that the person typed (`UNTextInputNotificationAction`).
    public var takesText: Bool
    /// Whether the system asks the person to unlock the device first (`authenticationRequired`). The event is what comes after
    /// that, so this changes nothing here.
    public var needsAuthentication: Bool
    /// Whether the system shows it as one that destroys something (`destructive`). This changes nothing here.
    public var isDestructive: Bool
    /// What an action in the background makes the app do, if anything.
    public var intent: Handover?

    /// An intent of the app, whose effects on the session are carried out without a screen: by an action in the background, or when a
    /// notification is presented or dismissed.
    public struct Handover: Hashable, Sendable {
        /// The name of one of ``AppManifest/intents`` that any screen may report and whose effects are all on the session.
        public var name: String
        /// The path of each of its parameters in the push, with dots: `payload.order`, or `text` for what was typed. A parameter
        /// that is absent there is left out.
        public var parameters: [String: String]

        /// The intent `name` with these parameters.
        public init(name: String, parameters: [String: String] = [:]) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// An action; by default in the background, without a text, and nothing comes of it.
    public init(
        id: String,
        isForeground: Bool = false,
        takesText: Bool = false,
        needsAuthentication: Bool = false,
        isDestructive: Bool = false,
        intent: Handover? = nil
    ) {
        self.id = id
        self.isForeground = isForeground
        self.takesText = takesText
        self.needsAuthentication = needsAuthentication
        self.isDestructive = isDestructive
        self.intent = intent
    }
}

extension NotificationAction {
    /// The action identifier that UserNotifications reports for a tap.
    package static let tap = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The action identifier that UserNotifications reports for a dismissal.
    package static let dismissal = "com.apple.UNNotificationDismissActionIdentifier"
    /// The identifiers that no action of an app has.
    static let reserved = [tap, dismissal]
}

extension NotificationCategory {
    /// All intents that its notifications hand to the app.
    package var handovers: [NotificationAction.Handover] {
        [presented, dismissed].compactMap(\.self) + actions.compactMap(\.intent)
    }
}
