/// Where somebody wants to go, already typed: what every door hands to the policy.
public struct RouteRequest: Hashable, Sendable {
    public let destination: Destination
    public let source: RouteSource

    /// A request to show `destination`.
    public init(destination: Destination, source: RouteSource) {
        self.destination = destination
        self.source = source
    }
}
