/// How an event reaches a scene that is not connected: what it learns while it connects, and what follows by the warm
/// door once it has.
///
/// | event | connection options | then |
/// |---|---|---|
/// | URL | `urlContexts` | |
/// | activity, but no Handoff | `userActivities` | |
/// | Handoff: activity, or its failure | `handoffUserActivityType` | the activity, or its failure |
/// | Handoff, announced only | `handoffUserActivityType` | |
/// | notification tapped, or an action of it | `notificationResponse` | |
/// | widget | `widgetTap` | |
/// | quick action | `shortcutItem` | |
/// | notification presented, dismissed or silent | none: no scene connects for it | |
///
/// Nothing is said twice: each event stands either in the options or in ``following``.
public struct ColdDelivery: Hashable, Sendable {
    public let options: ConnectionOptions
    /// What is delivered as if the scene had been there all along.
    public let following: EntryEvent?
}

extension EntryEvent {
    /// How it reaches a scene that is not connected, or `nil` where no scene connects for it: the app is woken in the
    /// background.
    public var coldDelivery: ColdDelivery? {
        var options = ConnectionOptions()
        switch content {
        case .url(let open): options.urlContexts = [open]
        case .activity(let activity) where activity.isHandoff == true:
            options.handoffUserActivityType = activity.activityType
            return ColdDelivery(options: options, following: activity.handoffStep == .announced ? nil : self)
        case .activity(let activity): options.userActivities = [activity]
        case .push(let push):
            guard isNavigating else { return nil }
            options.notificationResponse = push
        case .widget(let tap): options.widgetTap = tap
        case .shortcut(let item): options.shortcutItem = item
        }
        return ColdDelivery(options: options, following: nil)
    }
}
