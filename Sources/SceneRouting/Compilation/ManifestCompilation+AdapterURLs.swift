/// Finds adapters that make a URL of every event that leads nowhere.
extension ManifestCompilation {
    mutating func findAdaptersThatLeadNowhere() {
        let templates = manifest.adapters.indices.compactMap { index in
            if case .url(let template) = manifest.adapters[index].mapping {
                (index: index, text: template)
            } else {
                nil
            }
        }
        var engine: RoutingEngine?
        // More than anybody writes.
        var budget = 200_000
        for (index, template) in templates {
            budget -= routes.count + 1
            guard budget > 0 else { return }
            let pieces = (try? BracedText.pieces(template)) ?? []
            let dead: DeadURL?
            switch pieces.first {
            case nil: dead = DeadURL(reason: "it is empty")
            case .literal(let text)? where pieces.count == 1:
                // Compiled for those that name a whole URL.
                if engine == nil { engine = try? RoutingEngine(manifest: manifest) }
                dead = engine.flatMap { deadURL(text, $0) }
            case .literal(let beginning)?: dead = deadURL(beginningWith: beginning)
            case .braced?: dead = nil
            }
            guard let dead else { continue }
            warning(
                "adapters[\(index)].url",
                "'\(template)' leads nowhere, so every event that '\(manifest.adapters[index].name)' takes is rejected: \(dead.reason)",
                expected: "a URL that a route takes",
                suggestion: dead.suggestion
            )
        }
    }

    private struct DeadURL {
        var reason: String
        var suggestion: String?
    }

    /// Why no route takes a URL, wherever the user is; `nil` if one may.
    private func deadURL(_ text: String, _ engine: RoutingEngine) -> DeadURL? {
        do throws(RouteError) {
            _ = try engine.match(url: text, context: RoutingContext())
            return nil
        } catch {
            guard let url = try? RoutingURL(text) else { return DeadURL(reason: error.description) }
            let isTakenElsewhere = routes.contains { route in
                guard route.hasVariants else { return false }
                if case .match = RouteMatcher(route: route).attempt(url, domains: engine.domains) { return true }
                return false
            }
            if isTakenElsewhere { return nil }
            if let dead = deadScheme(url.scheme) { return dead }
            guard case .unknownRoute = error else { return DeadURL(reason: error.description) }
            return DeadURL(reason: "no route takes it", suggestion: engine.nearestRoute(to: text))
        }
    }

    /// Why no route takes a URL that begins so and goes on with what an event has, slashes included.
    private func deadURL(beginningWith text: String) -> DeadURL? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        if let dead = deadScheme(scheme) { return dead }
        let rest = text[text.index(after: colon)...].drop { $0 == "/" }
        // Escapes, queries and fragments are left to what the event has.
        guard !rest.contains(where: { "%?#".contains($0) }) else { return nil }
        var segments = rest.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        let isWeb = scheme == "https" || scheme == "http"
        if isWeb, !segments.isEmpty { segments.removeFirst() }
        guard !segments.isEmpty else { return nil }
        let isTaken = routes.contains { route in
            let fits =
                switch route.pattern.origin {
                case .web(let other, _): isWeb && other == scheme
                case .scheme(let other): other == scheme
                }
            return fits && route.mayTake(pathOf: segments, isWhole: false)
        }
        if isTaken { return nil }
        let known = routes.compactMap { route in
            if case .constant(let text)? = route.pattern.segments.first { text } else { nil }
        }
        let near = segments.count == 1 ? Spelling.nearest(to: segments[0], among: known) : nil
        return DeadURL(reason: "no route takes a URL that begins so", suggestion: near)
    }

    private func deadScheme(_ scheme: String) -> DeadURL? {
        guard scheme != "https", scheme != "http", !schemeNames.contains(scheme) else { return nil }
        return DeadURL(
            reason: "the app has no scheme '\(scheme)'",
            suggestion: Spelling.nearest(to: scheme, among: schemeNames.names)
        )
    }
}
