public import StrictJSON

/// The alert of a notification.
public enum APNsAlert: Hashable, Sendable {
    /// A text without a title.
    case text(String)
    /// The dictionary form.
    case content(AlertContent)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        switch reader.value {
        case .string(let text): self = .text(text)
        case .object: self = .content(try AlertContent(reader))
        default: throw reader.mismatch("string or object")
        }
    }

    /// Whether it has nothing to show: no text, or only empty ones.
    var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .content(let content):
            ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"].allSatisfy {
                content.json[$0].map { $0 == "" } ?? true
            }
        }
    }

    /// The alert in the form of `aps.alert`.
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .content(let content): .object(content.json)
        }
    }
}

/// The dictionary form of an alert. A text is plain, or the key of a localised string with its arguments.
public struct AlertContent: Hashable, Sendable {
    /// The title (`title`).
    public var title: AlertText?
    /// The line below the title (`subtitle`).
    public var subtitle: AlertText?
    /// The text (`body`).
    public var body: AlertText?
    /// The name of the image shown while the app launches.
    public var launchImage: String?
    /// The key of the localised title (`title-loc-key`).
    public var titleLocKey: String?
    /// The arguments of the localised title (`title-loc-args`).
    public var titleLocArgs: [String]?
    /// The key of the localised line below the title (`subtitle-loc-key`).
    public var subtitleLocKey: String?
    /// The arguments of the localised line below the title (`subtitle-loc-args`).
    public var subtitleLocArgs: [String]?
    /// The key of the localised text (`loc-key`).
    public var locKey: String?
    /// The arguments of the localised text (`loc-args`).
    public var locArgs: [String]?
    /// The key of the localised label of the action button; on older systems.
    public var actionLocKey: String?
    /// The label of the action button; for notifications in Safari.
    public var action: String?
    /// The name of the notification in a summary; on iOS 12 to 14.
    public var summaryArgument: String?
    /// The number of items that a summary counts this notification as, from 0; on iOS 12 to 14.
    public var summaryArgumentCount: Int?
    /// The sound of a Live Activity's alert.
    public var sound: APNsSound?
    /// Members that Apple does not describe, as they came.
    public var unknown: JSONObject = [:]

    /// An alert with these plain texts and nothing else.
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

    /// The arguments without effect, each with the missing key of the localised text.
    var unusedArguments: [(arguments: String, key: String)] {
        [
            (titleLocArgs, titleLocKey, "title-loc-args", "title-loc-key"),
            (subtitleLocArgs, subtitleLocKey, "subtitle-loc-args", "subtitle-loc-key"),
            (locArgs, locKey, "loc-args", "loc-key"),
        ]
        .filter { $0.0 != nil && $0.1 == nil }
        .map { ($0.2, $0.3) }
    }

    var json: JSONObject {
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

/// A text of an alert.
public enum AlertText: Hashable, Sendable {
    /// This text.
    case plain(String)
    /// A localised text, as in the alerts of Live Activities.
    case localized(key: String, arguments: [String]?)

    init(_ reader: JSONReader) throws(JSONFieldError) {
        guard case .object = reader.value else {
            self = .plain(try reader.text())
            return
        }
        self = .localized(key: try reader["loc-key"].text(), arguments: try reader.optional("loc-args")?.texts())
        try reader.refuseMembers(besides: ["loc-key", "loc-args"])
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
