public import StrictJSON

/// The alert of a notification.
public enum APNsAlert: Hashable, Sendable {
    /// A body without title.
    case text(String)
    case content(AlertContent)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        switch reader.value {
        case .string(let text): self = .text(text)
        case .object: self = .content(try AlertContent(reader))
        default: throw reader.mismatch("string or object")
        }
    }

    /// The alert as `aps.alert` writes it.
    public var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .content(let content): .object(content.json)
        }
    }
}

/// The dictionary form of an alert. Texts come plain, or as the key of a localised string with its arguments.
public struct AlertContent: Hashable, Sendable {
    public var title: AlertText?
    public var subtitle: AlertText?
    public var body: AlertText?
    /// The name of the image shown while the app launches.
    public var launchImage: String?
    public var titleLocKey: String?
    public var titleLocArgs: [String]?
    public var subtitleLocKey: String?
    public var subtitleLocArgs: [String]?
    public var locKey: String?
    public var locArgs: [String]?
    /// The key of the localised label of the action button; of older systems.
    public var actionLocKey: String?
    /// The label of the action button; of Safari's notifications.
    public var action: String?
    /// What the summary calls this notification; of iOS 12 to 14.
    public var summaryArgument: String?
    /// How many the summary counts this notification as; of iOS 12 to 14.
    public var summaryArgumentCount: Int?
    /// The sound of a Live Activity's alert.
    public var sound: APNsSound?
    /// Members nobody knows, as they came.
    public var unknown: JSONObject = [:]

    /// An alert with these plain texts; everything else is set afterwards.
    public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title.map(AlertText.plain)
        self.subtitle = subtitle.map(AlertText.plain)
        self.body = body.map(AlertText.plain)
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        title = try reader.optional("title").map(AlertText.init)
        subtitle = try reader.optional("subtitle").map(AlertText.init)
        body = try reader.optional("body").map(AlertText.init)
        launchImage = try reader.optional("launch-image")?.text()
        titleLocKey = try reader.optional("title-loc-key")?.text()
        titleLocArgs = try reader.optional("title-loc-args")?.texts()
        subtitleLocKey = try reader.optional("subtitle-loc-key")?.text()
        subtitleLocArgs = try reader.optional("subtitle-loc-args")?.texts()
        locKey = try reader.optional("loc-key")?.text()
        locArgs = try reader.optional("loc-args")?.texts()
        actionLocKey = try reader.optional("action-loc-key")?.text()
        action = try reader.optional("action")?.text()
        summaryArgument = try reader.optional("summary-arg")?.text()
        summaryArgumentCount = try reader.optional("summary-arg-count")?.integer(from: 0)
        sound = try reader.optional("sound").map(APNsSound.init)
        unknown = try reader.object().without(json)
    }

    /// The arguments that no localised text takes, each with the key that is missing beside it.
    var unusedArguments: [(arguments: String, key: String)] {
        [
            (titleLocArgs, titleLocKey, "title-loc-args", "title-loc-key"),
            (subtitleLocArgs, subtitleLocKey, "subtitle-loc-args", "subtitle-loc-key"),
            (locArgs, locKey, "loc-args", "loc-key"),
        ]
        .filter { $0.0 != nil && $0.1 == nil }
        .map { ($0.2, $0.3) }
    }

    /// The alert as `aps.alert` writes it.
    public var json: JSONObject {
        var object = JSONObject()
        object["title"] = title?.json
        object["subtitle"] = subtitle?.json
        object["body"] = body?.json
        object.set("launch-image", launchImage)
        object.set("title-loc-key", titleLocKey)
        object.set("title-loc-args", titleLocArgs)
        object.set("subtitle-loc-key", subtitleLocKey)
        object.set("subtitle-loc-args", subtitleLocArgs)
        object.set("loc-key", locKey)
        object.set("loc-args", locArgs)
        object.set("action-loc-key", actionLocKey)
        object.set("action", action)
        object.set("summary-arg", summaryArgument)
        object["summary-arg-count"] = summaryArgumentCount.map(JSONValue.integer)
        object["sound"] = sound?.json
        object.append(unknown)
        return object
    }
}

/// A text of an alert; the localised form stands in the alerts of Live Activities.
public enum AlertText: Hashable, Sendable {
    case plain(String)
    case localized(key: String, arguments: [String]?)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        guard case .object = reader.value else {
            self = .plain(try reader.text())
            return
        }
        self = .localized(key: try reader["loc-key"].text(), arguments: try reader.optional("loc-args")?.texts())
        for (key, member) in try reader.members() where key != "loc-key" && key != "loc-args" {
            throw member.error("no member besides loc-key and loc-args", found: "another")
        }
    }

    var json: JSONValue {
        switch self {
        case .plain(let text): return .string(text)
        case .localized(let key, let arguments):
            var object = JSONObject()
            object.set("loc-key", key)
            object.set("loc-args", arguments)
            return .object(object)
        }
    }
}
