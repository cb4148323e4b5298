/// A shape of URLs that leads to a destination.
public struct RouteDeclaration: Hashable, Sendable {
    /// The ID of the destination. If the URL names the destination, as in `deeplink?target=product&id=p1`, the name of the
    /// capture in braces: `{target}`.
    public var destination: String
    /// The pattern as written, such as `https://shop.example/product/{id}`, `/p/{id}` for every associated domain, or
    /// `qcommerce://product/{id}`.
    public var pattern: String
    /// Values of parameters that the URL does not carry.
    public var parameters: [String: String]
    /// The markets in which the route exists; none means all.
    public var markets: [String]
    /// The locales in which the route exists, narrower ones included; none means all.
    public var locales: [String]
    /// Whether it also resolves outside its markets and locales, after all routes that exist there.
    public var resolvesElsewhere: Bool
    /// Whether the constants of the path ignore case.
    public var ignoresCase: Bool
    /// Whether URLs of destinations are written with this route. The first such route per scheme or domain is used.
    public var isPrinted: Bool

    /// A route; by default it exists everywhere and is printed.
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

extension RouteDeclaration {
    /// Whether the route exists in this market and locale; `de` includes `de-AT`.
    func exists(market: String?, locale: String?) -> Bool {
        guard markets.isEmpty || market.map(markets.contains) ?? false else { return false }
        guard !locales.isEmpty else { return true }
        guard let locale else { return false }
        return locales.contains { Locales.includes($0, locale) }
    }
}

/// Compares locale identifiers, ignoring case and the difference between `_` and `-`.
enum Locales {
    /// Whether `specific` is `general` or a narrower locale: `de` includes `de-AT`.
    static func includes(_ general: String, _ specific: String) -> Bool {
        let general = canonical(general)
        let specific = canonical(specific)
        return specific == general || specific.hasPrefix(general + "-")
    }

    static func canonical(_ locale: String) -> String {
        String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}
