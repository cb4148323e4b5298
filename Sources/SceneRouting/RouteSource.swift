/// On which side of the app's skin a request arose; it decides how the window gets to the target
/// (<doc:/SceneRuntime/Windows>).
public enum RouteSource: String, Hashable, Sendable, CaseIterable {
    /// From outside the app: a link, a push, a widget, Handoff. The window becomes what it would be after coming there cleanly.
    case external
    /// From a screen of the app: the shortest way that keeps what the user built up.
    case `internal`
}
