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
    public init(_ json: JSONObject) throws(EntryFormatError) {
        var reader = FieldReader(json, at: .root)
        for event in try reader.events("urlContexts", .url) {
            if case .url(let open) = event.content { urlContexts.append(open) }
        }
        for (index, event) in try reader.events("userActivities", .activity).enumerated() {
            guard case .activity(let activity) = event.content else { continue }
            guard activity.isHandoff != true else {
                throw EntryFormatError(
                    path: FieldPath.root.member("userActivities").element(index).member("handoff").description,
                    expected: "false or nothing, because of a Handoff only handoffUserActivityType is known",
                    found: "true"
                )
            }
            userActivities.append(activity)
        }
        if case .push(let push)? = try reader.event("notificationResponse", .push)?.content {
            notificationResponse = push
        }
        if case .shortcut(let item)? = try reader.event("shortcutItem", .shortcut)?.content { shortcutItem = item }
        if case .widget(let tap)? = try reader.event("widgetTap", .widget)?.content { widgetTap = tap }
        handoffUserActivityType = try reader.text("handoffUserActivityType")
        if let key = reader.unknown.keys.first {
            throw reader.error(key, "no such member in connection options", "one")
        }
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

extension FieldReader {
    /// The event of this kind in a member.
    fileprivate mutating func event(_ key: String, _ kind: EntryKind) throws(EntryFormatError) -> EntryEvent? {
        guard let object = try object(key) else { return nil }
        return try Self.event(object, kind, at: path.member(key))
    }

    /// The events of this kind in an array.
    fileprivate mutating func events(_ key: String, _ kind: EntryKind) throws(EntryFormatError) -> [EntryEvent] {
        guard let value = value(key) else { return [] }
        guard let elements = value.arrayValue else { throw error(key, "array of objects", value.typeName) }
        var events: [EntryEvent] = []
        for (index, element) in elements.enumerated() {
            let place = path.member(key).element(index)
            guard let object = element.objectValue else {
                throw EntryFormatError(path: place.description, expected: "object", found: element.typeName)
            }
            events.append(try Self.event(object, kind, at: place))
        }
        return events
    }

    private static func event(
        _ object: JSONObject,
        _ kind: EntryKind,
        at place: FieldPath
    ) throws(EntryFormatError) -> EntryEvent {
        do throws(EntryFormatError) {
            return try EntryEvent(kind: kind, json: object)
        } catch {
            throw EntryFormatError(
                path: "\(place).\(error.path)",
                expected: error.expected,
                found: error.found
            )
        }
    }
}
