public import SceneRouting

/// One answer of the routing engine, for metrics.
public struct ResolutionReport: Hashable, Sendable {
    /// What the engine was given.
    public enum Door: String, Hashable, Sendable {
        /// A URL, matched against the routes.
        case url
        /// A request that was typed already.
        case request
    }

    /// What the engine was given.
    public let door: Door
    /// The pattern of the route that matched the URL; `nil` for a typed request, and if no route matched.
    public let route: String?
    /// What the engine answered.
    public let answer: Result<Verdict, RouteError>

    /// The engine's decision without its details.
    public enum Verdict: String, Hashable, Sendable {
        /// The destination may be shown.
        case proceed
        /// A precondition of the destination does not hold.
        case gated
    }
}
