/// Turns untrusted input into typed decisions: one policy behind two doors, a URL and a typed request.
///
/// Pure: what it answers depends on the manifest, the input and the context alone. A class, because it is handed on for
/// every event and has dozens of parts to retain.
public final class RoutingEngine: Sendable {
    public let manifest: AppManifest
    let destinations: [CompiledDestination]
    let destinationIndex: [String: Int]
    /// From the most specific to the least.
    let routes: [CompiledRoute]
    /// In the order of the manifest, which decides which of several URLs is printed.
    let routesInOrder: [CompiledRoute]
    let table: RouteTable
    let leaves: LeafTable
    let decisions: DecisionTable
    let names: RouteNames
    private let ids: [String]
    /// Whether any route resolves outside its own market or locale.
    let hasRoutesElsewhere: Bool
    let domains: Set<String>
    let policy: PolicyTable
    let associations: AssociationSet
    let intents: IntentTable
    /// Those of the roots, then those declared; a destination's compiled preconditions are positions in here.
    let preconditions: [PreconditionDeclaration]
    /// What is asked of single destinations, for whoever keeps it longer than the engine.
    package let traits: DestinationTraits

    /// Compiles a manifest; one that was read from a file has been checked and never fails here.
    /// - Throws: the errors that ``AppManifest/problems()`` finds.
    public init(manifest: AppManifest) throws(ManifestProblems) {
        let compilation = ManifestCompilation(manifest, warns: false)
        let errors = compilation.problems.filter { $0.severity == .error }
        guard errors.isEmpty else { throw ManifestProblems(errors) }
        self.manifest = manifest
        destinations = compilation.destinations
        destinationIndex = compilation.destinationIndex
        routesInOrder = compilation.routesInOrder
        routes = compilation.routes
        table = RouteTable(routes, domains: manifest.associatedDomains.map(\.domain))
        leaves = LeafTable(routes, destinationIndex: destinationIndex)
        decisions = DecisionTable(destinations)
        names = RouteNames(routes.map(\.declaration.pattern))
        ids = destinations.map(\.id)
        hasRoutesElsewhere = manifest.routes.contains { $0.resolvesElsewhere }
        domains = Set(manifest.associatedDomains.map(\.domain))
        policy = PolicyTable(manifest)
        associations = compilation.associations
        intents = IntentTable(compilation.intents)
        preconditions = manifest.rootPreconditions + manifest.preconditions
        traits = DestinationTraits(destinations, index: destinationIndex) { [policy] declaration in
            Self.preconditions(of: declaration, manifest, policy) + declaration.conditions
        }
    }

    // MARK: - The doors

    /// The door's part of a decision, all that the manifest decides: which destination a URL means. The session plays
    /// no part in it; of the context only market and locale do.
    /// - Throws: any ``RouteError``.
    public func match(url: String, context: RoutingContext) throws(RouteError) -> RouteMatch {
        let found = try lookUp(url, context)
        return RouteMatch(request: request(found), rank: found.rank, names: names)
    }

    /// Checks a typed destination: its name must exist and its parameters must be allowed; they come back in canonical
    /// form with defaults filled in, but for those that depend on a market or locale, which resolving fills in.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``, for an unknown name with the parameter `destination`.
    public func request(for destination: Destination, source: RouteSource) throws(RouteError) -> RouteRequest {
        let compiled = destinations[try index(of: destination.id)]
        let parameters = try compiled.normalized(destination.parameters)
        return RouteRequest(destination: Destination(id: destination.id, parameters: parameters), source: source)
    }

    /// Decides where a URL leads.
    /// - Throws: any ``RouteError``; being signed out is not one.
    public func resolve(url: String, context: RoutingContext) throws(RouteError) -> RouteResolution {
        let found = try lookUp(url, context)
        return try decide(found.destination, request(found), context)
    }

    /// Decides where a typed request leads, by the same policy as ``resolve(url:context:)``.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for a parameter or a condition.
    public func resolve(_ request: RouteRequest, context: RoutingContext) throws(RouteError) -> RouteResolution {
        let index = try index(of: request.destination.id)
        let compiled = destinations[index]
        let parameters = try compiled.normalized(
            request.destination.parameters,
            place: compiled.hasVariantDefaults ? place(context) : nil
        )
        let destination = Destination(id: ids[index], parameters: parameters)
        return try decide(index, RouteRequest(destination: destination, source: request.source), context)
    }

    // MARK: - Steps

    /// What ``match(url:context:)`` means: every route is tried in order, those of the context's market and locale
    /// first. Tests compare the two; explanations show this one's steps.
    package func matchByDefinition(url: String, context: RoutingContext) throws(RouteError) -> RouteMatch {
        let parsed = try RoutingURL(url)
        var invalid: RouteError?
        for route in candidates(context) {
            do {
                guard let found = try attempt(route, parsed, context) else { continue }
                let rank = routes.firstIndex { $0 === route } ?? 0
                return RouteMatch(request: request(found), rank: rank, names: names)
            } catch {
                invalid = invalid ?? error
            }
        }
        throw invalid ?? .unknownRoute(url: url)
    }

    /// The routes that exist in the context's market and locale, then those that resolve elsewhere.
    func candidates(_ context: RoutingContext) -> [CompiledRoute] {
        let market = policy.text("market", context)
        let locale = policy.text("locale", context)
        let here = routes.filter { $0.declaration.exists(market: market, locale: locale) }
        let elsewhere = routes.filter {
            $0.declaration.resolvesElsewhere && !$0.declaration.exists(market: market, locale: locale)
        }
        return here + elsewhere
    }

    /// One route on one URL: the match, or `nil` where the URL has another shape.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` where only a value is wrong.
    func attempt(
        _ route: CompiledRoute,
        _ url: RoutingURL,
        _ context: RoutingContext
    ) throws(RouteError) -> FoundRoute? {
        switch RouteMatcher(route: route).attempt(url, domains: domains) {
        case .mismatch: return nil
        case .invalid(let parameter, let reason): throw .validationFailed(parameter: parameter, reason: reason)
        case .match(let captures): return try match(route, captures, url, context)
        }
    }

    private func match(
        _ route: CompiledRoute,
        _ captures: [String: String],
        _ url: RoutingURL,
        _ context: RoutingContext
    ) throws(RouteError) -> FoundRoute {
        var values = route.declaration.parameters
        values.merge(captures) { $1 }
        let destination: CompiledDestination
        if let fixed = route.destination {
            destination = fixed
        } else {
            let capture = route.destinationCapture ?? ""
            let id = values.removeValue(forKey: capture) ?? ""
            guard let index = destinationIndex[id] else {
                throw .validationFailed(parameter: capture, reason: "there is no destination '\(id.prefix(64))'")
            }
            destination = destinations[index]
            values = values.filter { destination.parameter($0.key) != nil }
        }
        if route.pattern.takesRemainingItems {
            for item in url.query where !route.pattern.query.contains(where: { $0.name == item.name }) {
                guard let parameter = destination.parameter(item.name) else { continue }
                if case .list = parameter.check {
                    let one = ParameterCheck.list([item.value])
                    values[item.name] = values[item.name].map { "\($0),\(one)" } ?? one
                    continue
                }
                guard values[item.name] == nil else {
                    throw .validationFailed(parameter: item.name, reason: "stands more than once; it is allowed once")
                }
                values[item.name] = item.value
            }
        }
        let parameters = try destination.normalized(values, place: place(context))
        // Who asks knows which route it is.
        return FoundRoute(rank: .max, destination: try index(of: destination.id), parameters: parameters)
    }

    func place(_ context: RoutingContext) -> (market: String?, locale: String?) {
        (policy.text("market", context), policy.text("locale", context))
    }

    private func request(_ found: FoundRoute) -> RouteRequest {
        RouteRequest(
            destination: Destination(id: ids[found.destination], parameters: found.parameters),
            source: .external
        )
    }

    /// The policy, for a request whose parameters are canonical.
    private func decide(
        _ index: Int,
        _ request: RouteRequest,
        _ context: RoutingContext
    ) throws(RouteError) -> RouteResolution {
        let plan = decisions.plan(of: index)
        for precondition in plan.preconditions where !policy.preconditionHolds(precondition, context) {
            return .gated(precondition: preconditions[precondition].name, resume: request)
        }
        for step in plan.conditions {
            let (owner, condition) = (step.owner, step.condition)
            var parameters = request.destination.parameters
            if owner >= 0 { parameters = destinations[index].ancestry[owner].ownParameters(from: parameters) }
            guard policy.conditionHolds(condition, context, parameters) else {
                let declaration = manifest.conditions[condition]
                throw .validationFailed(parameter: declaration.name, reason: declaration.reason)
            }
        }
        let placement = decisions.placement(of: index)
        if let ancestry = placement.ancestry {
            return .proceed(Target(tab: placement.tab, path: ancestry + CollectionOfOne(request.destination)))
        }
        return .proceed(destinations[index].target(request.destination))
    }

    func index(of id: String) throws(RouteError) -> Int {
        if let index = destinationIndex[id] { return index }
        let suggestion = Spelling.nearest(to: id, among: ids)
        throw .validationFailed(
            parameter: "destination",
            reason: "there is no destination '\(id.prefix(64))'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        )
    }

    func compiled(_ id: String) throws(RouteError) -> CompiledDestination { destinations[try index(of: id)] }
}

extension RouteDeclaration {
    /// Whether the route exists in this market and locale. A locale includes the narrower ones: `de` takes `de-AT`.
    func exists(market: String?, locale: String?) -> Bool {
        guard markets.isEmpty || market.map(markets.contains) ?? false else { return false }
        guard !locales.isEmpty else { return true }
        guard let locale else { return false }
        return locales.contains { Locales.includes($0, locale) }
    }
}

/// Locale identifiers, compared without regard to case and with `_` as `-`.
enum Locales {
    /// Whether `general` is `specific` or a language or script that it belongs to.
    static func includes(_ general: String, _ specific: String) -> Bool {
        let general = canonical(general)
        let specific = canonical(specific)
        return specific == general || specific.hasPrefix(general + "-")
    }

    static func canonical(_ locale: String) -> String {
        String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
    }
}
