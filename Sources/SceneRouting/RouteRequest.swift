/// Where somebody wants to go, already typed: the form that every kind of event is brought into before policy decides.
public struct RouteRequest: Hashable, Codable, Sendable {
    /// The place to show.
    public let destination: Destination
    /// Whether the request comes from outside the app or from one of its screens.
    public let source: RouteSource
    /// Whom it is for, if the adapter that made it said so: while somebody else is signed in it is refused.
    public let user: String?

    /// A request to show `destination`.
    public init(destination: Destination, source: RouteSource, user: String? = nil) {
        self.destination = destination
        self.source = source
        self.user = user
    }

    /// The same request, for this user; `nil` for anybody.
    package func meant(for user: String?) -> RouteRequest {
        user == nil ? self : RouteRequest(destination: destination, source: source, user: user)
    }

    /// The reason of a refusal because somebody else is signed in. No precondition is judged before.
    package static let otherUser = "otherUser"
}

/// Where a request comes from, which decides how the window gets to the target (<doc:/SceneRuntime/Windows>).
public enum RouteSource: String, Hashable, Codable, Sendable, CaseIterable {
    /// From outside the app: a link, a push, a widget, Handoff. The window ends up as if it had been opened for it.
    case external
    /// From a screen of the app. The window takes the shortest way that keeps what the user built up.
    case `internal`
}
