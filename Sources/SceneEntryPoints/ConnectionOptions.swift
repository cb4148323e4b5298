/// What a scene learns when it connects: UIKit's `UIScene.ConnectionOptions` of `scene(_:willConnectTo:options:)`.
///
/// Members are named as in UIKit, but for what adapters distinguish and UIKit does not: see ``names``.
package struct ConnectionOptions: Hashable, Sendable {
    /// The opened URLs (`urlContexts`), universal links among them.
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

    /// The members of UIKit's options in which the events are, in the order of the members here.
    ///
    /// UIKit hands over an opened universal link as a user activity, and a widget's tap as the URL of the widget or, without one, as
    /// a user activity (`scene(_:continue:)`; "Linking to specific app scenes from your widget or Live Activity").
    package var names: [String] {
        let links = urlContexts.count(where: \.isWeb)
        return [
            ("urlContexts", urlContexts.count > links || widgetTap?.url != nil),
            ("userActivities", !userActivities.isEmpty || links > 0 || widgetTap.map { $0.url == nil } ?? false),
            ("notificationResponse", notificationResponse != nil),
            ("shortcutItem", shortcutItem != nil),
            ("handoffUserActivityType", handoffUserActivityType != nil),
        ].filter(\.1).map(\.0)
    }
}
