public import SceneRouting

/// One question put to the routing engine and what it answered, for whoever counts.
public struct ResolutionReport: Hashable, Sendable {
    /// Which of the engine's two doors it came through.
    public enum Door: String, Hashable, Sendable {
        /// A URL was matched against the routes.
        case url
        /// The request was typed already.
        case request
    }

    public let door: Door
    /// The pattern of the route that took the URL; `nil` for a typed request and where no route did.
    public let route: String?
    public let answer: Result<Verdict, RouteError>

    /// The engine's decision without its detail.
    public enum Verdict: String, Hashable, Sendable {
        case proceed, gated
    }
}
