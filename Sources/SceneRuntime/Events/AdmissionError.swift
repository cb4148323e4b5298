public import SceneRouting

/// Why an event was not admitted. It got no ticket, and its ID is not remembered.
public enum AdmissionError: Error, Hashable, Sendable {
    /// The link leads nowhere.
    case route(RouteError)
    /// No associated domain vouches for the link. `component` is the one that excluded it, empty if none matched.
    case notAssociated(url: String, component: String)
    /// No adapter makes a request of it.
    case noAdapter(kind: String, reason: String)
    /// The client's ID is empty or longer than 128 bytes.
    case invalidEventID(reason: String)
    case unknownScene(String)
    /// What happens inside a window must name its scene.
    case missingScene(kind: String)
    /// A fact is not declared, or the value is not of its type.
    case invalidFact(fact: String, reason: String)
    /// No scene can take it and none may be opened.
    case noEligibleScene(contentIdentifier: String?)
    /// Another event has this ID.
    case eventMismatch(event: String)
    case queueFull(scene: String, limit: Int)
    /// The host is stopping.
    case draining
}

extension AdmissionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .route(let error): error.description
        case .notAssociated(let url, let component):
            component.isEmpty
                ? "no associated domain of the app takes \(url)"
                : "the association file excludes \(url) by \(component)"
        case .noAdapter(let kind, let reason): "no adapter takes this \(kind): \(reason)"
        case .invalidEventID(let reason): "event ID: \(reason)"
        case .unknownScene(let scene): "no scene '\(scene)'"
        case .missingScene(let kind): "no scene is named; an event of the kind '\(kind)' happens in one"
        case .invalidFact(let fact, let reason): "fact '\(fact)': \(reason)"
        case .noEligibleScene(let identifier):
            "no scene can take it" + (identifier.map { " for '\($0)'" } ?? "") + " and no more may be opened"
        case .eventMismatch(let event): "another event has the ID '\(event)'"
        case .queueFull(let scene, let limit): "scene '\(scene)' has \(limit) events waiting already"
        case .draining: "the daemon is stopping"
        }
    }
}
