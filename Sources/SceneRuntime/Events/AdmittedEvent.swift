package import SceneRouting
package import SceneNavigation

/// An event that has its place in a scene's order. A class, because it is handed on a dozen times on its way.
package final class AdmittedEvent: Sendable {
    /// How the ledger knows it.
    package let key: EventKey
    /// Its place in the scene's order, from 1 without gaps.
    package let ticket: Int
    package let work: EventWork
    package let source: RouteSource
    package let connection: Int?
    /// How far it has come, as the ledger knows it.
    package let progress: EventProgress

    init(
        key: EventKey,
        ticket: Int,
        work: EventWork,
        source: RouteSource,
        connection: Int?,
        progress: EventProgress
    ) {
        self.key = key
        self.ticket = ticket
        self.work = work
        self.source = source
        self.connection = connection
        self.progress = progress
    }

    /// The event's ID.
    package var id: String { key.id }
}

/// An event's identity: the same ID from another sender is another event.
package struct EventKey: Hashable, Sendable {
    package let sender: String?
    package let id: String
}

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
