public import StrictJSON

/// Apple's part of a push: every key of the `aps` dictionary, and whatever else stood there.
///
/// Keys and types are those of Apple's "Generating a remote notification" and, for Live Activities, of "Starting and
/// updating Live Activities with ActivityKit push notifications".
public struct APS: Hashable, Sendable {
    public var alert: APNsAlert?
    /// From 0, which removes the badge.
    public var badge: Int?
    public var sound: APNsSound?
    public var threadID: String?
    public var category: String?
    /// Whether the app is woken in the background.
    public var contentAvailable: Bool?
    /// Whether the app's service extension may change the notification first.
    public var mutableContent: Bool?
    /// The identifier of the window brought forward.
    public var targetContentID: String?
    public var interruptionLevel: InterruptionLevel?
    /// From 0 to 1; any number for a Live Activity.
    public var relevanceScore: Double?
    /// What a Focus filter is asked with.
    public var filterCriteria: String?
    /// The values for the URL template of a Safari notification.
    public var urlArguments: [String]?
    /// Whether the app's widgets are to reload.
    public var contentChanged: Bool?
    public var liveActivity: LiveActivityUpdate
    /// Keys nobody knows, as they came; each is warned about.
    public var unknown: JSONObject

    /// The keys of a notification without alert; everything else is set afterwards.
    public init(alert: APNsAlert? = nil) {
        self.alert = alert
        liveActivity = LiveActivityUpdate()
        unknown = [:]
    }

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

    /// The dictionary as it stands in a payload.
    public var json: JSONObject {
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

    /// Whether the push only wakes the app: `content-available` without an alert.
    public var isSilent: Bool { contentAvailable == true && alert == nil }
}

/// How urgently a notification interrupts.
public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
    case passive, active, critical
    case timeSensitive = "time-sensitive"
}
