/// What a URL means, before any policy.
public struct RouteMatch: Sendable {
    /// The typed request, always from outside.
    public let request: RouteRequest
    private let rank: Int
    private let names: RouteNames

    init(request: RouteRequest, rank: Int, names: RouteNames) {
        self.request = request
        self.rank = rank
        self.names = names
    }

    /// The pattern of the route that took the URL, as written in the manifest.
    public var route: String { names.patterns[rank] }
}

extension RouteMatch: Hashable {
    public static func == (one: RouteMatch, other: RouteMatch) -> Bool {
        one.request == other.request && one.route == other.route
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(request)
        hasher.combine(route)
    }
}
