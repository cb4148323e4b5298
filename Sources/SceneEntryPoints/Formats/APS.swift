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

    init(_ object: JSONObject, at path: FieldPath) throws(EntryFormatError) {
        var reader = FieldReader(object, at: path)
        if let value = reader.value("alert") { alert = try APNsAlert(value, at: path.member("alert")) }
        badge = try reader.count("badge")
        if let value = reader.value("sound") { sound = try APNsSound(value, at: path.member("sound")) }
        threadID = try reader.string("thread-id")
        category = try reader.string("category")
        contentAvailable = try reader.flag("content-available")
        mutableContent = try reader.flag("mutable-content")
        targetContentID = try reader.text("target-content-id")
        interruptionLevel = try reader.word("interruption-level")
        liveActivity = try LiveActivityUpdate(&reader)
        relevanceScore = try reader.number("relevance-score", in: liveActivity.event == nil ? 0...1 : nil)
        filterCriteria = try reader.string("filter-criteria")
        urlArguments = try reader.strings("url-args")
        contentChanged = try reader.bool("content-changed")
        unknown = reader.unknown
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
