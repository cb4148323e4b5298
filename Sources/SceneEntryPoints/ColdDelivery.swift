/// How an event reaches a scene that is not connected: the options it connects with, and the event it gets once it has.
///
/// | event | connection options | following |
/// |---|---|---|
/// | URL of the app's own scheme | `urlContexts` | |
/// | universal link, activity other than a Handoff | `userActivities` | |
/// | Handoff | `handoffUserActivityType` | the activity |
/// | notification tapped, or an action of it | `notificationResponse` | |
/// | widget | `urlContexts` if it has a URL, else `userActivities` | |
/// | quick action | `shortcutItem` | |
/// | notification presented, dismissed or silent; Handoff announced or failed | no scene connects for it | |
///
/// Each event is either in the options or in ``following``, never in both.
package struct ColdDelivery: Hashable, Sendable {
    /// What the scene learns while it connects.
    package let options: ConnectionOptions
    /// The event that is delivered once the scene is connected, if any.
    package let following: EntryEvent?
}

extension EntryEvent {
    /// How it reaches a scene that is not connected; `nil` if no scene connects for it, because the app is only woken in the
    /// background.
    package var coldDelivery: ColdDelivery? {
        guard isNavigating else { return nil }
        var options = ConnectionOptions()
        switch content {
        case .url(let open): options.urlContexts = [open]
        case .activity(let activity) where activity.isHandoff == true:
            options.handoffUserActivityType = activity.activityType
            return ColdDelivery(options: options, following: self)
        case .activity(let activity): options.userActivities = [activity]
        case .push(let push): options.notificationResponse = push
        case .widget(let tap): options.widgetTap = tap
        case .shortcut(let item): options.shortcutItem = item
        }
        return ColdDelivery(options: options, following: nil)
    }
}
