package import SceneNavigation
package import SceneRouting

/// What the door decided that an event is, once everything the manifest alone decides has been decided.
package enum EventWork: Hashable, Sendable {
    /// Show a destination, if the session allows it. `route` is the pattern of the route that took a URL, `nil` where the
    /// request was typed already.
    case navigate(RouteRequest, route: String?)
    /// Nothing to navigate: the app has been given it.
    case deliver
    /// It was delivered, but leads nowhere: a push whose link no route takes.
    case reject(reason: String)
    /// The topmost screen reports something; whoever takes it says what follows.
    case bubble(Intent)
    case gesture(Gesture)
    /// The flow reports how it ended.
    case finish(flow: String, FlowResult)

    /// Whether it may show something, so that its scene comes to the front.
    package var navigates: Bool {
        switch self {
        case .navigate, .bubble, .gesture, .finish: true
        case .deliver, .reject: false
        }
    }
}
