internal import Basics
public import SceneRouting

/// Why an event was not admitted. It got no ticket, and its ID is not remembered.
public enum AdmissionError: Error, Hashable, Sendable {
    /// The routing engine refuses the link or the request: no such route or destination, or a wrong parameter.
    case route(RouteError)
    /// No associated domain vouches for the link. `component` is the component of the association file that excludes it,
    /// empty if none matches.
    case notAssociated(url: String, component: String)
    /// No adapter turns the event into a request.
    case noAdapter(kind: String, reason: String)
    /// The client's event ID is not a name (<doc:Words#Names>).
    case invalidEventID(reason: String)
    /// No scene has the ID that the event names.
    case unknownScene(String)
    /// An intent, a gesture or a flow result names no scene.
    case missingScene(kind: String)
    /// A fact is not declared, or the value is not of its type.
    case invalidFact(fact: String, reason: String)
    /// No scene can take the event, and the app allows no further scene.
    case noEligibleScene(contentIdentifier: String?)
    /// The sender has used this ID for another event.
    case eventMismatch(event: String)
    /// A set of URLs was admitted under this ID before, and has been forgotten in part: of this event there is no receipt any more.
    case forgotten(event: String)
    /// A URL of a set is refused for this reason, and so is the whole set. `place` is its place as given, from 1.
    indirect case member(place: Int, url: String, AdmissionError)
    /// As many events of the sender wait in the scene as its mailbox holds; or, for one that may be parked, as many of the
    /// sender's intents are parked.
    ///
    /// `scene` is `nil` for the app's own mailbox.
    case queueFull(scene: String?, limit: Int)
    /// The event takes `size` bytes, and those that wait or are parked already take `waiting`: together more than the limit of
    /// the host, or of the sender.
    case tooMuchWaiting(size: Int, waiting: Int, limit: Int, perUser: Bool)
    /// The event is an action of a notification that hands an intent to the app, and its sender may not do that.
    case mayNotAct
    /// The host is stopping.
    case draining
}

extension AdmissionError: CustomStringConvertible {
    /// What was wrong, in a sentence without a full stop: `no scene 'B'`.
    public var description: String {
        switch self {
        case .route(let error): error.description
        case .notAssociated(let url, let component):
            component.isEmpty
                ? "no associated domain of the app takes \(url.echoed)"
                : "the association file excludes \(url.echoed) by \(component)"
        case .noAdapter(let kind, let reason): "no adapter takes this \(kind): \(reason)"
        case .invalidEventID(let reason): "event ID: \(reason)"
        case .unknownScene(let scene): "no scene '\(scene)'"
        case .missingScene(let kind): "no scene is named; an event of the kind '\(kind)' needs one"
        case .invalidFact(let fact, let reason): "fact '\(fact)': \(reason)"
        case .noEligibleScene(let identifier):
            "no scene can take the event" + (identifier.map { " for '\($0.echoed)'" } ?? "")
                + ", and no more may be opened"
        case .eventMismatch(let event): "another event has the ID '\(event)'"
        case .forgotten(let event): "the event '\(event)' of a set that was sent before has been forgotten"
        case .member(let place, let url, let error): "URL \(place) of the set, \(url.echoed): \(error)"
        case .queueFull(let scene, let limit):
            "\(scene.map { "scene '\($0)'" } ?? "the app") already has \(limit) events of this sender waiting"
        case .tooMuchWaiting(let size, let waiting, let limit, let perUser):
            "the event takes \(size) bytes, and the events that \(perUser ? "its sender has" : "there are") waiting take "
                + "\(waiting); together they may take \(limit)"
        case .mayNotAct: "the notification is handed to the app, which may act on it, and its sender may not"
        case .draining: "the daemon is stopping"
        }
    }
}
