public import StrictJSON

/// What a scene is told when it connects: the headless `UIScene.ConnectionOptions` of `scene(_:willConnectTo:options:)`.
///
/// Members are named as UIKit names them. A widget's tap keeps its own member, because it is another event than the URL
/// or the activity that UIKit makes of it, and adapters tell them apart.
public struct ConnectionOptions: Hashable, Sendable {
    /// The URLs opened (`urlContexts`).
    public var urlContexts: [URLOpen] = []
    /// The activities continued (`userActivities`); a Handoff is never among them.
    public var userActivities: [UserActivity] = []
    /// The notification somebody responded to (`notificationResponse`).
    public var notificationResponse: PushResponse?
    /// The quick action chosen (`shortcutItem`).
    public var shortcutItem: ShortcutItem?
    /// The widget tapped.
    public var widgetTap: WidgetTap?
    /// The type of a Handoff under way (`handoffUserActivityType`); its activity, or its failure, follows when the scene is
    /// connected.
    public var handoffUserActivityType: String?

    /// A scene that connects by itself, without anything having happened.
    public init() {}

    /// The events they carry, in the order of the members.
    public var events: [EntryEvent] {
        var contents = urlContexts.map(EntryContent.url) + userActivities.map(EntryContent.activity)
        if let notificationResponse { contents.append(.push(notificationResponse)) }
        if let shortcutItem { contents.append(.shortcut(shortcutItem)) }
        if let widgetTap { contents.append(.widget(widgetTap)) }
        return contents.map(EntryEvent.init)
    }

    /// The bundle identifier of the app that opened the first URL (`sourceApplication`).
    public var sourceApplication: String? { urlContexts.lazy.compactMap(\.sourceApplication).first }
}

extension ConnectionOptions {
    /// Reads the options from their JSON form, as ``json`` writes it.
    /// - Throws: what is wrong, with its path from the root of the options: `userActivities[0].userInfo`.
    public init(_ json: JSONObject) throws(JSONFieldError) {
        let known = [
            "urlContexts", "userActivities", "notificationResponse", "shortcutItem", "widgetTap",
            "handoffUserActivityType",
        ]
        let reader = JSONReader(json)
        for (key, member) in try reader.members() where !known.contains(key) {
            throw member.error("no such member in connection options", found: "one")
        }
        for member in try reader.optional("urlContexts")?.elements("array of objects") ?? [] {
            if case .url(let open) = try member.event(.url).content { urlContexts.append(open) }
        }
        for member in try reader.optional("userActivities")?.elements("array of objects") ?? [] {
            guard case .activity(let activity) = try member.event(.activity).content else { continue }
            guard activity.isHandoff != true else {
                let expected = "false or nothing, because of a Handoff only handoffUserActivityType is known"
                throw try member["handoff"].error(expected, found: "true")
            }
            userActivities.append(activity)
        }
        if case .push(let push)? = try reader.optional("notificationResponse")?.event(.push).content {
            notificationResponse = push
        }
        if case .shortcut(let item)? = try reader.optional("shortcutItem")?.event(.shortcut).content {
            shortcutItem = item
        }
        if case .widget(let tap)? = try reader.optional("widgetTap")?.event(.widget).content { widgetTap = tap }
        handoffUserActivityType = try reader.optional("handoffUserActivityType")?.nonEmptyText()
    }

    /// The options as one JSON object; what is absent has no member.
    public var json: JSONObject {
        var object = JSONObject()
        if !urlContexts.isEmpty { object["urlContexts"] = .array(urlContexts.map { .object($0.json) }) }
        if !userActivities.isEmpty { object["userActivities"] = .array(userActivities.map { .object($0.json) }) }
        object.set("notificationResponse", notificationResponse?.json)
        object.set("shortcutItem", shortcutItem?.json)
        object.set("widgetTap", widgetTap?.json)
        object.set("handoffUserActivityType", handoffUserActivityType)
        return object
    }
}

extension JSONReader {
    /// The event of this kind.
    fileprivate func event(_ kind: EntryKind) throws(JSONFieldError) -> EntryEvent {
        let object = try object()
        do throws(JSONFieldError) {
            return try EntryEvent(kind: kind, json: object)
        } catch {
            throw JSONFieldError(path: path.appending(error.path), expected: error.expected, found: error.found)
        }
    }
}
