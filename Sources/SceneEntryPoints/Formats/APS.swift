public import StrictJSON

/// Apple's part of a push: all keys of the `aps` dictionary, and any others that it has.
///
/// Keys and types are those of Apple's "Generating a remote notification" and, for Live Activities, of "Starting and
/// updating Live Activities with ActivityKit push notifications".
public struct APS: Hashable, Sendable {
    /// The alert; without one nothing is shown.
    public var alert: APNsAlert?
    /// The number on the app's icon, from 0, which removes it.
    public var badge: Int?
    /// The sound.
    public var sound: APNsSound?
    /// The identifier by which notifications are grouped (`thread-id`).
    public var threadID: String?
    /// The identifier of the category, which decides the actions.
    public var category: String?
    /// Whether the app is woken in the background (`content-available`).
    public var contentAvailable: Bool?
    /// Whether the app's service extension may change the notification first (`mutable-content`).
    public var mutableContent: Bool?
    /// The identifier of the window to bring forward (`target-content-id`).
    public var targetContentID: String?
    /// How urgently the notification interrupts.
    public var interruptionLevel: InterruptionLevel?
    /// The rank in a summary, from 0 to 1; any number for a Live Activity.
    public var relevanceScore: Double?
    /// The criterion for a Focus filter.
    public var filterCriteria: String?
    /// The values for the URL template of a Safari notification.
    public var urlArguments: [String]?
    /// Whether the app's widgets have to reload.
    public var contentChanged: Bool?
    /// The keys of a Live Activity; all absent in an ordinary notification.
    public var liveActivity: LiveActivityUpdate
    /// Keys that Apple does not describe, as they came. Each causes a warning.
    public var unknown: JSONObject

    /// A notification with this alert and nothing else.
    public init(alert: APNsAlert? = nil) {
        self.alert = alert
        liveActivity = LiveActivityUpdate()
        unknown = [:]
    }

    /// The keys of an ordinary notification.
    static let keys = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
        "interruption-level", "relevance-score", "filter-criteria", "url-args", "content-changed",
    ]

    init(_ reader: JSONReader) throws(JSONFieldError) {
        alert = try reader.optional("alert").map(APNsAlert.init)
        badge = try reader.optional("badge")?.integer(from: 0)
        sound = try reader.optional("sound").map(APNsSound.init)
        threadID = try reader.optional("thread-id")?.text()
        category = try reader.optional("category")?.text()
        contentAvailable = try reader.optional("content-available")?.flag()
        mutableContent = try reader.optional("mutable-content")?.flag()
        targetContentID = try reader.optional("target-content-id")?.nonEmptyText()
        interruptionLevel = try reader.optional("interruption-level")?.choice()
        liveActivity = try LiveActivityUpdate(reader)
        let score = try reader.optional("relevance-score")
        relevanceScore = try liveActivity.event == nil ? score?.number(from: 0, to: 1) : score?.number()
        filterCriteria = try reader.optional("filter-criteria")?.text()
        urlArguments = try reader.optional("url-args")?.texts()
        contentChanged = try reader.optional("content-changed")?.bool()
        unknown = [:]
        unknown = try reader.object().without(json)
    }

    var json: JSONObject {
        var object = JSONObject()
        object["alert"] = alert?.json
        object["badge"] = badge.map(JSONValue.integer)
        object["sound"] = sound?.json
        object.set("thread-id", threadID)
        object.set("category", category)
        object.set("content-available", flag: contentAvailable)
        object.set("mutable-content", flag: mutableContent)
        object.set("target-content-id", targetContentID)
        object.set("interruption-level", interruptionLevel?.rawValue)
        object.set("relevance-score", number: relevanceScore)
        object.set("filter-criteria", filterCriteria)
        object.set("url-args", urlArguments)
        object["content-changed"] = contentChanged.map(JSONValue.bool)
        object.append(liveActivity.json)
        object.append(unknown)
        return object
    }

    /// Whether the push shows a notification, which somebody can tap: it has an alert with a text, and does not change a Live
    /// Activity. A badge or a sound shows none.
    public var showsNotification: Bool { !(alert?.isEmpty ?? true) && liveActivity.event == nil }
}

/// How urgently a notification interrupts, from the least urgent to the most.
public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
    /// It only appears in the list of notifications.
    case passive
    /// It lights the screen up and may play a sound; the default.
    case active
    /// It breaks through a Focus.
    case timeSensitive = "time-sensitive"
    /// It also ignores the mute switch.
    case critical
}
