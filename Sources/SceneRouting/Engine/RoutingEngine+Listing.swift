/// A route as lists show it.
public struct RouteListing: Hashable, Sendable {
    public let pattern: String
    /// The destination, or in braces the capture that names it.
    public let destination: String
    /// What each capture must be, by its name.
    public let captures: [(name: String, expected: String)]
    public let markets: [String]
    public let locales: [String]
    public let isPrinted: Bool
    /// What stands in the way of the destination and its ancestry, in the order asked for.
    public let needs: [String]

    public static func == (one: RouteListing, other: RouteListing) -> Bool {
        one.pattern == other.pattern && one.destination == other.destination && one.markets == other.markets
            && one.locales == other.locales && one.isPrinted == other.isPrinted && one.needs == other.needs
            && one.captures.elementsEqual(other.captures) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(pattern)
        hasher.combine(destination)
    }
}

extension RoutingEngine {
    /// Every route, from the most specific to the least: the order in which they are tried.
    public func listing() -> [RouteListing] {
        routes.map { route in
            var needs: [String] = []
            if let destination = route.destination {
                needs = destination.preconditions.map { preconditions[$0].name }
                needs += destination.conditions.map { manifest.conditions[$0.condition].name }
            }
            return RouteListing(
                pattern: route.declaration.pattern,
                destination: route.declaration.destination,
                captures: route.pattern.captures.map { ($0, route.check($0).expectation) },
                markets: route.declaration.markets,
                locales: route.declaration.locales,
                isPrinted: route.declaration.isPrinted,
                needs: needs
            )
        }
    }
}
