/// What came through a door, in Apple's terms.
///
/// A notification has some seven hundred bytes and an activity a few hundred. They are kept by reference, or every event
/// would be as large, and is handed on a dozen times before it has its ticket.
public enum EntryContent: Hashable, Sendable {
    case url(URLOpen)
    indirect case activity(UserActivity)
    indirect case push(PushResponse)
    indirect case widget(WidgetTap)
    indirect case shortcut(ShortcutItem)
}
