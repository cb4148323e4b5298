package import StrictJSON

/// What a scene learns when it connects: UIKit's `UIScene.ConnectionOptions` of `scene(_:willConnectTo:options:)`.
///
/// Members are named as in UIKit. A widget's tap has its own member, because adapters distinguish it from the URL or the
/// activity that UIKit makes of it.
package struct ConnectionOptions: Hashable, Sendable {
    /// The opened URLs (`urlContexts`).
    package var urlContexts: [URLOpen] = []
    /// The continued activities (`userActivities`); a Handoff is never among them.
    package var userActivities: [UserActivity] = []
    /// The notification that somebody responded to (`notificationResponse`).
    package var notificationResponse: PushResponse?
    /// The chosen quick action (`shortcutItem`).
    package var shortcutItem: ShortcutItem?
    /// The tap on a widget.
    package var widgetTap: WidgetTap?
    /// The type of a Handoff on its way (`handoffUserActivityType`). Its activity, or its failure, follows once the scene is
    /// connected.
    package var handoffUserActivityType: String?

    /// The options of a scene that connects for no event.
    package init() {}

    /// The events in the options, in the order of the members.
    package var events: [EntryEvent] {
        var contents = urlContexts.map(EntryContent.url) + userActivities.map(EntryContent.activity)
        if let notificationResponse { contents.append(.push(notificationResponse)) }
        if let shortcutItem { contents.append(.shortcut(shortcutItem)) }
        if let widgetTap { contents.append(.widget(widgetTap)) }
        return contents.map(EntryEvent.init)
    }

    /// The options as a JSON object without members for absent values.
    package var json: JSONObject {
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
