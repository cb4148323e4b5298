public import StrictJSON

/// The keys of `aps` that start, update or end a Live Activity. All are absent in an ordinary notification.
public struct LiveActivityUpdate: Hashable, Sendable {
    /// What happens to the activity.
    public var event: Event?
    /// The time of the update, in seconds since 1970. The system drops an update older than the one shown.
    public var timestamp: Double?
    /// The activity's new content.
    public var contentState: JSONObject?
    /// The time from which the content is out of date, in seconds since 1970.
    public var staleDate: Double?
    /// The time at which an ended activity leaves the screen, in seconds since 1970.
    public var dismissalDate: Double?
    /// The name of the Swift type of the attributes, when an activity starts.
    public var attributesType: String?
    /// The data of the activity that does not change, when it starts.
    public var attributes: JSONObject?
    /// Whether the started activity gets its own push token.
    public var inputPushToken: Bool?
    /// The broadcast channel that the started activity listens to.
    public var inputPushChannel: String?

    /// What happens to the activity.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// It appears.
        case start
        /// It gets new content.
        case update
        /// It ends, and leaves the screen at ``dismissalDate``.
        case end
    }

    /// No Live Activity: all keys absent.
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

    /// The mistakes for which the system drops the update without a message.
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
