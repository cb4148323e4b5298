/// A URL shape that leads to a destination.
public struct RouteDeclaration: Hashable, Sendable {
    /// The destination it leads to. For a route that takes the destination's name from the URL (a legacy
    /// `deeplink?target=product&id=p1`), the name of the captured value in braces: `{target}`.
    public var destination: String
    /// The pattern as written, such as `https://shop.example/product/{id}`, `/p/{id}` (every domain) or
    /// `qcommerce://product/{id}`.
    public var pattern: String
    /// Values for parameters that the URL does not carry.
    public var parameters: [String: String]
    /// The markets in which this route exists; empty for all.
    public var markets: [String]
    /// The locales in which this route exists; empty for all.
    public var locales: [String]
    /// Whether it also resolves where ``markets`` or ``locales`` do not hold, though less specific than a route of the
    /// context's own market.
    public var resolvesElsewhere: Bool
    /// Whether the path's constants ignore case.
    public var ignoresCase: Bool
    /// Whether this route is also printed; the first printable route per scheme, domain and market is the canonical one.
    public var isPrinted: Bool

    /// A route.
    public init(
        destination: String,
        pattern: String,
        parameters: [String: String] = [:],
        markets: [String] = [],
        locales: [String] = [],
        resolvesElsewhere: Bool = false,
        ignoresCase: Bool = false,
        isPrinted: Bool = true
    ) {
        self.destination = destination
        self.pattern = pattern
        self.parameters = parameters
        self.markets = markets
        self.locales = locales
        self.resolvesElsewhere = resolvesElsewhere
        self.ignoresCase = ignoresCase
        self.isPrinted = isPrinted
    }
}
