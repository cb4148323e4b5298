/// The destination that a URL means, before any policy.
public struct RouteMatch: Sendable {
    /// The typed request; its source is always external.
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
    /// Whether both have the same request and the same pattern.
    public static func == (one: RouteMatch, other: RouteMatch) -> Bool {
        one.request == other.request && one.route == other.route
    }

    /// Hashes the request and the pattern.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(request)
        hasher.combine(route)
    }
}

/// The patterns of all routes by rank. A class, so that a match can name its route without copying the name.
final class RouteNames: Sendable {
    let patterns: [String]

    init(_ patterns: [String]) {
        self.patterns = patterns
    }
}
