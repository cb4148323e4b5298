public import StrictJSON

/// The keys of `aps` that start, update or end a Live Activity. All absent in an ordinary notification.
public struct LiveActivityUpdate: Hashable, Sendable {
    public var event: Event?
    /// When the update was made, in seconds since 1970; an older one than shown is dropped by the system.
    public var timestamp: Double?
    /// The activity's new content.
    public var contentState: JSONObject?
    /// When the content is out of date, in seconds since 1970.
    public var staleDate: Double?
    /// When an ended activity leaves the screen, in seconds since 1970.
    public var dismissalDate: Double?
    /// The name of the attributes' Swift type; to start an activity.
    public var attributesType: String?
    /// The activity's unchanging data; to start an activity.
    public var attributes: JSONObject?
    /// Whether the started activity is to get a push token of its own.
    public var inputPushToken: Bool?
    /// The broadcast channel the started activity is to listen to.
    public var inputPushChannel: String?

    /// What happens to the activity.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        case start, update, end
    }

    /// No Live Activity; set what is needed afterwards.
    public init() {}

    init(_ reader: JSONReader) throws(JSONFieldError) {
        event = try reader.optional("event")?.choice()
        timestamp = try reader.optional("timestamp")?.time()
        contentState = try reader.optional("content-state")?.object()
        staleDate = try reader.optional("stale-date")?.time()
        dismissalDate = try reader.optional("dismissal-date")?.time()
        attributesType = try reader.optional("attributes-type")?.nonEmptyText()
        attributes = try reader.optional("attributes")?.object()
        inputPushToken = try reader.optional("input-push-token")?.flag()
        inputPushChannel = try reader.optional("input-push-channel")?.nonEmptyText()
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("event", event?.rawValue)
        object.set("timestamp", number: timestamp)
        object.set("content-state", contentState)
        object.set("stale-date", number: staleDate)
        object.set("dismissal-date", number: dismissalDate)
        object.set("attributes-type", attributesType)
        object.set("attributes", attributes)
        object.set("input-push-token", flag: inputPushToken)
        object.set("input-push-channel", inputPushChannel)
        return object
    }

    /// What the system would silently drop the update for.
    var warnings: [String] {
        guard let event else {
            let keys = json.keys
            return keys.isEmpty
                ? [] : ["aps.event: missing beside \(keys.joined(separator: ", ")); the system drops the update"]
        }
        var missing: [String] = []
        if timestamp == nil { missing.append("timestamp") }
        if contentState == nil, event != .end { missing.append("content-state") }
        if attributesType == nil, event == .start { missing.append("attributes-type") }
        if attributes == nil, event == .start { missing.append("attributes") }
        return missing.map { "aps.\($0): missing for the event \(event.rawValue); the system drops the update" }
    }
}
