/// What came through a door, in Apple's terms.
public enum EntryContent: Hashable, Sendable {
    case url(URLOpen)
    case activity(UserActivity)
    case push(PushResponse)
    case widget(WidgetTap)
    case shortcut(ShortcutItem)
}
