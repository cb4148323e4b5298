extension RoutingEngine {
    /// How many routes are looked at.
    private static let mostRoutes = 500

    /// The pattern of the route that was probably meant by a URL that no route takes; `nil` if none is near. At most one segment
    /// may be missing or too many, and each other must be right but for a slip of the finger.
    package func nearestRoute(to url: String) -> String? {
        guard let url = Self.web(url) else { return nil }
        var best: (pattern: String, slips: Int)?
        for route in routes.prefix(Self.mostRoutes) {
            guard let (prefix, origin) = slips(from: url, to: route.pattern.origin),
                let path = Self.slips(from: url.segments, to: route.pattern.segments)
            else { continue }
            if origin + path < best?.slips ?? .max { best = (prefix + route.declaration.pattern, origin + path) }
        }
        return best?.pattern
    }

    /// The URL; one whose scheme is nearly that of the web, or lacks a slash, as a URL of the web.
    private static func web(_ text: String) -> RoutingURL? {
        guard let colon = text.firstIndex(of: ":"),
            let scheme = ["https", "http"].first(where: { Spelling.slips(from: String(text[..<colon]), to: $0) != nil })
        else { return try? RoutingURL(text) }
        return try? RoutingURL("\(scheme)://\(text[colon...].dropFirst().drop { $0 == "/" })")
    }

    /// How far the origin of a URL is from that of a pattern, and what the pattern leaves out: the nearest associated domain.
    private func slips(from url: RoutingURL, to origin: RoutePattern.Origin) -> (prefix: String, slips: Int)? {
        switch origin {
        case .scheme(let scheme): return Spelling.slips(from: url.scheme, to: scheme).map { ("", $0) }
        case .web(let scheme, let domain):
            guard !url.host.isEmpty, let ofScheme = Spelling.slips(from: url.scheme, to: scheme) else { return nil }
            if let domain { return Spelling.slips(from: url.host, to: domain).map { ("", $0 + ofScheme) } }
            let near = manifest.associatedDomains.prefix(64).compactMap { declared in
                Spelling.slips(from: url.host, to: declared.domain).map { (domain: declared.domain, slips: $0) }
            }
            guard let nearest = near.min(by: { $0.slips < $1.slips }) else { return nil }
            return ("\(scheme)://\(nearest.domain)", nearest.slips + ofScheme)
        }
    }

    private static func slips(from segments: [String], to pattern: [RoutePattern.Segment]) -> Int? {
        guard abs(segments.count - pattern.count) <= 1 else { return nil }
        var sum = 2 * abs(segments.count - pattern.count)
        var isNamed = false
        for (segment, wanted) in zip(segments, pattern) {
            guard case .constant(let text) = wanted else { continue }
            guard let slips = Spelling.slips(from: segment, to: text) else { return nil }
            isNamed = true
            sum += slips
        }
        return isNamed ? sum : nil
    }
}
